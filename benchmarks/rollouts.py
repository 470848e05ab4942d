"""What a RolloutBuffer costs in an iteration of PPO, done as the examples do it, with torch in one thread.

Milliseconds of the environments, of keeping, of advantages, of minibatches, and of all of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any

import numpy as np
import parallel_pool
import torch
from figures import Row, table, tenths, whole
from parallel_pool_learning import RolloutBuffer, TimeShares
from study import Study, id_and_size, run

STEPS = 128
EPOCHS = 4
MINIBATCHES = 4
PARTS = ("environments", "keep", "finish", "minibatches")


class Network(torch.nn.Module):
    """Actor and critic: two layers of 64, after three convolutions where there are pictures."""

    def __init__(self, pool: Any) -> None:
        super().__init__()
        shape = pool.single_observation_space.shape
        self.pictures = len(shape) == 3
        width = 3136 if self.pictures else shape[0]
        layers: list[torch.nn.Module] = []
        if self.pictures:
            for inputs, outputs, kernel, stride in ((4, 32, 8, 4), (32, 64, 4, 2), (64, 64, 3, 1)):
                layers += [torch.nn.Conv2d(inputs, outputs, kernel, stride), torch.nn.ReLU()]
            layers.append(torch.nn.Flatten())
        layers += [torch.nn.Linear(width, 64), torch.nn.Tanh(), torch.nn.Linear(64, 64)]
        self.body = torch.nn.Sequential(*layers, torch.nn.Tanh())
        space = pool.single_action_space
        self.discrete = hasattr(space, "n")
        self.actor = torch.nn.Linear(64, int(space.n) if self.discrete else space.shape[0])
        self.critic = torch.nn.Linear(64, 1)

    def forward(self, obs: Any) -> tuple[Any, Any]:
        """The distribution of actions, and values."""
        hidden = self.body(obs.float() / 255 if self.pictures else obs.float())
        out = self.actor(hidden)
        policy: Any = torch.distributions.Categorical(logits=out)
        if not self.discrete:
            policy = torch.distributions.Independent(torch.distributions.Normal(out, 1.0), 1)
        return policy, self.critic(hidden).squeeze(-1)


def iterate(buffer: RolloutBuffer, network: Network, optimizer: Any, shares: TimeShares) -> None:
    """One of PPO's iterations: a rollout, and epochs of minibatches."""
    with torch.no_grad():
        while not buffer.full:
            policy, value = network(buffer.obs)
            action = policy.sample()
            log_prob = policy.log_prob(action)
            with shares.part("keep"):
                buffer.step(action, value, log_prob=log_prob)
        with shares.part("finish"):
            rollout = buffer.finish(lambda obs: network(obs)[1])
    size = STEPS * buffer.num_envs // MINIBATCHES
    rng = np.random.default_rng(0)
    for _ in range(EPOCHS):
        batches = rollout.minibatches(size, rng)
        while True:
            with shares.part("minibatches"):
                batch = next(batches, None)
            if batch is None:
                break
            policy, value = network(batch["obs"])
            ratio = (policy.log_prob(batch["actions"]) - batch["log_prob"]).exp()
            gain = batch["advantages"]
            clipped = torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
            loss = 0.5 * (value - batch["returns"]).square().mean() - clipped
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """Milliseconds of an iteration by part: the median of the rounds after the first."""
    task_id, num_envs = id_and_size(case)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    seen = []
    with parallel_pool.make(task_id, num_envs=num_envs, seed=0) as pool:
        plain_step = pool.step
        buffer = RolloutBuffer(pool, STEPS, output="torch")
        buffer.reset(seed=0)
        network = Network(pool)
        optimizer = torch.optim.Adam(network.parameters(), lr=1e-4)
        for _ in range(args.rounds + 1):
            shares = TimeShares()
            pool.step = shares.part("environments")(plain_step)
            with shares.part("iteration"):
                iterate(buffer, network, optimizer, shares)
            seconds = shares.seconds()
            seen.append({**seconds, "iteration": sum(seconds.values())})
        del pool.step
    took = {part: median(each[part] for each in seen[1:]) * 1e3 for part in (*PARTS, "iteration")}
    share = (took["keep"] + took["finish"] + took["minibatches"]) / took["iteration"]
    yield {"pool": f"{num_envs} {task_id}", **took, "the buffer": share}


def text(rows: Sequence[Row]) -> str:
    columns = {"pool": str, "iteration": whole, **dict.fromkeys(PARTS, tenths)}
    return table({**columns, "the buffer": "{:.1%}".format}, rows)


if __name__ == "__main__":
    cases = ("CartPole-v1:64", "CartPole-v1:1024", "HalfCheetah-v5:64", "Pong-v5:8")
    run(Study(cases, measure, text, "docs/rollouts.md", rounds=2, packages=("torch",)), __doc__)
