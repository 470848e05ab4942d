"""Tianshou 2: a pool beside its DummyVectorEnv, collectors, and an experiment of its high-level interface."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.libraries import needed

needed("tianshou")

import torch  # noqa: E402
from parallel_pool_learning.tianshou import (  # noqa: E402
    ParallelPoolEnvFactory,
    make_vector_env,
)
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy  # noqa: E402
from tianshou.data import Batch, Collector, VectorReplayBuffer  # noqa: E402
from tianshou.env import BaseVectorEnv, DummyVectorEnv, VectorEnvNormObs  # noqa: E402
from tianshou.highlevel.config import OnPolicyTrainingConfig  # noqa: E402
from tianshou.highlevel.experiment import ExperimentConfig, PPOExperimentBuilder  # noqa: E402
from tianshou.utils.net.common import Net  # noqa: E402
from tianshou.utils.net.discrete import DiscreteActor  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def dummy(task_id: str, num_envs: int, **options: Any) -> Any:
    return DummyVectorEnv([lambda: gymnasium.make(task_id, **options)] * num_envs)


def policy() -> Any:
    torch.manual_seed(0)
    net = Net(state_shape=(4,), hidden_sizes=(16,))
    return ProbabilisticActorPolicy(
        actor=DiscreteActor(preprocess_net=net, action_shape=2, softmax_output=False),
        dist_fn=lambda logits: torch.distributions.Categorical(logits=logits),
        action_space=gymnasium.spaces.Discrete(2),
        action_scaling=False,
        action_bound_method=None,
    )


def test_steps_and_resets_of_some_are_those_of_dummy_vector_env() -> None:
    ours = make_vector_env("CartPole-v1", 4, max_episode_steps=15)
    theirs = dummy("CartPole-v1", 4, max_episode_steps=15)
    assert isinstance(ours, BaseVectorEnv)
    for envs in (ours, theirs):
        envs.seed(5)
    rng = np.random.default_rng(0)
    live = np.arange(4)
    obs = [envs.reset()[0] for envs in (ours, theirs)]
    assert np.array_equal(*obs)
    for _ in range(100):
        live = rng.permutation(4)[: rng.integers(1, 5)]
        actions = rng.integers(0, 2, len(live))
        mine, other = ours.step(actions, live), theirs.step(actions, live)
        for first, second in zip(mine[:4], other[:4], strict=True):
            assert np.array_equal(first, second)
        assert [info["env_id"] for info in mine[4]] == live.tolist()
        done = live[mine[2] | mine[3]]
        if len(done):
            assert np.array_equal(ours.reset(done)[0], theirs.reset(done)[0])


def test_collectors_fill_the_same_buffer() -> None:
    buffers = []
    for envs in (make_vector_env("CartPole-v1", 4), dummy("CartPole-v1", 4)):
        envs.seed([3, 1, 4, 1])
        buffer = VectorReplayBuffer(4000, 4)
        collector = Collector(policy(), envs, buffer)
        collector.reset()
        collector.collect(n_step=200, random=True)
        torch.manual_seed(1)
        stats = collector.collect(n_episode=7)
        assert stats.n_collected_episodes == 7
        buffers.append(buffer)
    for name in ("obs", "act", "rew", "terminated", "truncated", "obs_next"):
        assert np.array_equal(buffers[0][:].__dict__[name], buffers[1][:].__dict__[name]), name


def test_its_wrappers_see_the_same() -> None:
    wrapped = []
    for envs in (make_vector_env("Pendulum-v1", 3), dummy("Pendulum-v1", 3)):
        envs.seed(2)
        normed = VectorEnvNormObs(envs)
        normed.reset()
        for _ in range(20):
            normed.step(np.zeros((3, 1), np.float32))
        wrapped.append(normed.get_obs_rms())
    assert np.allclose(wrapped[0].mean, wrapped[1].mean)
    assert np.allclose(wrapped[0].var, wrapped[1].var)


def test_infos_are_given_on_demand() -> None:
    without, whole = make_vector_env("Taxi-v4", 2), make_vector_env("Taxi-v4", 2, env_infos=True)
    assert without.reset()[1].tolist() == [{"env_id": 0}, {"env_id": 1}]
    _, infos = whole.reset([1])
    assert infos[0]["env_id"] == 1
    assert infos[0]["action_mask"].shape == (6,)


def test_observations_that_are_dicts_come_as_a_batch() -> None:
    envs = make_vector_env("dmc/cartpole-balance-v1", 3)
    obs, _ = envs.reset()
    assert isinstance(obs, Batch)
    assert len(obs) == 3
    envs.reset([1])
    after, *_ = envs.step(np.zeros((2, 1)), [2, 0])
    assert after.position.shape == (2, 3)


def test_attributes_pictures_and_closing() -> None:
    envs = make_vector_env("CartPole-v1", 2, render_mode="rgb_array")
    envs.reset()
    assert [space.n for space in envs.action_space] == [2, 2]
    assert envs.action_space[0] is not envs.action_space[1]
    assert [space.shape for space in envs.observation_space] == [(4,), (4,)]
    assert [frame.shape for frame in envs.render()] == [(400, 600, 3)] * 2
    assert len(envs) == 2
    assert envs.get_env_attr("sutton_barto_reward", 1) == [False]
    with refused(parallel_pool.NotOfferedError, "CartPole"):
        envs.set_env_attr("gravity", 3.0)
    envs.close()
    envs.close()
    assert make_vector_env("CartPole-v1", 1).render() == [None]


def test_the_experiment_decides() -> None:
    with refused(parallel_pool.OptionError, "the experiment decides num_envs"):
        ParallelPoolEnvFactory("CartPole-v1", num_envs=8)


def test_an_experiment_trains(tmp_path: Path) -> None:
    factory = ParallelPoolEnvFactory("CartPole-v1", test_options={"max_episode_steps": 50})
    experiment = (
        PPOExperimentBuilder(
            factory,
            ExperimentConfig(persistence_base_dir=str(tmp_path), watch=False, device="cpu"),
            OnPolicyTrainingConfig(
                max_epochs=1,
                epoch_num_steps=1000,
                num_training_envs=8,
                num_test_envs=4,
                buffer_size=2048,
                batch_size=128,
                collection_step_num_env_steps=512,
                update_step_num_repetitions=4,
            ),
        )
        .with_actor_factory_default(hidden_sizes=(32, 32))
        .with_critic_factory_default(hidden_sizes=(32, 32))
        .build()
    )
    result = experiment.run()
    assert result.trainer_result.update_step > 0
    assert 0 < result.trainer_result.best_reward <= 50
