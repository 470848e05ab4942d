"""TorchRL: a pool as EnvBase beside its GymWrapper, and the pool in its wrappers as it is."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from test_envs.libraries import needed, training

needed("torchrl", "torchrl.collectors", "torchrl.objectives")

import torch  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from parallel_pool_learning.torchrl import make_env  # noqa: E402
from tensordict.nn import TensorDictModule  # noqa: E402
from torchrl.collectors import Collector  # noqa: E402
from torchrl.envs import (  # noqa: E402
    EnvBase,
    GymEnv,
    GymWrapper,
    RewardSum,
    StepCounter,
    TransformedEnv,
)
from torchrl.envs.utils import check_env_specs  # noqa: E402
from torchrl.modules import OneHotCategorical, ProbabilisticActor, ValueOperator  # noqa: E402
from torchrl.objectives import ClipPPOLoss  # noqa: E402
from torchrl.objectives.value import GAE  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def gym_wrapper(task_id: str, num_envs: int, **options: Any) -> Any:
    made = [lambda: gymnasium.make(task_id, **options)] * num_envs
    return GymWrapper(SyncVectorEnv(made, autoreset_mode=AutoresetMode.DISABLED))


@pytest.mark.parametrize(
    "task_id", ["CartPole-v1", "Pendulum-v1", "FrozenLake-v1", "Pong-v5", "dmc/cartpole-balance-v1"]
)
@pytest.mark.parametrize("categorical", [False, True])
def test_specs_are_kept(task_id: str, categorical: bool) -> None:
    with_specs = make_env(task_id, 3, categorical_action_encoding=categorical)
    assert isinstance(with_specs, EnvBase)
    check_env_specs(with_specs)
    with_specs.close()


@pytest.mark.parametrize("task_id", ["CartPole-v1", "Pendulum-v1"])
def test_rollouts_are_those_of_gym_wrapper(task_id: str) -> None:
    rollouts = []
    for env in (
        make_env(task_id, 4, max_episode_steps=15),
        gym_wrapper(task_id, 4, max_episode_steps=15),
    ):
        env.set_seed(7)
        torch.manual_seed(0)
        rollouts.append(env.rollout(60, break_when_any_done=False))
    ours, theirs = rollouts
    assert bool(ours["next", "done"].any())
    for name in ("observation", "action", "done", "terminated", "truncated"):
        assert torch.equal(ours[name], theirs[name]), name
    for name in ("observation", "reward", "done", "terminated", "truncated"):
        assert torch.equal(ours["next", name], theirs["next", name]), name
        assert ours["next", name].dtype == theirs["next", name].dtype, name


def test_a_rollout_until_all_are_done_steps_the_others_only() -> None:
    env = make_env("CartPole-v1", 4)
    env.set_seed(1)
    rollout = env.rollout(200, break_when_any_done=False, break_when_all_done=True)
    done = rollout["next", "done"][..., 0]
    assert bool(done[:, -1].all())
    first = done.int().argmax(1)
    assert len(set(first.tolist())) > 1
    still = rollout["next", "observation"][0, first[0] :]
    assert bool((still == still[0]).all())


def test_transforms_go_on_over_ends() -> None:
    env = TransformedEnv(make_env("CartPole-v1", 3, max_episode_steps=10))
    env.append_transform(StepCounter())
    env.append_transform(RewardSum())
    rollout = env.rollout(50, break_when_any_done=False)
    assert int(rollout["next", "step_count"].max()) == 10
    assert torch.equal(
        rollout["next", "step_count"].float(), rollout["next", "episode_reward"].float()
    )


def test_observations_share_the_pools_memory() -> None:
    env = make_env("Pong-v5", 2)
    env.reset()
    seen = []
    step = env.pool.step
    env.pool.step = lambda *given: seen.append(step(*given)) or seen[-1]
    result = env.rand_step()
    assert np.shares_memory(seen[0][0], result["next", "observation"].numpy())


def test_a_pool_goes_into_gym_wrapper() -> None:
    for mode in ("Disabled", "SameStep"):
        pool = parallel_pool.make("CartPole-v1", num_envs=3, autoreset_mode=mode)
        env = GymWrapper(pool)
        env.set_seed(1)
        assert env.rollout(40, break_when_any_done=False).shape == (3, 40)


def test_gym_env_makes_one_by_its_id() -> None:
    env = GymEnv("parallel_pool.gymnasium:ParallelPool/CartPole-v1")
    assert env.rollout(5).shape[0] <= 5
    env.close()
    skipping = GymEnv("parallel_pool.gymnasium:ParallelPool/CartPole-v1", frame_skip=2)
    skipping.rollout(3)


def test_ppo_trains_from_its_collector() -> None:
    torch.manual_seed(0)
    env = make_env("CartPole-v1", 8, seed=0)
    net = TensorDictModule(
        torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2)),
        in_keys=["observation"],
        out_keys=["logits"],
    )
    actor = ProbabilisticActor(
        net, in_keys=["logits"], distribution_class=OneHotCategorical, return_log_prob=True
    )
    critic = ValueOperator(torch.nn.Linear(4, 1), in_keys=["observation"])
    loss = ClipPPOLoss(actor, critic)
    advantage = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
    optimiser = torch.optim.Adam(loss.parameters(), 1e-3)
    collector = Collector(env, actor, frames_per_batch=256, total_frames=512)
    with training(actor):
        for batch in collector:
            assert batch.shape == (8, 32)
            advantage(batch)
            losses = loss(batch.reshape(-1))
            total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
            optimiser.zero_grad()
            total.backward()
            optimiser.step()
    collector.shutdown()
