"""Pools of different environments and on shared threads, by way of Gymnasium and of Python environments."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.vector import SyncVectorEnv
from parallel_pool import EnvSpec, OptionError, ThreadPool
from parallel_pool.views.single import SingleEnv
from test_envs.checks import refused

PENDULUM = {"g": np.linspace(1.0, 20.0, 5)}


@pytest.fixture(scope="module", autouse=True)
def _python_pendulum() -> None:
    def factory(spec: EnvSpec, options: Mapping[str, Any]) -> Any:
        return lambda: gymnasium.make("Pendulum-v1", **options)

    spec = EnvSpec("pythonic/Swing-v1", backend="python", options={"g": 10.0})
    parallel_pool.register(spec, factory=factory)


def test_environments_in_python_take_them_too() -> None:
    ours = parallel_pool.make("pythonic/Swing-v1", env_options=PENDULUM)
    theirs = SyncVectorEnv(
        [lambda g=g: gymnasium.make("Pendulum-v1", g=g) for g in PENDULUM["g"].tolist()]
    )
    assert (ours.reset(seed=0)[0] == theirs.reset(seed=0)[0]).all()
    for _ in range(10):
        action = np.full((5, 1), 0.5, np.float32)
        assert (ours.step(action)[0] == theirs.step(action)[0]).all()
    ours.close()
    theirs.close()
    ours = parallel_pool.make(["pythonic/Swing-v1"] * 2)
    assert ours.num_envs == 2
    ours.close()
    with refused(OptionError, "5 entries of env_options", "num_envs is 3"):
        parallel_pool.make("pythonic/Swing-v1", num_envs=3, env_options=PENDULUM)
    with ThreadPool(1) as threads, refused(OptionError, "Python environment", "thread_pool"):
        parallel_pool.make("pythonic/Swing-v1", thread_pool=threads)


def test_make_vec_takes_them_and_its_spec_makes_the_same_pool() -> None:
    rows = [{"drift": 0.5}, {"drift": -0.5}, {}]
    one: Any = gymnasium.make_vec("test/Walk-v0", num_envs=3, env_options=rows, drift=3.0)
    other: Any = gymnasium.make_vec(one.spec)
    assert one.spec.kwargs["env_options"] in (rows, {"drift": [0.5, -0.5, 3.0]})
    assert json.loads(json.dumps(one.spec.kwargs))["num_envs"] == 3
    third: Any = gymnasium.make_vec(pickle.loads(pickle.dumps(one.spec)))
    seen = [each.reset(seed=1)[0].tolist() for each in (one, other, third)]
    seen += [each.step([0, 1, 2])[0].tolist() for each in (one, other, third)]
    assert seen[0] == seen[1] == seen[2]
    assert seen[3] == seen[4] == seen[5]
    for each in (one, other, third):
        each.close()
    with refused(OptionError, "3 entries of env_options", "pass 3"):
        gymnasium.make_vec("test/Walk-v0", env_options=rows)


def test_the_spec_of_a_pool_has_them() -> None:
    with parallel_pool.make("test/Options-v0", size=3, env_options={"gravity": [1, 2]}) as pool:
        assert pool.spec.kwargs == {
            "task_id": "test/Options-v0",
            "size": 3,
            "num_envs": 2,
            "env_options": {"gravity": [1.0, 2.0]},
        }
        assert copy.deepcopy(pool.spec) == pool.spec
        again: Any = gymnasium.make_vec(pool.spec)
        assert again.config["env_options"] == {"gravity": [1.0, 2.0]}
        again.close()


def test_make_vec_takes_a_thread_pool_and_its_spec_forgets_it() -> None:
    with ThreadPool(2) as threads:
        env: Any = gymnasium.make_vec("test/Walk-v0", num_envs=4, thread_pool=threads)
        assert threads.num_pools == 1
        assert "thread_pool" not in pickle.loads(pickle.dumps(env.spec)).kwargs
        again: Any = gymnasium.make_vec(env.spec)
        assert threads.num_pools == 1
        again.close()
        env.close()


def test_one_time_limit_for_a_pool_of_two_versions() -> None:
    with refused(
        OptionError,
        "0 (classic/CartPole-v0) and 1 (classic/CartPole-v1)",
        "200 steps and 500 steps",
    ):
        parallel_pool.make(["CartPole-v0", "CartPole-v1"])
    with parallel_pool.make(["CartPole-v0", "CartPole-v1"], max_episode_steps=300) as pool:
        assert pool.spec.max_episode_steps == 300
        assert pool.spec.reward_threshold is None
        assert pool.spec.id == "classic/CartPole-v0"
        pool.reset()


def test_a_single_environment_is_not_several() -> None:
    with refused(OptionError, "env_options"):
        SingleEnv("test/Walk-v0", env_options=[{}])
    with parallel_pool.make("test/Walk-v0", env_options={"drift": [2.0, 3.0]}) as pool:
        single = gymnasium.make(copy.deepcopy(SingleEnv("test/Walk-v0", drift=2.0).spec))
        obs, _ = single.reset(seed=0)
        assert pool.reset(seed=0)[0][0].tolist() == obs.tolist()
        single.close()
