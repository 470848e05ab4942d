"""One training with the environment layer changed: steps per second, share of time in environments.

uv run --group bench --group training --with stable-baselines3 python benchmarks/end_to_end.py

Trains with the scripts of examples/training and their settings, all environment layers in turn in one
process. What is timed is everything: environments, network, learning. The other layers are Gymnasium's
AsyncVectorEnv and SyncVectorEnv, SB3's SubprocVecEnv, EnvPool and ale-py's AtariVectorEnv, each with
the same number of environments and the same preprocessing. Speed only: SB3's SAME_STEP autoreset is
passed on as it is, so what is learnt there is a little wrong.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "training"))

import gymnasium
import numpy as np
import ppo_continuous
import ppo_discrete
import psutil
import torch
from baselines import _atari_of_gymnasium, quiet_ale
from harness import environment, print_environment, say, store, stored, table, timed_arguments

DISCRETE, CONTINUOUS = (module.CONFIGS for module in (ppo_discrete, ppo_continuous))
PONG = replace(DISCRETE["pong"], actions=())
FULL_SIZE = {"img_height": 84, "img_width": 84}

ROWS: dict[str, Any] = {
    "CartPole-v1": DISCRETE["cartpole"],
    "Pong-v5, 42 x 42": PONG,
    "Pong-v5, 84 x 84": replace(PONG, env_options=FULL_SIZE),
    "Breakout-v5, 84 x 84": replace(PONG, env="Breakout-v5", env_options=FULL_SIZE),
    "HalfCheetah-v5": CONTINUOUS["halfcheetah"],
    "Ant-v5": CONTINUOUS["ant"],
}


class Envs:
    """What the scripts use of a vector environment."""

    def __init__(self, envs: Any, observation_space: Any, action_space: Any) -> None:
        self.envs = envs
        self.single_observation_space, self.single_action_space = observation_space, action_space

    def reset(self, seed: int) -> tuple[Any, Any]:
        return self.envs.reset(seed=seed)

    def step(self, action: np.ndarray) -> Any:
        return self.envs.step(action)

    def close(self) -> None:
        self.envs.close()


class EnvPools(Envs):
    """EnvPool is seeded when it is made, takes int32 and steps out of bounds unless told."""

    def reset(self, seed: int) -> tuple[Any, Any]:
        return self.envs.reset()

    def step(self, action: np.ndarray) -> Any:
        return self.envs.step(action.astype(np.int32) if action.dtype == np.int64 else action)


class StableBaselines(Envs):
    """SubprocVecEnv has one flag for both ends."""

    def reset(self, seed: int) -> tuple[Any, Any]:
        self.envs.seed(seed)
        return self.envs.reset(), {}

    def step(self, action: np.ndarray) -> Any:
        obs, reward, done, infos = self.envs.step(action)
        truncated = np.array([info["TimeLimit.truncated"] for info in infos])
        return obs, reward, done & ~truncated, truncated, {}


def single(config: Any) -> gymnasium.Env[Any, Any]:
    """One environment of Gymnasium's, with the same preprocessing."""
    if not config.env_options:
        return gymnasium.make(config.env)
    game = config.env.removesuffix("-v5").lower()
    return _atari_of_gymnasium({"game": game, **config.env_options})


def gymnasium_envs(config: Any, kind: Callable[..., Any]) -> Any:
    return kind([partial(single, config)] * config.num_envs)


def stable_baselines(config: Any) -> Any:
    from stable_baselines3.common.vec_env import SubprocVecEnv

    envs = SubprocVecEnv([partial(single, config)] * config.num_envs, start_method="fork")
    return StableBaselines(envs, envs.observation_space, envs.action_space)


def ale(config: Any) -> Any:
    from ale_py.vector_env import AtariVectorEnv

    if not config.env_options:
        return None
    quiet_ale()
    game = config.env.removesuffix("-v5").lower()
    return AtariVectorEnv(game, num_envs=config.num_envs, use_fire_reset=True, **config.env_options)


def envpool(config: Any) -> Any:
    import envpool

    envs = envpool.make(
        config.env, env_type="gymnasium", num_envs=config.num_envs, seed=1, **config.env_options
    )
    return EnvPools(envs, envs.observation_space, envs.action_space)


def parallel_pool(config: Any) -> Any:
    module = ppo_continuous if config.env in ("HalfCheetah-v5", "Ant-v5") else ppo_discrete
    return module.make_envs(config, config.num_envs)


# Those that fork come first, before any pool has threads.
LAYERS: dict[str, Callable[[Any], Any]] = {
    "SB3 SubprocVecEnv": stable_baselines,
    "Gymnasium AsyncVectorEnv": partial(gymnasium_envs, kind=gymnasium.vector.AsyncVectorEnv),
    "Gymnasium SyncVectorEnv": partial(gymnasium_envs, kind=gymnasium.vector.SyncVectorEnv),
    "ale-py AtariVectorEnv": ale,
    "EnvPool": envpool,
    "ParallelPool": parallel_pool,
}


def cpu_seconds() -> float:
    """Of this process and of the worker processes that layers have. Those that are not at work use none."""
    workers = psutil.Process().children(recursive=True)
    times = [worker.cpu_times() for worker in workers]
    return time.process_time() + sum(x.user + x.system for x in times)


@dataclass
class Case:
    """A training with one layer, and its slices."""

    layer: str
    ppo: Any
    speeds: list[float] = field(default_factory=list)
    per_cpu_second: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    def slice(self, seconds: float) -> None:
        """Trains for about that long."""
        steps, inside = self.ppo.steps, self.ppo.env_seconds
        cpu = cpu_seconds()
        start = time.perf_counter()
        took = 0.0
        while took < seconds:
            self.ppo.iteration()
            took = time.perf_counter() - start
        self.speeds.append((self.ppo.steps - steps) / took)
        self.per_cpu_second.append((self.ppo.steps - steps) / (cpu_seconds() - cpu))
        self.shares.append((self.ppo.env_seconds - inside) / took)


def train_in_turn(name: str, config: Any, rounds: int, seconds: float) -> list[dict[str, Any]]:
    """The rows of one table: every layer trains for a slice, then the next round begins."""
    module = ppo_continuous if hasattr(config, "hidden") else ppo_discrete
    layers = {layer: make(config) for layer, make in LAYERS.items()}
    cases = []
    for layer, envs in layers.items():
        if envs is not None:
            torch.manual_seed(1)
            cases.append(Case(layer, module.PPO(config, envs)))
    for case in cases:
        case.ppo.iteration()  # warm
    for _ in range(rounds):
        for case in cases:
            case.slice(seconds)
    for case in cases:
        case.ppo.envs.close()
    ours = cases[-1]
    return [
        {
            "training": name,
            "environments": case.layer,
            "steps/s": median(case.speeds),
            "in environments": median(case.shares),
            "steps/CPU-s": median(case.per_cpu_second),
            # Each round against itself: the machine is not equally fast in all of them.
            "ParallelPool to it": median(
                x / y for x, y in zip(ours.speeds, case.speeds, strict=True)
            ),
            "by CPU": median(
                x / y for x, y in zip(ours.per_cpu_second, case.per_cpu_second, strict=True)
            ),
        }
        for case in cases
    ]


COLUMNS = {
    "training": str,
    "environments": str,
    "steps/s": lambda x: f"{x:,.0f}",
    "in environments": lambda x: f"{x:.1%}",
    "ParallelPool to it": lambda x: f"{x:.2f} x",
    "steps/CPU-s": lambda x: f"{x:,.0f}",
    "by CPU": lambda x: f"{x:.2f} x",
}


def main(argv: Sequence[str] | None = None) -> None:
    """Measures the rows asked for; figures of other rows in the JSON file stay."""
    parser = timed_arguments(__doc__.splitlines()[0], sizes=(), rounds=5, seconds=2)
    parser.add_argument("--rows", nargs="+", default=list(ROWS), choices=list(ROWS), metavar="ROW")
    parser.add_argument("--torch-threads", type=int, default=1, help="threads of the network (1)")
    args = parser.parse_args(argv)
    torch.set_num_threads(args.torch_threads)
    warnings.simplefilter("ignore")
    facts = environment()
    print_environment(facts)
    rows: list[dict[str, Any]] = []
    if args.json and args.json.exists():
        rows = [row for row in stored(args.json)[1] if row["training"] not in args.rows]
    for name in args.rows:
        say(name)
        rows += train_in_turn(name, ROWS[name], args.rounds, args.slice)
        store(args.json, facts, rows)
    print(table(COLUMNS, [row for row in rows if row["training"] in args.rows]))


if __name__ == "__main__":
    main()
