"""Domain randomisation by `env_options`: a pendulum that swings up whatever it weighs.

python examples/training/domain_randomisation.py

Two policies are trained by ppo_continuous.py, one where gravity is 10 in every environment, one where
every environment of the pool has a gravity of its own. Then both meet gravities between 1 and 20, in
one pool. The options may be any that the environment has.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
from command_line import from_command_line
from matplotlib.figure import Figure
from ppo_continuous import PPO, Config
from training import train

DEFAULT = Config(
    env="Pendulum-v1",
    total_steps=400_000,
    num_envs=32,
    num_steps=64,
    gamma=0.95,
    epochs=8,
    minibatch=256,
    first_log_std=0.0,
    goal=-200,
    out=Path("results/domain_randomisation"),
)
GRAVITY = np.linspace(1, 20, 20)


def make_pool(gravity: np.ndarray, config: Config, num_envs: int, **more: Any) -> Any:
    """A pool whose environments have gravities from the first to the last of `gravity`, in even steps."""
    return parallel_pool.make(
        config.env,
        env_options={"g": np.linspace(gravity[0], gravity[-1], num_envs)},
        num_threads=config.num_threads,
        out_of_bounds_action="clip",
        infos="minimal",
        **more,
    )


def by_gravity(config: Config, ppo: PPO, episodes: int = 20) -> np.ndarray:
    """Mean return for each of `GRAVITY`."""
    with make_pool(GRAVITY, config, len(GRAVITY)) as envs:
        returns = parallel_pool.evaluate(envs, ppo.act, episodes).returns
    return returns.reshape(episodes, -1).mean(0)  # of each seed an episode for each gravity


def draw(out: Path, results: dict[str, np.ndarray]) -> None:
    """Return over gravity, a line per policy."""
    figure = Figure(figsize=(6, 3.2), layout="constrained")
    axes = figure.subplots()
    for name, returns in results.items():
        axes.plot(GRAVITY, returns, marker="o", label=f"trained with {name}")
    axes.set(xlabel="gravity", ylabel="return", title="Pendulum-v1")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(out / "curve.png", dpi=80)


def main() -> None:
    """Trains both as the command line says; `curve.png` of each is in a folder of its own."""
    config = from_command_line(default=DEFAULT)
    results = {}
    for name, gravity in (("gravity 10", np.full(2, 10.0)), ("gravities 1 to 20", GRAVITY)):
        mine = replace(config, out=config.out / name.replace(" ", "_"))
        ppo = train(mine, partial(make_pool, gravity), PPO)
        results[name] = by_gravity(config, ppo)
        print(f"{name}: mean return over all gravities, {results[name].mean():.0f}")
    draw(config.out, results)


if __name__ == "__main__":
    main()
