"""Mistakes that show late in play, and those with what environments share: found, with what to change."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from conformance.findings import assert_found, at_once, hurry, register_all, texts
from parallel_pool.cli.sanitize import SANITIZED, preloaded
from parallel_pool.testing import check_env, check_plugin
from test_envs.compiling import compile_plugin

HERE = Path(__file__).parent

NO_CLOCK = r"never std::rand, the clock.*static, global or thread_local variables"
LOOP = r"A loop in step, reset, load, draw or a destructor has no end"
MAKE_THEM_MEMBERS = r"Environments of other threads write them at the same time: make them members"
LATE = {
    "StaysTired": ("fresh_start", r"reset\(\) has to set every member that step\(\) reads"),
    "CountsOn": (
        "fresh_start",
        r"reset\(\) has to set every member .* also what is seldom changed",
    ),
    "SavesGap": ("state", r"saved every 60 steps.*name every member"),
    "SkipsOnLoad": ("state", r"also what only late steps use"),
    "LoadsInAnotherOrder": ("state", r"save\(\) and load\(\) have to name .* in one order"),
    "SavesLate": ("state", r"save\(\) and load\(\) have to name every member"),
    "ClockLate": ("determinism", NO_CLOCK),
    "WritesBefore": ("rows", r"writes before the row of obs, 230 .*an index is out of its range"),
    "WritesBehind": ("rows", r"writes behind the row of obs, 190 .*an index is out of its range"),
    "StopsWriting": ("leftovers", r"obs of environment 0 at step 120\. Write every element"),
    "ReadsBack": ("leftovers", r"keep what you want to read again in members of your own"),
    "StopsInforming": ("rows", r"leaves the info 'fuel' of a row unwritten"),
    "NanInfo": ("values", r"info 'fuel' at step 221 has a NaN: what cannot be computed has to end"),
    "Throws": ("rows", r"step fails with valid actions.*: out of cheese"),
    "GivesUp": ("values", r"gives up its episode at step 350.*the simulator is tired"),
    "Infinite": ("values", r"a reward at step 260 is inf: rewards are finite"),
    "Leaks": ("lifetime", r"play for 600 steps leave .* bytes each behind: what late steps"),
    "MovesWhenDrawn": ("render", r"draw\(\) changes nothing that step\(\) or reset\(\) reads"),
    "FlickersLate": ("render", r"drawn in two ways, \d+ steps into its episode"),
    "LoopsLate": ("rows", LOOP),
    "LoopsInReset": ("rows", LOOP),
    "LoopsInLoad": ("state", LOOP),  # by test_a_loop_costs_one_limit
    "LoopsInDraw": ("rows", LOOP),
    "LoopsAtTheEnd": ("rows", LOOP),
    "ThrowsAtTheEnd": ("rows", r"An exception left a function that must not throw, a destructor"),
}
SHARED = {
    "HeapScratch": ("statics", r"a static std::vector holds.*" + MAKE_THEM_MEMBERS),
    "OneWorld": ("statics", r"static or global variable of shared\.so points to"),
    "ScratchLate": ("statics", MAKE_THEM_MEMBERS),
    "ScratchOfActions": ("statics", MAKE_THEM_MEMBERS),
    "ScratchOfResets": ("statics", MAKE_THEM_MEMBERS),
    "ScratchOfSaving": ("state", r"change in save\(\) or load\(\).*use members or local variables"),
    "ScratchOfDrawing": ("render", r"change in draw\(\).*use members or local variables"),
    "CacheByAddress": ("determinism", NO_CLOCK),
    "NumbersItself": ("determinism", NO_CLOCK),
    "FirstIsSpecial": ("determinism", NO_CLOCK),
    "Achieved": ("determinism", NO_CLOCK),
    "ThreadLocal": ("determinism", NO_CLOCK),
    "ThreadLocalLate": ("independence", r"thread_local variable.*Make it a member"),
    "OwnGenerator": ("fresh_start", r"std::mt19937.*take numbers from the pp::Rng"),
    "OnlyOwnGenerator": ("seeding", r"Take random numbers from the pp::Rng.*void seed\(uint64_t\)"),
    "SeedsItself": ("seeding", r"the seed changes nothing.*Take random numbers from the pp::Rng"),
    "KeepsOptions": ("determinism", r"which has to be a copy, `Options options_`"),
    "UnsetLocal": ("determinism", r"a local variable that is not initialised"),
    "OptionsOfAll": ("per_env_options", r"Keep options per lane"),
    "IgnoresResetOptions": ("options", r"Keep in set_reset_options\(\) what reset\(\) then reads"),
    "KeepsResetOptions": ("options", r"called with the defaults after each reset with options"),
    "LaneAsSeed": ("fresh_start", r"take numbers from the pp::Rng that reset and step are given"),
    "Neighbours": ("independence", r"alone in its shard, plays differently.*depends on their lane"),
    "CountsCalls": ("fresh_start", r"reset\(\) has to set every member"),
}
MISTAKES = {f"late/{name}": found for name, found in LATE.items() if name != "LoopsInLoad"}
MISTAKES |= {f"shared/{name}": found for name, found in SHARED.items()}
DRAWN = ("Sound", "MovesWhenDrawn", "FlickersLate", "LoopsInDraw", "ScratchOfDrawing")
HURRIED = 8.0
"""Seconds that a loop costs here, ..."""
AT_ONCE = 1.5
"""... and one in the first check that plays: whatever had been done by then, that check did not end."""


@pytest.fixture(scope="module", autouse=True)
def libraries(compiled: Callable[[Path], Path]) -> None:
    for family in ("late", "shared"):
        register_all(compiled(HERE / f"{family}.cpp"), DRAWN)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught_by_its_check(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once(monkeypatch, MISTAKES[mistake][0])
    find(mistake)


@pytest.mark.slow  # with all that the check takes for granted
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught_by_its_check_alone(mistake: str) -> None:
    find(mistake)


def find(mistake: str) -> None:
    check, words = MISTAKES[mistake]
    assert_found(f"{mistake}-v0", check, f"(?s){words}", AT_ONCE if words == LOOP else 120.0)


def test_a_clock_of_whole_seconds() -> None:
    """Which check comes upon it depends on when the second is over. All say what it is."""
    report = check_env("late/ClockOfSeconds-v0")
    assert report.failures
    for found in report.failures:
        assert re.search(r"the clock", found.text), texts(report)


def test_a_loop_costs_one_limit() -> None:
    start = time.monotonic()
    report = check_env("late/LoopsInLoad-v0", limit=HURRIED)
    later = [each for each in report.results if "did not end, and comes first" in each.text]
    assert [each.check for each in report.failures] == ["state"], texts(report)
    assert re.search(LATE["LoopsInLoad"][1], report.failures[0].text), texts(report)
    assert {each.check for each in later} >= {"render", "reference", "speed"}
    assert time.monotonic() - start < 600


@pytest.mark.parametrize(
    "env_id", ["late/Sound-v0", "shared/Sound-v0", "shared/SoundKernel-v0", "shared/Dice-v0"]
)
def test_sound_environments_pass(env_id: str) -> None:
    """Dice: a reset throws them as a step does, and nothing resets itself."""
    report = check_env(env_id)
    assert report.ok, texts(report)


class Leaves(gymnasium.Env[Any, Any]):
    """Has a counter that leaves its own bounds, as the environment that reproduces it does."""

    observation_space = gymnasium.spaces.Box(-200, 200, (), np.float64)
    action_space = gymnasium.spaces.Discrete(2)
    gain = 1.0

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.total = self.np_random.uniform(-1, 1)
        return np.float64(self.total), {}

    def step(self, action: Any) -> Any:
        self.total += 1.0
        return np.float64(self.total), self.total * 0.1 * self.gain, self.total > 300, False, {}


def test_an_original_that_leaves_its_own_bounds() -> None:
    (found,) = check_plugin("shared", env_ids=["shared/Leaves-v0"], only=["values"]).failures
    assert "if an original does the same, name it as a reference" in found.text
    report = check_plugin(
        "shared",
        env_ids=["shared/Leaves-v0"],
        only=["values", "reference"],
        references={"shared/Leaves-v0": Leaves},
    )
    assert report.ok, texts(report)
    (values,) = (each for each in report.results if each.check == "values")
    assert "the obs leaves its bounds, as the original's does" in values.text


def test_a_reward_of_another_precision() -> None:
    """Computed in float, where the original has double."""
    report = check_plugin(
        "shared",
        env_ids=["shared/FloatReward-v0"],
        only=["reference"],
        references={"shared/FloatReward-v0": Leaves},
    )
    assert "the reward of step 1 with seed 0" in texts(report)


BEYOND = {
    "Table": r"rows.*it said: .*runtime error: index 100 out of bounds",
    "Heap": r"rows.*it said: .*AddressSanitizer: heap-buffer-overflow .*beyond\.cpp:\d+",
    "ActionIndex": r"rows.*it said: .*runtime error: index 3 out of bounds",
    "Overflows": r"rows.*it said: .*runtime error: signed integer overflow",
}
CHECKED = """
import sys
import parallel_pool
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.testing import check_plugin

library, names = sys.argv[1], sys.argv[2:]
for name in names:
    parallel_pool.register(EnvSpec(f"beyond/{name}-v0"), library=library)
for name in names:
    report = check_plugin("beyond", env_ids=[f"beyond/{name}-v0"], only=["rows"], limit=240)
    print(name, *[f"{each.check}: {each.text}" for each in report.failures])
"""


@pytest.mark.slow  # tests/cli/test_sanitize.py has one of these mistakes
def test_what_leaves_no_trace_is_found_by_sanitizers(tmp_path: Path) -> None:
    """With the flags and the libraries of `parallel-pool check --sanitize`."""
    assert SANITIZED.flags is not None
    library = compile_plugin(
        HERE / "beyond.cpp",
        tmp_path / "beyond.so",
        flags=SANITIZED.flags.split(),
    )
    done = subprocess.run(
        [sys.executable, "-c", CHECKED, str(library), "Sound", *BEYOND],
        capture_output=True,
        text=True,
        timeout=600,
        env={
            **os.environ,
            "LD_PRELOAD": " ".join(map(str, preloaded(os.environ.get("CXX", "c++")))),
            "ASAN_OPTIONS": "detect_leaks=0",
        },
    )
    said = dict(line.partition(" ")[::2] for line in done.stdout.splitlines())
    assert said.pop("Sound", None) == "", done.stdout + done.stderr
    for name, words in BEYOND.items():
        assert re.match(words, said[name]), said
