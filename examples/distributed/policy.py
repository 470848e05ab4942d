"""PPO for discrete actions on vectors: the networks, and what is learnt from a rollout."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from parallel_pool_learning import Rollout, RolloutBuffer
from torch import nn


class Policy(nn.Module):
    """(action, value, log_prob) of observations; two towers of two layers."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.actor = self.tower(inputs, actions, 0.01)
        self.critic = self.tower(inputs, 1, 1.0)

    @staticmethod
    def tower(inputs: int, outputs: int, gain: float) -> nn.Module:
        layers = [nn.Linear(inputs, 64), nn.Linear(64, 64), nn.Linear(64, outputs)]
        for layer, each in zip(layers, (2**0.5, 2**0.5, gain), strict=True):
            nn.init.orthogonal_(layer.weight, each)
            nn.init.zeros_(layer.bias)
        return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])

    def judge(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of the actions' probabilities, and values."""
        return torch.log_softmax(self.actor(obs), 1), self.critic(obs).squeeze(1)

    def likeliest(self, obs: np.ndarray) -> np.ndarray:
        """The actions without exploration."""
        with torch.inference_mode():
            return self.actor(torch.from_numpy(obs)).argmax(1).numpy()

    def forward(self, obs: torch.Tensor) -> tuple[Any, Any, dict[str, Any]]:
        log_probs, value = self.judge(obs)
        # The maximum of log-probabilities with Gumbel's noise is a sample.
        action = (log_probs - torch.empty_like(log_probs).exponential_().log()).argmax(1)
        return action, value, {"log_prob": log_probs.gather(1, action[:, None]).squeeze(1)}


@torch.inference_mode()
def collect(policy: Policy, buffer: RolloutBuffer) -> Rollout:
    """Steps the buffer's pool until it is full."""
    while not buffer.full:
        action, value, extras = policy(torch.from_numpy(buffer.obs))
        buffer.step(action, value, **extras)
    return buffer.finish(lambda obs: policy.judge(torch.from_numpy(obs))[1])


def learn(
    policy: Policy,
    optimizer: torch.optim.Optimizer,
    rollouts: list[Any],
    *,
    epochs: int = 10,
    minibatch: int = 128,
    clip: float = 0.2,
) -> None:
    """Several epochs of clipped policy gradient over `parallel_pool_learning.Rollout`s of numpy's arrays."""

    def column(name: str) -> torch.Tensor:
        return torch.cat(
            [torch.from_numpy({**vars(each), **each.extras}[name][each.valid]) for each in rollouts]
        )

    obs, action, old = column("obs"), column("actions").long(), column("log_prob")
    advantage, target = column("advantages"), column("returns")
    for _ in range(epochs):
        for rows in torch.randperm(len(obs)).tensor_split(max(1, len(obs) // minibatch)):
            log_probs, value = policy.judge(obs[rows])
            ratio = (log_probs.gather(1, action[rows, None]).squeeze(1) - old[rows]).exp()
            a = advantage[rows]
            a = (a - a.mean()) / (a.std() + 1e-8)
            policy_loss = -torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a).mean()
            value_loss = (value - target[rows]).square().mean() / 2
            optimizer.zero_grad()
            (policy_loss + 0.5 * value_loss).backward()
            average(policy)
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()


def average(policy: nn.Module) -> None:
    """Averages the gradients of all ranks, where there are several."""
    if torch.distributed.is_initialized():
        # At once: of small networks each message takes as long as one of all.
        gradients = [each.grad for each in policy.parameters()]
        mean = nn.utils.parameters_to_vector(gradients)
        torch.distributed.all_reduce(mean)
        mean /= torch.distributed.get_world_size()
        nn.utils.vector_to_parameters(mean, gradients)


def schedule(optimizer: torch.optim.Optimizer, done: float, learning_rate: float = 1e-3) -> None:
    """The learning rate falls to a tenth of itself over the run. done: 0 .. 1."""
    optimizer.param_groups[0]["lr"] = learning_rate * (1 - 0.9 * min(done, 1.0))
