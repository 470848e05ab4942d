"""Pools of different environments and on shared threads, by way of Gymnasium."""

import copy
import pickle
from typing import Any

import gymnasium
import parallel_pool
import parallel_pool.gymnasium  # enters the ids that make_vec is asked for
from parallel_pool import OptionError, ThreadPool
from parallel_pool.views.single import SingleEnv
from test_envs.checks import refused


def test_environments_in_python_say_what_they_cannot_have() -> None:
    """Options and ids that differ: tests/views/python_envs/test_making.py."""
    with refused(OptionError, "5 entries of env_options", "num_envs is 3"):
        parallel_pool.make("gym:Pendulum-v1", num_envs=3, env_options={"g": [1, 2, 3, 4, 5]})
    with ThreadPool(1) as threads, refused(OptionError, "Python environment", "thread_pool"):
        parallel_pool.make("gym:Pendulum-v1", thread_pool=threads)


def test_make_vec_takes_a_thread_pool_and_its_spec_forgets_it() -> None:
    with ThreadPool(2) as threads:
        env: Any = gymnasium.make_vec("test/Walk-v0", num_envs=4, thread_pool=threads)
        assert threads.num_pools == 1
        assert "thread_pool" not in pickle.loads(pickle.dumps(env.spec)).kwargs
        again: Any = gymnasium.make_vec(env.spec)
        assert threads.num_pools == 1
        again.close()
        env.close()


def test_a_single_environment_is_not_several() -> None:
    with refused(OptionError, "env_options"):
        SingleEnv("test/Walk-v0", env_options=[{}])
    with parallel_pool.make("test/Walk-v0", env_options={"drift": [2.0, 3.0]}) as pool:
        single = gymnasium.make(copy.deepcopy(SingleEnv("test/Walk-v0", drift=2.0).spec))
        obs, _ = single.reset(seed=0)
        assert pool.reset(seed=0)[0][0].tolist() == obs.tolist()
        single.close()
