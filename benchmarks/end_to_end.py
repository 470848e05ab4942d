"""One training with the environment layer changed: steps per second, share of time in environments.

uv run --group bench --group training --with stable-baselines3 python benchmarks/end_to_end.py --json FILE

Trains with the scripts of examples/training and their settings, all environment layers in turn. What is
timed is everything: environments, network, learning. The other layers are Gymnasium's AsyncVectorEnv and
SyncVectorEnv, SB3's SubprocVecEnv, EnvPool and ale-py's AtariVectorEnv, each with the same number of
environments and the same preprocessing. Speed only: SB3's SAME_STEP autoreset is passed on as it is, so what
is learnt there is a little wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
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
from figures import Row, percent, table, times, whole
from gymnasium.vector import AutoresetMode, VectorEnv
from in_turn import Slice, again, ratio, take_turns
from study import Study, run

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


class Envs(VectorEnv):
    """What the scripts use of a vector environment."""

    def __init__(self, envs: Any) -> None:
        self.envs = envs
        self.num_envs = envs.num_envs
        self.single_observation_space = envs.observation_space
        self.single_action_space = envs.action_space
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def close_extras(self, **kwargs: Any) -> None:
        self.envs.close()


class EnvPools(Envs):
    """EnvPool is seeded when it is made, takes int32 and steps out of bounds unless told."""

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, Any]:
        return self.envs.reset()

    def step(self, actions: np.ndarray) -> Any:
        return self.envs.step(actions.astype(np.int32) if actions.dtype == np.int64 else actions)


class StableBaselines(Envs):
    """SubprocVecEnv has one flag for both ends."""

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, Any]:
        self.envs.seed(seed)
        return self.envs.reset(), {}

    def step(self, actions: np.ndarray) -> Any:
        obs, reward, done, infos = self.envs.step(actions)
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
    return StableBaselines(envs)


def ale(config: Any) -> Any:
    from ale_py.vector_env import AtariVectorEnv

    quiet_ale()
    game = config.env.removesuffix("-v5").lower()
    return AtariVectorEnv(game, num_envs=config.num_envs, use_fire_reset=True, **config.env_options)


def envpool(config: Any) -> Any:
    import envpool

    envs = envpool.make(
        config.env, env_type="gymnasium", num_envs=config.num_envs, seed=1, **config.env_options
    )
    return EnvPools(envs)


def parallel_pool(config: Any) -> Any:
    return module_of(config).make_envs(config, config.num_envs)


ALE = "ale-py AtariVectorEnv"
OURS = "ParallelPool"
LAYERS: dict[str, Callable[[Any], Any]] = {
    "SB3 SubprocVecEnv": stable_baselines,
    "Gymnasium AsyncVectorEnv": partial(gymnasium_envs, kind=gymnasium.vector.AsyncVectorEnv),
    "Gymnasium SyncVectorEnv": partial(gymnasium_envs, kind=gymnasium.vector.SyncVectorEnv),
    ALE: ale,
    "EnvPool": envpool,
    OURS: parallel_pool,
}


def module_of(config: Any) -> Any:
    """The script that these settings are of."""
    return ppo_continuous if isinstance(config, ppo_continuous.Config) else ppo_discrete


def cpu_seconds() -> float:
    """Of this process and of the worker processes that a layer has."""
    workers = psutil.Process().children(recursive=True)
    times = [worker.cpu_times() for worker in workers]
    return time.process_time() + sum(x.user + x.system for x in times)


class Training:
    """A training with one layer: a case of `take_turns`. changes: fields of the settings."""

    def __init__(self, row: str, layer: str, **changes: Any) -> None:
        warnings.simplefilter("ignore")
        torch.set_num_threads(1)
        torch.manual_seed(1)
        config = replace(ROWS[row], **changes)
        self.envs = LAYERS[layer](config)
        self.ppo = module_of(config).PPO(config, self.envs)

    def slice(self, seconds: float) -> Slice:
        """Trains for about that long, whole iterations."""
        steps, inside = self.ppo.steps, self.ppo.facts()["env_seconds"]
        cpu = cpu_seconds()
        start = time.perf_counter()
        took = 0.0
        while took < seconds:
            self.ppo.iteration()
            took = time.perf_counter() - start
        steps = self.ppo.steps - steps
        return {
            "steps/s": steps / took,
            "in environments": (self.ppo.facts()["env_seconds"] - inside) / took,
            "steps/CPU-s": steps / (cpu_seconds() - cpu),
        }

    def close(self) -> None:
        """Ends the worker processes."""
        self.envs.close()


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each layer."""
    layers = [layer for layer in LAYERS if layer != ALE or ROWS[case].env_options]
    specs = {layer: {"row": case, "layer": layer} for layer in layers}
    slices = take_turns(again(specs), rounds=args.rounds, seconds=args.slice)
    ours = slices.get(OURS)
    for layer, mine in slices.items():
        row: Row = {"training": case, "environments": layer, "slices": len(mine)}
        row |= {key: median(each[key] for each in mine) for key in mine[0]}
        if ours:
            row["ParallelPool to it"] = ratio(ours, mine, "steps/s")
            row["by CPU"] = ratio(ours, mine, "steps/CPU-s")
        yield row


def text(rows: Sequence[Row]) -> str:
    columns = {"training": str, "environments": str, "steps/s": whole}
    columns |= {"in environments": percent, "ParallelPool to it": times}
    return table({**columns, "steps/CPU-s": whole, "by CPU": times}, rows)


if __name__ == "__main__":
    study = Study(
        list(ROWS),
        measure,
        text,
        "docs/training.md",
        rounds=12,
        seconds=2,
        process=Training,
        packages=("ale-py", "mujoco", "torch"),
    )
    run(study, __doc__)
