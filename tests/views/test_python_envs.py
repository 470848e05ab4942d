"""Environments written in Python run in Gymnasium's vector environment."""

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest


@pytest.fixture(scope="module")
def task_id() -> str:
    def factory(
        spec: parallel_pool.EnvSpec, options: Mapping[str, Any]
    ) -> Callable[[], gymnasium.Env[Any, Any]]:
        return lambda: gymnasium.make("CartPole-v1", **options)

    spec = parallel_pool.EnvSpec("python/SlowPole-v1", backend="python")
    parallel_pool.register(spec, factory=factory)
    return spec.id


def test_make_gives_a_vector_environment(task_id: str) -> None:
    envs = parallel_pool.make(
        task_id, num_envs=3, autoreset_mode="SameStep", sutton_barto_reward=True
    )
    assert isinstance(envs, gymnasium.vector.SyncVectorEnv)
    assert envs.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    obs, _ = envs.reset(seed=0)
    assert obs.shape == (3, 4)
    assert (envs.step(np.zeros(3, int))[1] == 0).all()
    envs.close()


def test_what_only_a_native_pool_can_do_is_refused(task_id: str) -> None:
    with pytest.raises(parallel_pool.OptionError, match="it has no batch_size"):
        parallel_pool.make(task_id, num_envs=3, batch_size=2)
    with pytest.raises(parallel_pool.OptionError, match="is a Python environment"):
        parallel_pool.make(task_id, env_type="gym")
