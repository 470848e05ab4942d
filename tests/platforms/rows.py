"""rows.py GROUP [GROUP ...]: steps pools with actions that are the same everywhere, and prints hashes as JSON.

{name of a case: sha256 of all observations, rewards and ends}, for the cases of the groups: classic, atari,
minigrid. It runs with the Python of any platform; the tests here compare
what two of them print.
"""

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
import parallel_pool

SEED = 2024


@dataclass(frozen=True)
class Case:
    id: str
    options: Mapping[str, Any] = field(default_factory=dict)
    envs: int = 4
    steps: int = 60

    @property
    def name(self) -> str:
        return " ".join([self.id, *(f"{key}={value}" for key, value in self.options.items())])


def classic(name: str, **options: Any) -> Case:
    """More environments than the kernels of any processor step at once, and beyond the ends of episodes."""
    return Case(f"classic/{name}", options, envs=20, steps=300)


def minigrid(name: str, **options: Any) -> Case:
    """Beyond the ends of many episodes; missions as numbers."""
    return Case(f"minigrid/{name}", {"mission": "bytes", **options}, envs=20, steps=300)


GROUPS: dict[str, Sequence[Case]] = {
    "classic": [
        classic("Acrobot-v1"),
        classic("Blackjack-v1"),
        classic("BlackjackBox-v1"),
        classic("CartPole-v1"),
        classic("CartPole-v1", sutton_barto_reward=True),
        classic("Catch-v0"),
        classic("CliffWalking-v1"),
        classic("CliffWalkingSlippery-v1"),
        classic("FrozenLake-v1"),
        classic("FrozenLake8x8-v1"),
        classic("MountainCar-v0"),
        classic("MountainCarContinuous-v0"),
        classic("NChain-v0"),
        classic("Pendulum-v1"),
        classic("Taxi-v4"),
        classic("TwoPlayerPong-v0"),
        # What the core itself computes.
        classic("CartPole-v1", transform={"normalize_obs": True}),
        classic("CartPole-v1", transform={"normalize_reward": True}),
    ],
    "atari": [
        # Both engines; the machine's memory, its picture, and frames that were made smaller and larger.
        Case("atari/ALE-Pong-v5", {"obs_type": "ram"}),
        Case("atari/ALE-Seaquest-v5", {"obs_type": "ram", "engine": "ale"}),
        Case("atari/ALE-MsPacman-v5", {"obs_type": "rgb"}),
        Case("atari/ALE-Qbert-v5", {"obs_type": "grayscale"}),
        Case("atari/ALE-SpaceInvaders-v5", {"obs_type": "grayscale", "engine": "ale"}),
        Case("atari/Breakout-v5"),
        Case("atari/Breakout-v5", {"engine": "ale"}),
        Case("atari/Enduro-v5", {"use_inter_area_resize": False}),
        Case("atari/Freeway-v5", {"gray_scale": False}),
        Case("atari/Pitfall-v5", {"gray_scale": False, "use_inter_area_resize": False}),
        Case("atari/Asteroids-v5", {"img_height": 42, "img_width": 42}),
        Case("atari/Pong-v5", {"img_height": 105, "img_width": 80}),
        Case("atari/BeamRider-v5", {"img_height": 250, "img_width": 301}),
        Case("atari/Boxing-v5", {"repeat_action_probability": 0.25, "reward_clip": True}),
    ],
    "minigrid": [
        minigrid("MiniGrid-DoorKey-8x8-v0"),
        minigrid("MiniGrid-Dynamic-Obstacles-Random-6x6-v0"),
        minigrid("MiniGrid-Fetch-8x8-N3-v0"),
        minigrid("MiniGrid-KeyCorridorS3R2-v0", max_steps=90),
        minigrid("MiniGrid-LavaCrossingS11N5-v0"),
        minigrid("MiniGrid-MemoryS17Random-v0", max_steps=90),
        minigrid("MiniGrid-MultiRoom-N4-S5-v0"),
        minigrid("MiniGrid-ObstructedMaze-2Dlhb-v1", max_steps=90),
        minigrid("BabyAI-GoToLocal-v0"),
        minigrid("BabyAI-MiniBossLevel-v0", max_steps=90),
        minigrid("BabyAI-PutNextS5N2Carrying-v0"),
        # Images, wrappers, and what is computed with fractions.
        minigrid("MiniGrid-LockedRoom-v0", image="full"),
        minigrid("BabyAI-Pickup-v0", image="one_hot", agent_view_size=9),
        minigrid("BabyAI-UnlockLocalDist-v0", image="rgb", tile_size=13),
        minigrid("MiniGrid-LavaGapS7-v0", image="rgb_partial", no_death="lava"),
        minigrid("MiniGrid-FourRooms-v0", goal_direction="slope", position_bonus=0.5),
        minigrid("MiniGrid-Empty-Random-6x6-v0", stochastic_actions=True, action_bonus=True),
    ],
}


def actions(space: gymnasium.Space[Any], draw: np.random.Generator, envs: int) -> Any:
    """Some action for each environment. Boxes: by products and sums that numpy rounds one after the other."""
    if isinstance(space, gymnasium.spaces.Dict):
        return {key: actions(each, draw, envs) for key, each in space.spaces.items()}
    if isinstance(space, gymnasium.spaces.Tuple):
        return tuple(actions(each, draw, envs) for each in space.spaces)
    if isinstance(space, gymnasium.spaces.Discrete):
        return space.start + draw.integers(0, space.n, envs)
    if isinstance(space, gymnasium.spaces.MultiDiscrete):
        chosen = [draw.integers(0, n, envs) for n in space.nvec.ravel()]
        return np.stack(chosen, axis=1).reshape(envs, *space.shape)
    assert isinstance(space, gymnasium.spaces.Box)
    low, high = (np.clip(bound.astype(np.float64), -3, 3) for bound in (space.low, space.high))
    between = (high - low) * draw.random((envs, *space.shape))
    return (low + between).astype(space.dtype)


def add(to: Any, values: Any) -> None:
    """Adds arrays, or a tree of them, to a hash."""
    if isinstance(values, dict):
        values = [values[key] for key in sorted(values)]
    if isinstance(values, list | tuple):
        for each in values:
            add(to, each)
        return
    array = np.ascontiguousarray(values)
    to.update(f"{array.dtype.str}{array.shape}".encode())
    to.update(array)


def rows(case: Case) -> str:
    result = hashlib.sha256()
    draw = np.random.default_rng(SEED)
    pool = parallel_pool.make(
        case.id, num_envs=case.envs, num_threads=2, seed=SEED, **dict(case.options)
    )
    try:
        add(result, pool.reset()[0])
        for _ in range(case.steps):
            step = pool.step(actions(pool.single_action_space, draw, case.envs))
            add(result, step[:4])
    finally:
        pool.close()
    return result.hexdigest()


if __name__ == "__main__":
    print(json.dumps({case.name: rows(case) for name in sys.argv[1:] for case in GROUPS[name]}))
