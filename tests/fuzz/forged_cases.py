"""The environments that are given forged states: every family that saves states, in every way in which
its states differ. test_forged_states.py compares them with the families that the registry lists.
"""

from importlib.util import find_spec

from forge import Case
from test_envs.opengl import BACKEND


def named(form: str, by_weight: dict[int, str]) -> list[Case]:
    """Cases with these names in their ids, by weight."""
    return [
        Case(form.format(name), weight=weight)
        for weight, names in by_weight.items()
        for name in names.split()
    ]


TOY_TEXT = (
    Case("Blackjack-v1", weight=12),
    Case("BlackjackBox-v1", {"natural": True, "sab": False}, 4),
    Case("Catch-v0", weight=10),
    Case("CliffWalking-v1", {"is_slippery": True}, 8),
    Case("FrozenLake-v1", weight=10),
    Case("NChain-v0", weight=10),
    Case("Taxi-v4", {"is_rainy": True, "fickle_passenger": True}, 10),
    Case("Taxi-v4", weight=4),
)
PICTURES = {"render_mode": "rgb_array"}
GYMNASIUM_PICTURES = PICTURES if find_spec("pygame") else {}
CLASSIC_CONTROL = (
    Case("Acrobot-v1", GYMNASIUM_PICTURES, 10),
    Case("CartPole-v1", GYMNASIUM_PICTURES, 10),
    Case("CartPole-v1", {"autoreset_mode": "SameStep", "episode_statistics": True}, 4),
    Case("CartPole-v1", {"autoreset_mode": "Disabled", "max_episode_steps": 30}, 4),
    Case("MountainCar-v0", GYMNASIUM_PICTURES, 8),
    Case("MountainCarContinuous-v0", weight=8),
    Case("Pendulum-v1", GYMNASIUM_PICTURES, 10),
)
PLAYERS = (
    Case("TwoPlayerPong-v0", weight=10),
    Case("TwoPlayerPong-v0", {"episode_statistics": True}, 4),
)
ATARI = (
    Case("Pong-v5", weight=3),
    Case("Breakout-v5", {"repeat_action_probability": 0.25}, 2),
    Case("MontezumaRevenge-v5", weight=2),
    Case("Robotank-v5", weight=2),
    Case("Pitfall2-v5", weight=2),
    Case("Solaris-v5", weight=2),
    Case("ElevatorAction-v5", weight=2),
    Case("ALE/Asteroids-v5", {"obs_type": "ram"}, 3),
    Case("ALE/VideoCheckers-v5", {"obs_type": "ram"}, 2),
    Case("Pong-v5", {"engine": "ale"}, 2),
    Case("Pitfall2-v5", {"engine": "ale"}, 1),
    Case("ALE/MontezumaRevenge-v5", {"engine": "ale", "obs_type": "ram"}, 2),
    Case("ALE/MiniatureGolf-v5", {"engine": "ale", "obs_type": "ram"}, 1),
    Case("ALE/ChopperCommand-v5", {"engine": "ale"}, 1),
)
BOX2D = (
    Case("BipedalWalker-v3", weight=3),
    Case("BipedalWalkerHardcore-v3", PICTURES, 1),
    Case("CarRacing-v3", {"domain_randomize": True, **PICTURES}, 1),
    Case("CarRacingDiscrete-v3", {"frame_skip": 3}, 2),
    Case("LunarLander-v3", {"enable_wind": True, **PICTURES}, 3),
    Case("LunarLander-v3", weight=4),
    Case("LunarLanderContinuous-v3", weight=3),
)
MINIGRID = (
    *named(
        "minigrid/MiniGrid-{}-v0",
        {
            4: "DistShift1",
            6: "BlockedUnlockPickup KeyCorridorS4R3 LockedRoom MultiRoom-N4-S5 ObstructedMaze-2Dlhb",
            8: "DoorKey-8x8 Dynamic-Obstacles-Random-6x6 Fetch-8x8-N3 GoToDoor-6x6 "
            "GoToObject-8x8-N2 MemoryS11 PutNear-8x8-N3 RedBlueDoors-8x8",
        },
    ),
    Case(
        "minigrid/MiniGrid-LavaGapS5-v0",
        {"no_death": "lava", "action_bonus": True, "position_bonus": 0.5},
        8,
    ),
    Case(
        "minigrid/MiniGrid-FourRooms-v0",
        {"stochastic_actions": True, "goal_direction": "angle", "image": "full"},
        6,
    ),
    Case("minigrid/MiniGrid-Unlock-v0", {"image": "rgb_partial", "tile_size": 8, **PICTURES}, 4),
    *named(
        "minigrid/BabyAI-{}-v0",
        {
            4: "BossLevel SynthSeq",
            6: "FindObjS5 GoToSeqS5R2 KeyInBox MoveTwoAcrossS5N2 OpenDoorsOrderN4 Pickup "
            "PutNextS5N2Carrying UnlockToUnlock",
        },
    ),
)
STACKED = dict(from_pixels=True, frame_stack=3, render_quality="fast", width=16, height=16)
"""States have scenes in them, which Python draws."""
MUJOCO = (
    *named(
        "{}-v5",
        {
            1: "HumanoidStandup",
            2: "Humanoid Pusher",
            3: "Ant Walker2d",
            4: "HalfCheetah Hopper Reacher Swimmer",
            5: "InvertedPendulum",
        },
    ),
    Case("InvertedDoublePendulum-v5", {"frame_stack": 3}, 4),
    Case("Ant-v3", {"use_contact_forces": True}, 1),
    *([Case("HalfCheetah-v5", STACKED, 2)] if BACKEND else []),
)
DMC = (
    *named(
        "dmc/{}-v1",
        {
            1: "dog-fetch dog-run humanoid-run humanoid_CMU-run manipulator-bring_ball "
            "manipulator-insert_peg quadruped-escape quadruped-fetch stacker-stack_4 swimmer-swimmer15",
            2: "cartpole-three_poles cheetah-run fish-swim hopper-hop lqr-lqr_6_2 walker-walk",
            3: "acrobot-swingup ball_in_cup-catch cartpole-swingup finger-turn_hard pendulum-swingup "
            "point_mass-hard reacher-hard",
        },
    ),
    *([Case("dmc/manipulator-bring_ball-v1", STACKED)] if BACKEND else []),
)

FAMILIES = {
    "toy text": TOY_TEXT,
    "classic control": CLASSIC_CONTROL,
    "two players": PLAYERS,
    "atari": ATARI,
    "box2d": BOX2D,
    "minigrid": MINIGRID,
    "mujoco": MUJOCO,
    "dmc": DMC,
    "tasks": (Case("tasks/Cheetah-v0", weight=4),),
}
CASES = tuple(case for family in FAMILIES.values() for case in family)
BY_NAME = {case.name: case for case in CASES}
