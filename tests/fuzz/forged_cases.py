"""The environments that are given forged states: every family that saves states, in every way in which
its states differ. test_forged_states.py compares them with the families that the registry lists.
"""

from importlib.util import find_spec

from forge import Case
from test_envs.opengl import BACKEND

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
    *(
        Case(f"minigrid/MiniGrid-{name}-v0", weight=weight)
        for name, weight in (
            ("BlockedUnlockPickup", 6),
            ("DistShift1", 4),
            ("DoorKey-8x8", 8),
            ("Dynamic-Obstacles-Random-6x6", 8),
            ("Fetch-8x8-N3", 8),
            ("GoToDoor-6x6", 8),
            ("GoToObject-8x8-N2", 8),
            ("KeyCorridorS4R3", 6),
            ("LockedRoom", 6),
            ("MemoryS11", 8),
            ("MultiRoom-N4-S5", 6),
            ("ObstructedMaze-2Dlhb", 6),
            ("PutNear-8x8-N3", 8),
            ("RedBlueDoors-8x8", 8),
        )
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
    *(
        Case(f"minigrid/BabyAI-{name}-v0", weight=weight)
        for name, weight in (
            ("BossLevel", 4),
            ("FindObjS5", 6),
            ("GoToSeqS5R2", 6),
            ("KeyInBox", 6),
            ("MoveTwoAcrossS5N2", 6),
            ("OpenDoorsOrderN4", 6),
            ("Pickup", 6),
            ("PutNextS5N2Carrying", 6),
            ("SynthSeq", 4),
            ("UnlockToUnlock", 6),
        )
    ),
)
STACKED = {
    "from_pixels": True,
    "frame_stack": 3,
    "render_quality": "fast",
    "width": 16,
    "height": 16,
}
"""States have scenes in them, which Python draws."""
MUJOCO = (
    Case("Ant-v5", weight=3),
    Case("HalfCheetah-v5", weight=4),
    Case("Hopper-v5", weight=4),
    Case("Humanoid-v5", weight=2),
    Case("HumanoidStandup-v5", weight=1),
    Case("InvertedPendulum-v5", weight=5),
    Case("InvertedDoublePendulum-v5", {"frame_stack": 3}, 4),
    Case("Pusher-v5", weight=2),
    Case("Reacher-v5", weight=4),
    Case("Swimmer-v5", weight=4),
    Case("Walker2d-v5", weight=3),
    Case("Ant-v3", {"use_contact_forces": True}, 1),
    *([Case("HalfCheetah-v5", STACKED, 2)] if BACKEND else []),
)
DMC = tuple(
    Case(f"dmc/{name}-v1", weight=weight)
    for name, weight in (
        ("acrobot-swingup", 3),
        ("ball_in_cup-catch", 3),
        ("cartpole-swingup", 3),
        ("cartpole-three_poles", 2),
        ("cheetah-run", 2),
        ("dog-fetch", 1),
        ("dog-run", 1),
        ("finger-turn_hard", 3),
        ("fish-swim", 2),
        ("hopper-hop", 2),
        ("humanoid-run", 1),
        ("humanoid_CMU-run", 1),
        ("lqr-lqr_6_2", 2),
        ("manipulator-bring_ball", 1),
        ("manipulator-insert_peg", 1),
        ("pendulum-swingup", 3),
        ("point_mass-hard", 3),
        ("quadruped-escape", 1),
        ("quadruped-fetch", 1),
        ("reacher-hard", 3),
        ("stacker-stack_4", 1),
        ("swimmer-swimmer15", 1),
        ("walker-walk", 2),
    )
) + ((Case("dmc/manipulator-bring_ball-v1", STACKED),) if BACKEND else ())

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
