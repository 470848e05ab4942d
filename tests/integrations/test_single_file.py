"""A training loop in one file, as CleanRL writes them: on the pool as on Gymnasium's vector environments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from test_envs.libraries import needed

torch = needed("torch")


def train(envs: Any, updates: int = 6, steps: int = 32) -> tuple[list[float], list[Any]]:
    """A2C with a shared network; gives the returns of the episodes, and the weights."""
    torch.manual_seed(1)
    body = torch.nn.Sequential(torch.nn.Linear(4, 32), torch.nn.Tanh(), torch.nn.Linear(32, 3))
    optimiser = torch.optim.Adam(body.parameters(), 3e-3)
    returns: list[float] = []
    obs, _ = envs.reset(seed=1)
    for _ in range(updates):
        log_probs, values, rewards, dones = [], [], [], []
        for _ in range(steps):
            out = body(torch.as_tensor(obs))
            policy = torch.distributions.Categorical(logits=out[:, :2])
            action = policy.sample()
            obs, reward, terminated, truncated, infos = envs.step(action.numpy())
            log_probs.append(policy.log_prob(action))
            values.append(out[:, 2])
            rewards.append(torch.as_tensor(reward, dtype=torch.float32))
            dones.append(torch.as_tensor(terminated | truncated))
            if "episode" in infos:
                returns += infos["episode"]["r"][infos["_episode"]].tolist()
                last = infos["final_obs"][np.flatnonzero(infos["_final_obs"])[0]]
                assert last.shape == (4,)
        target = body(torch.as_tensor(obs))[:, 2].detach()
        loss = torch.zeros(())
        for turn in reversed(range(steps)):
            target = rewards[turn] + 0.99 * target * ~dones[turn]
            advantage = target - values[turn]
            loss = loss - (log_probs[turn] * advantage.detach()).mean() + advantage.square().mean()
        optimiser.zero_grad()
        (loss / steps).backward()
        optimiser.step()
    envs.close()
    return returns, [each.detach() for each in body.parameters()]


def test_it_learns_the_same_to_the_bit() -> None:
    ours = parallel_pool.make(
        "CartPole-v1", num_envs=4, autoreset_mode="SameStep", episode_statistics=True
    )
    theirs = RecordEpisodeStatistics(
        SyncVectorEnv(
            [lambda: gymnasium.make("CartPole-v1")] * 4, autoreset_mode=AutoresetMode.SAME_STEP
        )
    )
    returns, weights = train(ours)
    other_returns, other_weights = train(theirs)
    assert len(returns) > 10
    assert returns == other_returns
    assert all(torch.equal(*pair) for pair in zip(weights, other_weights, strict=True))
