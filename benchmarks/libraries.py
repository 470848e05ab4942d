"""Each library on the pool and on its own vector environments: environments alone, and with a policy.

uv run --isolated --group libraries python benchmarks/libraries.py [--envs 8] [--ids CartPole-v1] [--only sb3]

Environments alone: what the library calls for a step, with fixed actions. With a policy: Stable-Baselines3
trains (PPO); Tianshou, TorchRL and RLlib collect with a small network. One run, the cases take turns.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import gymnasium
import numpy as np

Chunk = Callable[[], int]
"""Does some work and gives how many environment steps that was."""
Case = tuple[str, Chunk, Callable[[], None]]
"""Name, work, how to close."""


def actions_of(task_id: str, num_envs: int) -> Any:
    """The same ones for everybody."""
    with gymnasium.make(task_id) as env:
        env.action_space.seed(0)
        return np.stack([env.action_space.sample() for _ in range(num_envs)])


def own(task_id: str) -> Callable[[], Any]:
    """A single environment of Gymnasium."""
    return lambda: gymnasium.make(task_id)


def sb3(task_id: str, num_envs: int, policy: bool) -> Iterator[Case]:
    """PPO, with 128 steps of each environment per iteration."""
    from parallel_pool.integrations.sb3 import make_vec_env
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor

    actions = actions_of(task_id, num_envs)
    for name, envs in (
        ("ParallelPool", make_vec_env(task_id, num_envs, num_threads=2)),
        ("DummyVecEnv", VecMonitor(DummyVecEnv([own(task_id)] * num_envs))),
        (
            "SubprocVecEnv",
            VecMonitor(SubprocVecEnv([own(task_id)] * num_envs, start_method="fork")),
        ),
    ):
        envs.reset()
        if not policy:
            yield name, repeat(lambda envs=envs: envs.step(actions), num_envs), envs.close
            continue
        model = PPO("MlpPolicy", envs, n_steps=128, batch_size=256, n_epochs=4, device="cpu")

        def learn(model: Any = model) -> int:
            model.learn(128 * num_envs, reset_num_timesteps=False)
            return 128 * num_envs

        yield name, learn, envs.close


def tianshou(task_id: str, num_envs: int, policy: bool) -> Iterator[Case]:
    """Collectors with a policy of 64 units."""
    from parallel_pool.integrations.tianshou import make_vector_env
    from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, SubprocVectorEnv
    from tianshou.utils.net.common import Net
    from tianshou.utils.net.discrete import DiscreteActor
    from torch.distributions import Categorical

    actions = actions_of(task_id, num_envs)
    for name, envs in (
        ("ParallelPool", make_vector_env(task_id, num_envs, num_threads=2)),
        ("DummyVectorEnv", DummyVectorEnv([own(task_id)] * num_envs)),
        ("SubprocVectorEnv", SubprocVectorEnv([own(task_id)] * num_envs, share_memory=True)),
    ):
        envs.reset()
        if not policy:

            def step(envs: Any = envs) -> None:
                _, _, terminated, truncated, _ = envs.step(actions)
                if (done := terminated | truncated).any():
                    envs.reset(np.flatnonzero(done))

            yield name, repeat(step, num_envs), envs.close
            continue
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

        def collect(collector: Any = collector) -> int:
            return int(collector.collect(n_step=50 * num_envs).n_collected_steps)

        yield name, collect, envs.close


def torchrl(task_id: str, num_envs: int, policy: bool) -> Iterator[Case]:
    """`step_and_maybe_reset`, with and without a network of 64 units."""
    import parallel_pool
    import torch
    from parallel_pool.integrations.torchrl import make_env
    from torchrl.envs import GymEnv, GymWrapper, ParallelEnv

    pool = parallel_pool.make(
        task_id, num_envs=num_envs, autoreset_mode="Disabled", num_threads=2, infos="minimal"
    )
    for name, env in (
        ("ParallelPool", make_env(task_id, num_envs, num_threads=2)),
        ("ParallelPool in GymWrapper", GymWrapper(pool)),
        ("ParallelEnv", ParallelEnv(num_envs, lambda: GymEnv(task_id), mp_start_method="fork")),
    ):
        fixed = env.action_spec.rand()
        size = env.observation_spec["observation"].shape[-1]
        net = torch.nn.Sequential(
            torch.nn.Linear(size, 64), torch.nn.Tanh(), torch.nn.Linear(64, 2)
        )
        state = [env.reset()]

        def step(env: Any = env, state: Any = state, fixed: Any = fixed, net: Any = net) -> None:
            data = state[0]
            if policy:
                logits = net(data["observation"])
                drawn = torch.distributions.OneHotCategorical(logits=logits).sample()
                fixed = drawn.to(fixed.dtype)
            data["action"] = fixed
            _, state[0] = env.step_and_maybe_reset(data)

        def whole(step: Any = step) -> None:
            with torch.no_grad():
                step()

        yield name, repeat(whole, num_envs), env.close


def rllib(task_id: str, num_envs: int, policy: bool) -> Iterator[Case]:
    """An environment runner in this process; alone: its vector environment, infos as lists included."""
    import ray
    from gymnasium.wrappers.vector import DictInfoToList
    from parallel_pool.integrations.rllib import register_env
    from ray.rllib.algorithms.ppo import PPOConfig

    actions = actions_of(task_id, num_envs)
    name = register_env(task_id, name="pool", num_threads=2)
    if policy:
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    for title, env, mode in (
        ("ParallelPool", name, "vector_entry_point"),
        ("sync", task_id, "sync"),
        ("async", task_id, "async"),
    ):
        if not policy:
            if mode == "vector_entry_point":
                import parallel_pool

                made: Any = parallel_pool.make(
                    task_id, num_envs=num_envs, num_threads=2, infos="minimal"
                )
            else:
                made = gymnasium.make_vec(task_id, num_envs, vectorization_mode=mode)
            envs = DictInfoToList(made)
            envs.reset()
            yield title, repeat(lambda envs=envs: envs.step(actions), num_envs), envs.close
            continue
        algorithm = (
            PPOConfig()
            .environment(env)
            .env_runners(
                num_env_runners=0, num_envs_per_env_runner=num_envs, gym_env_vectorize_mode=mode
            )
            .build_algo()
        )

        def sample(runner: Any = algorithm.env_runner) -> int:
            runner.sample(num_timesteps=50 * num_envs)
            return 50 * num_envs

        yield title, sample, algorithm.stop
    if policy:
        ray.shutdown()


def rl_games(task_id: str, num_envs: int, policy: bool) -> Iterator[Case]:
    """Its vector environment, beside the one of its own that steps an environment per Ray actor."""
    import ray
    from parallel_pool.integrations.rl_games import make_vec_env
    from rl_games.common import env_configurations
    from rl_games.common.vecenv import RayVecEnv

    actions = actions_of(task_id, num_envs)
    envs = make_vec_env(task_id, num_envs, num_threads=2)
    envs.reset()
    yield "ParallelPool", repeat(lambda: envs.step(actions), num_envs), envs.close
    env_configurations.register(
        "own", {"vecenv_type": "RAY", "env_creator": lambda **_: gymnasium.make(task_id)}
    )
    ray.init(num_cpus=num_envs, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    actors = RayVecEnv("own", num_envs)
    actors.reset()
    yield "RayVecEnv", repeat(lambda: actors.step(actions), num_envs), ray.shutdown


def repeat(step: Callable[[], Any], num_envs: int) -> Chunk:
    """Ten steps."""

    def chunk() -> int:
        for _ in range(10):
            step()
        return 10 * num_envs

    return chunk


LIBRARIES = {
    "sb3": sb3,
    "tianshou": tianshou,
    "torchrl": torchrl,
    "rllib": rllib,
    "rl_games": rl_games,
}


def measure(cases: list[Case], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Environment steps per second of each case in each round."""
    rates: dict[str, list[float]] = {name: [] for name, *_ in cases}
    for _, chunk, _ in cases:
        chunk()
    for _ in range(rounds):
        for name, chunk, _ in cases:
            steps, begin = 0, time.perf_counter()
            while (passed := time.perf_counter() - begin) < seconds:
                steps += chunk()
            rates[name].append(steps / passed)
    return rates


def main() -> None:
    """Prints a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=int, default=8)
    parser.add_argument("--ids", nargs="+", default=["CartPole-v1"])
    parser.add_argument("--only", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--slice", type=float, default=0.4)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    import torch

    torch.set_num_threads(1)
    print("| library | what | environments | steps/s | ParallelPool is |\n|---|---|---|--:|--:|")
    for library in arguments.only:
        for task_id in arguments.ids:
            for policy in (False, True):
                if policy and (task_id != "CartPole-v1" or library == "rl_games"):
                    continue
                cases = list(LIBRARIES[library](task_id, arguments.envs, policy))
                rates = measure(cases, arguments.rounds, arguments.slice)
                for _, _, close in cases:
                    close()
                ours = rates["ParallelPool"]
                what = f"{task_id}, {'with a policy' if policy else 'alone'}"
                for name, each in rates.items():
                    ratio = median(a / b for a, b in zip(ours, each, strict=True))
                    times = "" if name == "ParallelPool" else f"{ratio:.1f} x"
                    print(
                        f"| {library} | {what} | {name} | {median(each):,.0f} | {times} |",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
