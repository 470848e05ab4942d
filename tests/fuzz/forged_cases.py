"""The environments that are given forged states: every family that saves states, in every way in which
its states differ. ViZDoom's games save none.
"""

from __future__ import annotations

from forge import Case

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
CLASSIC_CONTROL = (
    Case("Acrobot-v1", weight=10),
    Case("CartPole-v1", weight=10),
    Case("CartPole-v1", {"autoreset_mode": "SameStep", "episode_statistics": True}, 4),
    Case("CartPole-v1", {"autoreset_mode": "Disabled", "max_episode_steps": 30}, 4),
    Case("MountainCar-v0", weight=8),
    Case("MountainCarContinuous-v0", weight=8),
    Case("Pendulum-v1", weight=10),
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
)

FAMILIES = {
    "toy text": TOY_TEXT,
    "classic control": CLASSIC_CONTROL,
    "two players": PLAYERS,
    "atari": ATARI,
    "mujoco": MUJOCO,
    "dmc": DMC,
}
CASES = tuple(case for family in FAMILIES.values() for case in family)


def find(name: str) -> Case:
    """The case of that name."""
    for case in CASES:
        if case.name == name:
            return case
    raise SystemExit(f"there is no case {name!r}; there are {', '.join(c.name for c in CASES)}")
