"""Options equal minigrid's wrappers: in what they add to observations, rewards, actions and ends."""

import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import parallel_pool
import pytest
from minigrid.wrappers import (
    ActionBonus,
    DirectionObsWrapper,
    NoDeath,
    PositionBonus,
    StochasticActionWrapper,
    SymbolicObsWrapper,
)
from minigrid_originals import IDS, original, play_at_random, quiet
from test_envs.originals import Beside, unrecorded
from test_envs.programs import python

Wrap = Callable[[Any], Any]

SOME = (
    "MiniGrid-Empty-Random-5x5-v0",
    "MiniGrid-LavaCrossingS9N2-v0",
    "MiniGrid-Dynamic-Obstacles-Random-6x6-v0",
    "BabyAI-OpenRedBlueDoorsDebug-v0",
    "BabyAI-BossLevel-v0",
)
WITH_GOAL = (
    "MiniGrid-Empty-Random-6x6-v0",
    "MiniGrid-DistShift2-v0",
    "MiniGrid-LavaGapS6-v0",
    "MiniGrid-SimpleCrossingS9N2-v0",
    "MiniGrid-Dynamic-Obstacles-8x8-v0",
    "MiniGrid-DoorKey-8x8-v0",
    "MiniGrid-FourRooms-v0",
    "MiniGrid-MultiRoom-N4-S5-v1",
    "MiniGrid-LockedRoom-v0",
)

ALL: dict[str, Any] = {
    "no_death": "lava,ball,door",
    "death_cost": -0.7,
    "action_bonus": True,
    "position_bonus": 0.3,
    "stochastic_actions": True,
    "action_prob": 0.8,
}


def all_wrappers(env: Any) -> Any:
    """In the order that options have."""
    env = NoDeath(env, ("lava", "ball", "door"), death_cost=-0.7)
    return StochasticActionWrapper(PositionBonus(ActionBonus(env), scale=0.3), prob=0.8)


STEPS: dict[str, tuple[dict[str, Any], Wrap]] = {
    "lava": ({"no_death": "lava"}, lambda env: NoDeath(env, ("lava",))),
    "balls": (
        {"no_death": "ball,wall", "death_cost": -0.25},
        lambda env: NoDeath(env, ("ball", "wall"), death_cost=-0.25),
    ),
    "any action": ({"stochastic_actions": True}, lambda env: StochasticActionWrapper(env)),
    "one action": (
        {"stochastic_actions": True, "action_prob": 0.5, "random_action": 1},
        lambda env: StochasticActionWrapper(env, prob=0.5, random_action=1),
    ),
    "always the given action": (
        {"stochastic_actions": True, "action_prob": 1.0},
        lambda env: StochasticActionWrapper(env, prob=1.0),
    ),
    "actions": ({"action_bonus": True}, ActionBonus),
    "places": ({"position_bonus": 1.0}, PositionBonus),
    "scaled": ({"position_bonus": 0.1}, lambda env: PositionBonus(env, scale=0.1)),
    "all": (ALL, all_wrappers),
}


def compare(play: Beside, task_id: str, ours: dict[str, Any], wrap: Wrap) -> None:
    """With minigrid's wrapper of the environment in place of our options."""
    how = {"num_envs": 3, "seed": 40, "episodes": 3, "max_steps": 25}

    def theirs(**options: Any) -> Any:
        return wrap(original(task_id, **options))

    with quiet():
        play(task_id, theirs, play_at_random, ours=ours, **how)


@pytest.mark.parametrize("task_id", SOME)
@pytest.mark.parametrize("name", STEPS)
def test_steps_and_resets(name: str, task_id: str, beside: Beside) -> None:
    compare(beside, task_id, *STEPS[name])


@pytest.mark.parametrize("task_id", SOME)
def test_symbolic(task_id: str, beside: Beside) -> None:
    compare(beside, task_id, {"image": "symbolic"}, SymbolicObsWrapper)
    theirs = SymbolicObsWrapper(original(task_id)).observation_space["image"]
    with parallel_pool.make(task_id, num_envs=1, image="symbolic") as pool:
        assert pool.single_observation_space["image"] == theirs


def compare_directions() -> None:
    for form, task_id in product(("slope", "angle", "angle_atan2"), WITH_GOAL):
        wrap = partial(DirectionObsWrapper, type=form)
        compare(unrecorded, task_id, {"goal_direction": form}, wrap)
        theirs = wrap(original(task_id)).observation_space["goal_direction"]
        with parallel_pool.make(task_id, num_envs=1, goal_direction=form) as pool:
            assert pool.single_observation_space["goal_direction"] == theirs


def test_the_direction_of_the_goal() -> None:
    """In a process of its own, in which numpy takes its arctangents from the C library on every processor."""
    program = f"import runpy, sys; sys.path[:0] = {sys.path!r}; "
    program += f"runpy.run_path({__file__!r})['compare_directions']()"
    features = "X86_V4 AVX512_SKX"  # the newer name, and the older one
    python("-c", program, NPY_DISABLE_CPU_FEATURES=features)


@pytest.mark.slow
@pytest.mark.parametrize("task_id", [name for name in IDS if "SynthS5R2" not in name])
def test_all_wrappers_in_every_id(task_id: str) -> None:
    compare(unrecorded, task_id, ALL, all_wrappers)
    compare(unrecorded, task_id, {"image": "symbolic"}, SymbolicObsWrapper)
