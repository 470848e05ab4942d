"""copy=False: whole answers are in one set of arrays, and are otherwise what they are with copies."""

import gc
import pickle
from contextlib import ExitStack
from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import leaves, refused
from test_envs.pools import make

SIZE = 9


def copied(result: Any) -> list[bytes]:
    result[-1].pop("final_obs_dense", None)  # most of its rows say nothing
    return [pickle.dumps(leaf) for leaf in leaves(result)]


def played(pool: Any, mode: str, calls: int = 150) -> list[list[bytes]]:
    """Copies of the results of calls of all environments and of some, in order and in others."""
    draw = np.random.default_rng(1)
    results = [copied(pool.reset(seed=3))]
    over, whole = np.zeros(SIZE, bool), True
    for _ in range(calls):
        everyone = draw.random() < 0.6
        ids = None if everyone else draw.permutation(SIZE)[: draw.integers(1, SIZE + 1)]
        chosen = np.arange(SIZE) if ids is None else ids
        if mode == "Disabled" and over[chosen].any():
            ended = np.flatnonzero(over)
            mask = {"options": {"reset_mask": over}} if whole else {"env_id": ended}
            results.append(copied(pool.reset(**mask)))
            over[ended] = False
        whole = everyone
        result = pool.step(draw.integers(0, 3, len(chosen)), ids)
        over[chosen] = result[2] | result[3]
        results.append(copied(result))
    return results


@pytest.mark.parametrize("name", ["Walk", "WalkBatch", "Marks"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_the_results_are_the_same(name: str, mode: str) -> None:
    variants: list[dict[str, Any]] = [{"copy": True}, {"copy": False}]
    variants += [{"copy": False, "num_threads": 3}, {"copy": False, "step_timeout": 30}]
    with ExitStack() as stack:
        pools = [
            make(name, num_envs=SIZE, autoreset_mode=mode, max_episode_steps=20, **each)
            for each in variants
        ]
        first, *others = [played(stack.enter_context(pool), mode) for pool in pools]
    for other in others:
        for ours, theirs in zip(first, other, strict=True):
            assert ours == theirs


@pytest.mark.parametrize("more", [{}, {"isolation": "process"}, {"action_chunk": 2}])
def test_a_whole_answer_is_in_the_arrays_of_the_last(more: dict[str, Any]) -> None:
    with make("Walk", num_envs=4, copy=False, **more) as pool:
        first, _ = pool.reset(seed=0)
        actions = np.ones((4, 2) if more.get("action_chunk") else 4, np.int64)
        obs, reward, *_, info = pool.step(actions)
        again = pool.step(actions)
        assert again[0] is obs and again[1] is reward and again[4] is not info
        assert np.shares_memory(first, obs)
        part = pool.step(actions[:2], [2, 3])[0]
        other = pool.step(actions, [3, 2, 1, 0])[0]
        kept = part.copy(), other.copy()
        pool.step(actions)
        assert (part == kept[0]).all() and (other == kept[1]).all()
        assert not np.shares_memory(other, obs)
        pool.close()
        del pool, again
        gc.collect()
        assert np.isfinite(obs.copy()).all(), "the arrays keep their memory"


@pytest.mark.parametrize("view", ["gym", "dm"])
def test_in_the_other_views(view: str) -> None:
    with make("Walk", view, num_envs=3, copy=False) as pool:
        pool.reset()
        first, second = (leaves(pool.step(np.ones(3, np.int64))) for _ in range(2))
        assert sum(x is y for x, y in zip(first, second, strict=False)) > 3


def test_a_failure_names_its_environment_and_the_pool_goes_on() -> None:
    with make("Faulty", num_envs=3, copy=False) as pool:
        pool.reset()
        with pytest.raises(parallel_pool.EnvError) as error:
            pool.step([0, 1, 0])
        assert list(error.value.failures) == [1]
        pool.reset(env_id=[1])
        assert pool.step([0, 0, 0])[4]["env_id"].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"batch_size": 2}, "batch_size"),
        ({"output": "torch"}, "output"),
        ({"copy": 3}, "copy is 3"),
    ],
)
def test_what_has_no_whole_arrays_is_refused(more: dict[str, Any], named: str) -> None:
    with refused(parallel_pool.OptionError, named):
        make("Walk", num_envs=4, **{"copy": False, **more})


def test_rollouts_episodes_and_single_environments_are_refused() -> None:
    learning = pytest.importorskip("parallel_pool_learning")
    with make("Walk", num_envs=4, copy=False) as pool:
        with refused(parallel_pool.OptionError, "leave out copy=False"):
            learning.RolloutBuffer(pool, num_steps=4)
        with refused(parallel_pool.OptionError, "episodes() keeps results"):
            pool.episodes(lambda obs: np.zeros(len(obs), np.int64), range(3))
    with refused(parallel_pool.OptionError, "takes no copy"):
        parallel_pool.SingleEnv("test/Walk-v0", copy=False)
