"""Training that Ctrl-C ended in the middle of a step begins again with a reset, in every adapter."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from parallel_pool.pool_errors import AlreadyPendingError, NothingPendingError
from test_envs.libraries import ADAPTERS, adapter


def step(env: Any, name: str) -> Any:
    if name == "torchrl":
        return env.step(env.rand_action(env.reset()))
    return env.step(np.zeros(3, np.int64))


@pytest.mark.parametrize("name", ADAPTERS)
def test_resets_and_seeds_discard_the_step_that_was_interrupted(name: str) -> None:
    env = adapter(name)
    env.reset()
    seed = {"tianshou": "seed", "torchrl": "set_seed"}.get(name)  # others seed the next reset
    seeds = [partial(getattr(env, seed), 3)] if seed else []
    for discard in (env.reset, env.reset, *seeds):
        env.pool.send(np.zeros(3, np.int64))  # as an interrupted step leaves it
        if name != "torchrl":
            with pytest.raises(AlreadyPendingError):
                step(env, name)
        discard()
        step(env, name)
        with pytest.raises(NothingPendingError):
            env.pool.recv()
    env.close()
    env.close()


def test_ids_of_tianshou_are_integers() -> None:
    env = adapter("tianshou")
    env.reset()
    for ids in ([0.5], [True, False, True], ["0"]):
        with pytest.raises(TypeError, match="named by integers"):
            env.step(np.zeros(len(ids), np.int64), ids)
    with pytest.raises(IndexError):
        env.step([0], [2**32])  # and not 0
    assert len(env.step(np.zeros(2, np.int64), [2, 0])[0]) == 2
    env.close()
