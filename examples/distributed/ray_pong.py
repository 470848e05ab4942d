"""PPO on Pong-v5 from pictures, with actors of Ray that each have a pool and a copy of the policy.

python examples/distributed/ray_pong.py [--actors 2] [--address HOST:PORT] [--out results/ray_pong] [--resume]

The network, its settings and the report are those of examples/training/ppo_discrete.py. `--help` lists them;
`num_envs` is of all actors together. Without an address on a cluster of this machine's own.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import ray
import torch
from parallel_pool_learning import Rollout
from parallel_pool_ray import Fragment, RolloutPool

sys.path.append(str(Path(__file__).parents[1] / "training"))
import ppo_discrete
from command_line import from_command_line
from ppo_discrete import CONFIGS, PPO, Policy, make_envs, sample
from training import train


@dataclass
class Config(ppo_discrete.Config):
    """PPO on pictures, with actors of Ray."""

    actors: int = 2
    address: str = ""
    """of a cluster; empty: one on this machine"""


class Acting(torch.nn.Module):
    """The policy as actors ask it: (action, value, extras)."""

    def __init__(self, policy: Policy, actions: np.ndarray) -> None:
        super().__init__()
        self.policy = policy
        self.register_buffer("actions", torch.from_numpy(actions))

    def forward(self, obs: torch.Tensor) -> tuple[Any, Any, dict[str, Any]]:
        log_probs, value = self.policy(obs)
        choice, log_prob = sample(log_probs)
        return self.actions[choice], value, {"choice": choice, "log_prob": log_prob}


def joined(fragments: list[Fragment]) -> Rollout:
    """One rollout of all environments, as tensors."""

    def column(parts: list[np.ndarray]) -> torch.Tensor:
        return torch.from_numpy(np.concatenate(parts, axis=1))

    names = {each.name for each in fields(Rollout)} - {"extras", "episodes"}
    return Rollout(
        **{name: column([getattr(each, name) for each in fragments]) for name in names},
        extras={name: column([x.extras[name] for x in fragments]) for name in fragments[0].extras},
        episodes={
            name: np.concatenate([each.episodes[name] for each in fragments])
            for name in fragments[0].episodes
        },
    )


class RayPPO(PPO):
    """Learns from what actors collect.

    Args:
        envs: of this process: their first pictures tell what all have in common, and that is all they do.
    """

    def __init__(self, config: Config, envs: Any) -> None:
        super().__init__(config, envs)
        self.acting = Acting(self.policy, self.actions)
        self.rollouts = RolloutPool(
            config.env,
            self.acting,
            num_envs=config.num_envs,
            num_steps=config.num_steps,
            pools=config.actors,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            seed=config.seed,
            address=config.address or None,
            **config.env_options,
        )
        self.returns: list[float] = []

    def collect(self) -> Rollout:
        """A fragment of each actor, by the weights of now."""
        self.rollouts.push(self.acting)
        rollout = joined(self.rollouts.collect())
        self.returns = rollout.episodes["return"].tolist()
        self.steps += self.steps_at_once
        return rollout

    def iteration(self) -> list[float]:
        """Gives the returns of the actors' episodes."""
        super().iteration()
        return self.returns

    def facts(self) -> dict[str, float]:
        """For the log."""
        stats = self.rollouts.stats()
        return {"waited": stats["seconds_waited"], "losses": stats["losses"]}


def main() -> None:
    """Trains as the command line says, and tells how well the likeliest actions do in 20 episodes."""
    pong = vars(CONFIGS["pong"]) | {"out": Path("results/ray_pong")}
    config = from_command_line(pong=Config(**pong))
    if not config.address:  # its actors may be more than this machine has CPUs
        ray.init("local", num_cpus=config.actors, include_dashboard=False, log_to_driver=False)
    # Actors on other machines do not have this file, or the one with the network.
    ray.cloudpickle.register_pickle_by_value(ppo_discrete)
    ppo = train(config, make_envs, RayPPO)
    ppo.rollouts.close()
    with make_envs(config, 20, episode_statistics=True) as envs:
        mean = parallel_pool.evaluate(envs, ppo.act, episodes=20).mean
    print(f"likeliest actions, 20 episodes: {mean:.1f}")


if __name__ == "__main__":
    main()
