"""Images of all kinds, sizes of views and tiles, and render() equal minigrid's wrappers, in every byte."""

import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import parallel_pool
import pytest
from minigrid.wrappers import (
    FullyObsWrapper,
    OneHotPartialObsWrapper,
    RGBImgObsWrapper,
    RGBImgPartialObsWrapper,
    ViewSizeWrapper,
)
from minigrid_originals import IDS, original, play_at_random, quiet
from parallel_pool.testing import Play, play_beside

SEED = 60

SOME = (
    "MiniGrid-LavaCrossingS9N2-v0",
    "MiniGrid-Dynamic-Obstacles-6x6-v0",
    "MiniGrid-DoorKey-6x6-v0",
    "MiniGrid-ObstructedMaze-1Dlh-v0",
    "BabyAI-MiniBossLevel-v0",
)
"""Together they have every kind of object."""


def of(wrapper: Callable[..., Any], **arguments: Any) -> Callable[[Any, dict[str, Any]], Any]:
    return lambda env, obs: wrapper(env, **arguments).observation(obs)["image"]


VIEWS: dict[str, tuple[dict[str, Any], Callable[[Any, dict[str, Any]], Any]]] = {
    "partial 3": ({"agent_view_size": 3}, of(ViewSizeWrapper, agent_view_size=3)),
    "partial 9": ({"agent_view_size": 9}, of(ViewSizeWrapper, agent_view_size=9)),
    "partial 15": ({"agent_view_size": 15}, of(ViewSizeWrapper, agent_view_size=15)),
    "full": ({"image": "full"}, of(FullyObsWrapper)),
    "one_hot": ({"image": "one_hot"}, of(OneHotPartialObsWrapper)),
    "one_hot 5": (
        {"image": "one_hot", "agent_view_size": 5},
        of(lambda env: OneHotPartialObsWrapper(ViewSizeWrapper(env, 5))),
    ),
    "rgb": ({"image": "rgb"}, of(RGBImgObsWrapper)),
    "rgb 5": (
        {"image": "rgb", "tile_size": 5, "agent_view_size": 5},
        of(RGBImgObsWrapper, tile_size=5),
    ),
    "rgb dark": (
        {"image": "rgb", "tile_size": 3, "highlight": False},
        of(RGBImgObsWrapper, tile_size=3),
    ),
    "rgb_partial": ({"image": "rgb_partial"}, of(RGBImgPartialObsWrapper)),
    "rgb_partial 12": (
        {"image": "rgb_partial", "tile_size": 12, "agent_view_size": 3},
        of(RGBImgPartialObsWrapper, tile_size=12),
    ),
}
"""Options, and how minigrid's environment shows the same."""


def compare(task_id: str, views: dict[str, Any], steps: int) -> None:
    """minigrid's environment once, and beside it a pool for each view and one that renders."""
    with contextlib.ExitStack() as stack, quiet():
        pools = {
            name: stack.enter_context(parallel_pool.make(task_id, num_envs=1, **options))
            for name, (options, _) in views.items()
        }
        shown = {name: pool.reset(seed=SEED)[0] for name, pool in pools.items()}

        def act(play: Play) -> Any:
            (env,) = play.originals
            base = env.unwrapped
            for name, (options, image) in views.items():
                base.agent_view_size = options.get("agent_view_size", 7)
                base.highlight = options.get("highlight", True)
                wanted = image(base, base.gen_obs())
                np.testing.assert_array_equal(shown[name]["image"][0], wanted, f"{task_id}: {name}")
            base.agent_view_size, base.highlight = 7, True
            np.testing.assert_array_equal(play.pool.render()[0], env.render(), task_id)
            action = play_at_random(play)
            shown.update({name: pool.step(action)[0] for name, pool in pools.items()})
            return action

        drawn = parallel_pool.make(task_id, num_envs=1, render_mode="rgb_array")
        stack.enter_context(drawn)
        theirs = partial(original, task_id, render_mode="rgb_array")
        play_beside(drawn, theirs, act, seed=SEED, steps=steps)


@pytest.mark.parametrize("task_id", SOME)
def test_every_view(task_id: str) -> None:
    compare(task_id, VIEWS, 12)


@pytest.mark.slow
@pytest.mark.parametrize("task_id", [name for name in IDS if "SynthS5R2" not in name])
def test_every_view_of_every_id(task_id: str) -> None:
    compare(task_id, VIEWS, 100)


@pytest.mark.parametrize(
    ("name", "wrapper"),
    [
        ("full", FullyObsWrapper),
        ("one_hot", OneHotPartialObsWrapper),
        ("rgb", RGBImgObsWrapper),
        ("rgb_partial", RGBImgPartialObsWrapper),
    ],
)
def test_spaces(name: str, wrapper: Any) -> None:
    theirs = wrapper(original("MiniGrid-RedBlueDoors-6x6-v0")).observation_space["image"]
    with parallel_pool.make("MiniGrid-RedBlueDoors-6x6-v0", num_envs=1, image=name) as pool:
        assert pool.single_observation_space["image"] == theirs
