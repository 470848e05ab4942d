"""What libraries.py has at work: each library with each of its vector environments."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np

Chunk = Callable[[], int]
"""Does some work and gives how many environment steps that was."""
Made = tuple[Chunk, Callable[[], None]]
"""Work, how to close."""
OURS = "ParallelPool"


def actions_of(task_id: str, num_envs: int) -> Any:
    """The same ones for all libraries."""
    with gymnasium.make(task_id) as env:
        env.action_space.seed(0)
        return np.stack([env.action_space.sample() for _ in range(num_envs)])


def own(task_id: str) -> Callable[[], Any]:
    """A single environment of Gymnasium."""
    return lambda: gymnasium.make(task_id)


def repeat(step: Callable[[], Any], num_envs: int) -> Chunk:
    """Ten steps."""

    def chunk() -> int:
        for _ in range(10):
            step()
        return 10 * num_envs

    return chunk


def start_ray(num_cpus: int) -> None:
    """A cluster of our own: `ray.init` alone would join a cluster that is there already."""
    # Ray's processes give way to all others (nice 15), and do not even begin beside programs that compute.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    import ray

    ray.init(
        address="local",
        num_cpus=num_cpus,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
    )


def sb3(name: str, task_id: str, num_envs: int, policy: bool) -> Made:
    """PPO, with 128 steps of each environment per iteration."""
    from parallel_pool.integrations.sb3 import make_vec_env
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor

    envs: Any
    if name == OURS:
        envs = make_vec_env(task_id, num_envs, num_threads=2)
    elif name == "DummyVecEnv":
        envs = VecMonitor(DummyVecEnv([own(task_id)] * num_envs))
    else:
        envs = VecMonitor(SubprocVecEnv([own(task_id)] * num_envs, start_method="fork"))
    envs.reset()
    if not policy:
        actions = actions_of(task_id, num_envs)
        return repeat(lambda: envs.step(actions), num_envs), envs.close
    model = PPO("MlpPolicy", envs, n_steps=128, batch_size=256, n_epochs=4, device="cpu")

    def learn() -> int:
        model.learn(128 * num_envs, reset_num_timesteps=False)
        return 128 * num_envs

    return learn, envs.close


def tianshou(name: str, task_id: str, num_envs: int, policy: bool) -> Made:
    """Collectors with a policy of 64 units."""
    from parallel_pool.integrations.tianshou import make_vector_env
    from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, SubprocVectorEnv
    from tianshou.utils.net.common import Net
    from tianshou.utils.net.discrete import DiscreteActor
    from torch.distributions import Categorical

    envs: Any
    if name == OURS:
        envs = make_vector_env(task_id, num_envs, num_threads=2)
    elif name == "DummyVectorEnv":
        envs = DummyVectorEnv([own(task_id)] * num_envs)
    else:
        envs = SubprocVectorEnv([own(task_id)] * num_envs, share_memory=True)
    envs.reset()
    if not policy:
        actions = actions_of(task_id, num_envs)

        def step() -> None:
            _, _, terminated, truncated, _ = envs.step(actions)
            if (done := terminated | truncated).any():
                envs.reset(np.flatnonzero(done))

        return repeat(step, num_envs), envs.close
    single = gymnasium.make(task_id)
    net = Net(state_shape=single.observation_space.shape, hidden_sizes=(64,))
    actor = ProbabilisticActorPolicy(
        actor=DiscreteActor(preprocess_net=net, action_shape=single.action_space.n),
        dist_fn=Categorical,
        action_space=single.action_space,
        action_scaling=False,
        action_bound_method=None,
    )
    collector = Collector(actor, envs, VectorReplayBuffer(100 * num_envs, num_envs))
    collector.reset()
    return lambda: int(collector.collect(n_step=50 * num_envs).n_collected_steps), envs.close


def torchrl(name: str, task_id: str, num_envs: int, policy: bool) -> Made:
    """`step_and_maybe_reset`, with and without a network of 64 units."""
    import parallel_pool
    import torch
    from parallel_pool.integrations.torchrl import make_env
    from torchrl.envs import GymEnv, GymWrapper, ParallelEnv

    env: Any
    if name == OURS:
        env = make_env(task_id, num_envs, num_threads=2)
    elif name == "ParallelPool in GymWrapper":
        options: dict[str, Any] = {"autoreset_mode": "Disabled", "infos": "minimal"}
        env = GymWrapper(parallel_pool.make(task_id, num_envs=num_envs, num_threads=2, **options))
    else:
        env = ParallelEnv(num_envs, lambda: GymEnv(task_id), mp_start_method="fork")
    fixed = env.action_spec.rand()
    size = env.observation_spec["observation"].shape[-1]
    net = torch.nn.Sequential(torch.nn.Linear(size, 64), torch.nn.Tanh(), torch.nn.Linear(64, 2))
    data = env.reset()

    @torch.no_grad()
    def step() -> None:
        nonlocal data
        action = fixed
        if policy:
            logits = net(data["observation"])
            drawn = torch.distributions.OneHotCategorical(logits=logits).sample()
            action = drawn.to(fixed.dtype)
        data["action"] = action
        _, data = env.step_and_maybe_reset(data)

    return repeat(step, num_envs), env.close


def rllib(name: str, task_id: str, num_envs: int, policy: bool) -> Made:
    """An environment runner in this process; alone: its vector environment, infos as lists included."""
    import parallel_pool
    import ray
    from gymnasium.wrappers.vector import DictInfoToList
    from parallel_pool.integrations.rllib import register_env
    from ray.rllib.algorithms.ppo import PPOConfig

    if not policy:
        made: Any
        if name == OURS:
            made = parallel_pool.make(task_id, num_envs=num_envs, num_threads=2, infos="minimal")
        else:
            made = gymnasium.make_vec(task_id, num_envs, vectorization_mode=name)
        envs = DictInfoToList(made)
        envs.reset()
        actions = actions_of(task_id, num_envs)
        return repeat(lambda: envs.step(actions), num_envs), envs.close
    start_ray(num_cpus=2)
    env, mode = task_id, name
    if name == OURS:
        env, mode = register_env(task_id, name="pool", num_threads=2), "vector_entry_point"
    algorithm = (
        PPOConfig()
        .environment(env)
        .env_runners(
            num_env_runners=0, num_envs_per_env_runner=num_envs, gym_env_vectorize_mode=mode
        )
        .build_algo()
    )

    def sample() -> int:
        algorithm.env_runner.sample(num_timesteps=50 * num_envs)
        return 50 * num_envs

    return sample, ray.shutdown


def rl_games(name: str, task_id: str, num_envs: int, policy: bool) -> Made:
    """Its vector environment, beside the one of its own that steps an environment per Ray actor."""
    actions = actions_of(task_id, num_envs)
    envs: Any
    if name == OURS:
        from parallel_pool.integrations.rl_games import make_vec_env

        envs = make_vec_env(task_id, num_envs, num_threads=2)
        envs.reset()
        return repeat(lambda: envs.step(actions), num_envs), envs.close
    import ray
    from rl_games.common.vecenv import RayVecEnv

    start_ray(num_cpus=num_envs)
    # Actors know what rl_games itself has registered, not what this process has.
    envs = RayVecEnv("openai_gym", num_envs, name=task_id)
    envs.reset()
    return repeat(lambda: envs.step(actions), num_envs), ray.shutdown


LIBRARIES: dict[str, tuple[Callable[..., Made], Sequence[str]]] = {
    "sb3": (sb3, (OURS, "DummyVecEnv", "SubprocVecEnv")),
    "tianshou": (tianshou, (OURS, "DummyVectorEnv", "SubprocVectorEnv")),
    "torchrl": (torchrl, (OURS, "ParallelPool in GymWrapper", "ParallelEnv")),
    "rllib": (rllib, (OURS, "sync", "async")),
    "rl_games": (rl_games, (OURS, "RayVecEnv")),
}
