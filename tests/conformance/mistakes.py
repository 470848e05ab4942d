"""The mistakes of the libraries in this folder, and what is said of each, a regular expression."""

NEIGHBOURS = r"Alone in its pool it does not, so it depends on its neighbours\. In a batch kernel, "
NO_CLOCK = r"never std::rand, the clock.*static, global or thread_local variables"
LOOP = r"A loop in step, reset, load, draw or a destructor has no end"
MAKE_THEM_MEMBERS = r"Environments of other threads write them at the same time: make them members"

BY_CHECK: dict[str, dict[str, str]] = {
    "spaces": {
        "broken/NanBound": "NaN as a bound",
        "deadly/NoByte": r"bound 300 of obs 'picture', whose dtype is uint8: uint8 holds 0 \.\. 255",
        "deadly/NoInteger": r"bound 0\.5 of obs 'picture', whose dtype is uint8, is no integer",
        "deadly/BeyondInt": r"bound 3000000000 of the obs.*int32 holds -2147483648 \.\. 2147483647",
        "deadly/TwoBounds": r"obs field 'place' has 2 bounds and 4 elements",
        "deadly/Unshaped": r"the obs has a pp::dynamic dimension.*spec\.obs\(\)\.shaped",
        "careless/UpsideDown": r"describes itself wrongly: obs field 'place' has no value: a low is ",
        "careless/NoSuchKey": r"a field 'palce', and there is only 'place', 'wind'",
    },
    "rows": {
        "broken/Unwritten": "leaves the info 'fuel' of a row unwritten",
        "broken/PastReset": r"reset of lanes 0 \.\. 63 of 64 writes obs outside of their rows",
        "broken/PastStep": "writes reward outside of their rows",
        "broken/WritesActions": "writes into the actions",
        "broken/Throws": "step fails with valid actions: not today",
        "subtle/DrawsTooMuch": "draw writes outside of the picture: 4 rows of 4 pixels",
        "subtle/SavesTooMuch": r"save writes more than the \d+ bytes",
        "subtle/SaysTwo": "a bool of terminated that is neither 0 nor 1",
        "deadly/Crashes": r"rows crashed with SIGSEGV, in _play \(testing/deep\.py:\d+\)",
        "deadly/Hangs": r"rows did not end within \S+ seconds, in _play.*" + LOOP,
        "deadly/Exits": r"rows ended the process with status 3",
        "deadly/Aborts": r"rows crashed with SIGABRT.*; it said: the world is not enough",
        "deadly/WritesFar": r"writes obs 'place' outside of their rows",
        "deadly/WritesLate": r"writes behind the row of obs 'place', 400 steps into play",
        "deadly/WritesWhenHeld": r"writes behind the row of obs 'place', \d+ steps into play",
        "careless/ThrowsNumber": r"not a std::exception: throw std::runtime_error\(\"why\"\)$",
        "careless/ThrowsText": r"step fails with valid actions: not today$",
        "careless/ThrowsNothing": r"give the exception that you throw a text",
        "careless/ResetsAll": r"reset writes the obs of a lane that its mask leaves out",
        "careless/NeverCuts": r"step leaves the truncated of a row unwritten",
        "careless/SkipsLast": r"step leaves the obs of a row unwritten",
        "late/WritesBefore": r"writes before the row of obs 'place', 230 .*an index is out of its range",
        "late/WritesBehind": r"writes behind the row of obs 'place', 190 .*an index is out of its range",
        "late/StopsInforming": r"leaves the info 'fuel' of a row unwritten",
        "late/Throws": r"step fails with valid actions.*: out of cheese",
        "late/LoopsLate": LOOP,
        "late/LoopsInReset": LOOP,
        "late/LoopsInDraw": LOOP,
        "late/LoopsAtTheEnd": LOOP,
        "late/ThrowsAtTheEnd": r"An exception left a function that must not throw, a destructor",
    },
    "values": {
        "broken/OutOfBounds": r"outside of its bounds -0\.5 \.\. 0\.5",
        "broken/InfiniteReward": "reward",
        "broken/GivesUp": "gives up its episode at step",
        "subtle/Diverges": "at step 501 has a NaN",
        "subtle/FullThrottle": r"outside of its bounds -60\.0 \.\. 400\.0",
        "careless/CountsFromOne": r"obs 'wind'.* a discrete space of n has the values 0 \.\. n - 1",
        "late/NanInfo": r"info 'fuel' at step 221 has a NaN: what cannot be computed has to end",
        "late/GivesUp": r"gives up its episode at step 350.*the simulator is tired",
        "late/Infinite": r"a reward at step 260 is inf: rewards are finite",
    },
    "leftovers": {
        "subtle/LeavesAnElement": "Write every element of the observation",
        "subtle/DrawsWhatChanged": "what an earlier batch left in its memory: obs/picture",
        "subtle/ReadsBack": "keep what you want to read again in members",
        "late/StopsWriting": r"obs 'place' of environment 0 at step 120\. Write every element",
        "late/ReadsBack": r"keep what you want to read again in members of your own",
    },
    "determinism": {
        "broken/Entropy": "Take random numbers from the pp::Rng",
        "careless/Clock": r"never std::rand, the clock",
        # What is in memory is up to the allocator: it may differ between two plays that are meant to be alike.
        "careless/Unset": r"at step 1\b.*(A member is read before anybody has set it|initialise every member, |"
        r"or a member or a local variable that is not initialised)",
        "late/ClockLate": NO_CLOCK,
        "shared/CacheByAddress": NO_CLOCK,
        "shared/NumbersItself": NO_CLOCK,
        "shared/FirstIsSpecial": NO_CLOCK,
        "shared/Achieved": NO_CLOCK,
        "shared/ThreadLocal": NO_CLOCK,
        "shared/KeepsOptions": r"which has to be a copy, `Options options_`",
        "shared/UnsetLocal": r"a local variable that is not initialised",
    },
    "seeding": {
        "broken/Seedless": r"tags=\('deterministic',\)",
        "shared/OnlyOwnGenerator": r"Take random numbers from the pp::Rng.*void seed\(uint64_t\)",
        "shared/SeedsItself": r"the seed changes nothing.*Take random numbers from the pp::Rng",
    },
    "fresh_start": {
        "broken/Forgets": r"reset\(\) has to set every member",
        "late/StaysTired": r"reset\(\) has to set every member that step\(\) reads",
        "late/CountsOn": r"reset\(\) has to set every member .* also what is seldom changed",
        "shared/OwnGenerator": r"std::mt19937.*take numbers from the pp::Rng",
        "shared/LaneAsSeed": r"take numbers from the pp::Rng that reset and step are given",
        "shared/CountsCalls": r"reset\(\) has to set every member",
    },
    "autoreset": {
        "broken/DrawsForAll": "autoreset SameStep",
        "subtle/DrawsForAllTogether": "autoreset SameStep",
        "careless/CRandom": NEIGHBOURS + r".*such as std::rand",
        "careless/ByRow": NEIGHBOURS + r"state belongs to lane rows\.first\(\) \+ i, not to row i",
    },
    "chunks": {
        "subtle/HidesTheEnd": r"obs/place.* What `unseen\(true\)` leaves out has to be there",
    },
    "endings": {
        "deadly/ResetsItself": r"in all of 8 episodes: the environment resets itself in step",
        "deadly/ResetsWhenCut": r"in all of 8 episodes: the environment resets itself in step",
        "deadly/NeverEnds": r"no episode has ended within \d{4,} steps.*tags=\('rare_ends',\)",
    },
    "independence": {
        "broken/CountsLanes": "Environments share something",
        "subtle/OneStart": "depends on their lane",
        "subtle/WrongRest": "in a pool of 7",
        "subtle/WrongWhenFull": "in a pool of two full shards and a rest",
        "shared/ThreadLocalLate": r"thread_local variable.*Make it a member",
        "shared/Neighbours": r"alone in its shard, plays differently.*depends on their lane",
    },
    "statics": {
        "deadly/Scratch": r"static or global variables of deadly\.so change in play",
        "deadly/Counts": r"make them members",
        "shared/HeapScratch": r"a static std::vector holds.*" + MAKE_THEM_MEMBERS,
        "shared/OneWorld": r"static or global variable of shared\.so points to",
        "shared/ScratchLate": MAKE_THEM_MEMBERS,
        "shared/ScratchOfActions": MAKE_THEM_MEMBERS,
        "shared/ScratchOfResets": MAKE_THEM_MEMBERS,
    },
    "options": {
        "broken/TooLarge": "option 'size' = 64 lies within its declared range",
        "deadly/Unread": r"option 'drift' changes nothing.*with 0\.375, 0\.125, .* as with 0\.25",
        "deadly/Resized": r"option 'size' = 64 lies within its declared range, and is refused by an error",
        "shared/IgnoresResetOptions": r"Keep in set_reset_options\(\) what reset\(\) then reads",
        "shared/KeepsResetOptions": r"called with the defaults after each reset with options",
    },
    "per_env_options": {
        "broken/OneOptions": "Keep options per lane",
        "subtle/OneNoise": r"every other environment has noise=0\.75",
        "shared/OptionsOfAll": r"Keep options per lane",
    },
    "lifetime": {
        "broken/Leaks": "bytes behind",
        "subtle/KeepsWorlds": "freed by the next one",
        "subtle/KeepsFiles": "leave open files behind",
        "careless/KeepsThreads": r"leave threads behind",
        "late/Leaks": r"play for 600 steps leave .* bytes each behind: what late steps",
    },
    "state": {
        "broken/ForgetsToSave": "name every member",
        "subtle/CountsEpisodes": "name every member",
        "late/SavesGap": r"saved every 60 steps.*name every member",
        "late/SkipsOnLoad": r"also what only late steps use",
        "late/LoadsInAnotherOrder": r"save\(\) and load\(\) have to name .* in one order",
        "late/SavesLate": r"save\(\) and load\(\) have to name every member",
        "late/LoopsInLoad": LOOP,
        "shared/ScratchOfSaving": r"change in save\(\) or load\(\).*use members or local variables",
    },
    "damaged_states": {
        "deadly/Trusts": r"damaged_states crashed with SIG.*load\(\) has to refuse",
    },
    "render": {
        "broken/MovesWhenDrawn": "drawing changes what follows",
        "subtle/Flickers": "draws the same state twice and differently",
        "careless/Undrawn": r"render_mode 'rgb_array' is declared, and .*",
        "late/MovesWhenDrawn": r"draw\(\) changes nothing that step\(\) or reset\(\) reads",
        "late/FlickersLate": r"drawn in two ways, \d+ steps into its episode",
        "shared/ScratchOfDrawing": r"change in draw\(\).*use members or local variables",
    },
}
"""The check that finds each."""

MISTAKES = {
    name: (check, words) for check, found in BY_CHECK.items() for name, words in found.items()
}
DRAWN = ("Sound", *(name.partition("/")[2] for name in BY_CHECK["render"]), "LoopsInDraw")
"""Environments that are listed with pictures."""
