"""A user's program: what it gets from `make` is known to a type checker, and nothing is Unknown to it."""

from __future__ import annotations

from typing import Any, assert_type

import gymnasium
import numpy as np
import numpy.typing as npt
import parallel_pool
import parallel_pool.envpool as envpool
from parallel_pool import EnvSpec, OptionError, RunningStatistics, SingleEnv, ThreadPool
from parallel_pool.views.dm import DmPool
from parallel_pool.views.gym import GymPool
from parallel_pool.views.gymnasium import GymnasiumPool
from parallel_pool_learning import BatchLog, RolloutBuffer


def collect(steps: int) -> float:
    """Steps a pool of the default view."""
    envs = parallel_pool.make("CartPole-v1", num_envs=4, seed=[1, 2, 3, 4])
    assert_type(envs, GymnasiumPool)
    vector: gymnasium.vector.VectorEnv[Any, Any, Any] = envs
    total = 0.0
    with envs:
        observations, info = envs.reset(seed=1)
        for _ in range(steps):
            observations, rewards, terminated, truncated, info = envs.step(
                vector.action_space.sample()
            )
            total += float(np.sum(rewards))
            del terminated, truncated
        assert_type(info, dict[str, Any])
        states = envs.get_state()
        assert_type(states, list[bytes])
        envs.set_state(None, states)
        assert_type(envs.config, dict[str, Any])
        assert_type(envs.all_env_ids, npt.NDArray[np.int32])
        assert_type(envs.obs_statistics, Any)
        assert_type(envs.reward_statistics, RunningStatistics | None)
        del observations
    return total


def views(env_type: str) -> None:
    """Each view has its own type."""
    assert_type(parallel_pool.make("CartPole-v1", "gymnasium"), GymnasiumPool)
    assert_type(parallel_pool.make("CartPole-v1", env_type="gym"), GymPool)
    assert_type(parallel_pool.make(["Pong-v5", "Breakout-v5"], env_type="dm"), DmPool)
    assert_type(parallel_pool.make("CartPole-v1", env_type=env_type), Any)
    assert_type(parallel_pool.make_gymnasium("CartPole-v1"), GymnasiumPool)
    assert_type(parallel_pool.make_gym("CartPole-v1"), GymPool)
    assert_type(parallel_pool.make_dm("CartPole-v1"), DmPool)
    print(parallel_pool.make_dm("CartPole-v1").reset().observation)


def options() -> None:
    """Options of environments are known; those that come from elsewhere are passed as a dict."""
    parallel_pool.make("Pong-v5", num_envs=2, frame_skip=2, mode=1, reward_clip=True)
    parallel_pool.make_gym(
        "Ant-v5", healthy_z_range=(0.2, 1.0), model_overrides={"geom_friction": 1}
    )
    parallel_pool.make("cheetah-run-v1", "dm", task_kwargs={"random": 1}, obs_dtype="float32")
    parallel_pool.make(
        "D1Basic-v1", reward_config={"DAMAGECOUNT": [1.0, 0.0]}, screen_format="RGB24"
    )
    theirs: dict[str, Any] = {"gravity_of_mars": 3.7}
    assert_type(parallel_pool.make_gymnasium("mine/Walk-v0", num_envs=2, **theirs), GymnasiumPool)


def others() -> list[str]:
    """What else is public."""
    with ThreadPool(2) as threads:
        envs = parallel_pool.make("CartPole-v1", num_envs=8, batch_size=2, thread_pool=threads)
        envs.async_reset()
        log = BatchLog()
        *_, info = log.note(envs.recv(timeout=1.0))
        envs.send(np.zeros(2, np.int64), info["env_id"])
        envs.close()
    buffer = RolloutBuffer(parallel_pool.make("CartPole-v1", num_envs=2), 16)
    del buffer
    single: gymnasium.Env[Any, Any] = SingleEnv("CartPole-v1")
    single.close()
    spec = EnvSpec("mine/Walk-v0", summary="a walk")
    assert_type(spec.id, str)
    try:
        parallel_pool.make("CartPole-v1", num_envs=0)
    except OptionError as error:
        print(error)
    return parallel_pool.list_all_envs()


def other_views() -> None:
    """What steps give in the other views, and EnvPool's interface."""
    gym = parallel_pool.make_gym("CartPole-v1", num_envs=2)
    first = gym.reset()
    obs, reward, terminated, truncated, info = gym.step(np.zeros(2, np.int64))
    dm = parallel_pool.make_dm("CartPole-v1", num_envs=2)
    timestep = dm.step(np.zeros(2, np.int64))
    print(first, obs, reward, terminated, truncated, info, timestep.reward, len(dm), gym.is_async)
    spec = parallel_pool.make_spec("CartPole-v1")
    print(spec.observation_space, spec.action_space, spec.config)
    print(envpool.make("CartPole-v1", env_type="gymnasium", num_envs=2))
