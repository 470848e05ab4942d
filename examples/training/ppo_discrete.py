"""PPO for discrete actions, on vectors (CartPole-v1) and on pictures (Pong-v5), in one file.

python examples/training/ppo_discrete.py cartpole       # CartPole-v1, half a minute
python examples/training/ppo_discrete.py pong           # Pong-v5 from pixels
python examples/training/ppo_discrete.py pong --seed 2  # the same, another curve in the same picture

Everything is a matter of the config below; `--help` lists it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import torch
from command_line import from_command_line
from gae import advantages
from report import Report, draw_curves, evaluate, film
from torch import nn


@dataclass
class Config:
    """PPO for discrete actions."""

    env: str = "CartPole-v1"
    env_options: dict[str, Any] = field(default_factory=dict)
    """options of the environment; those of pictures: img_height, img_width, frame_skip, stack_num"""
    actions: tuple[int, ...] = ()
    """which of the environment's actions the policy may use; empty: all"""
    total_steps: int = 60_000
    num_envs: int = 8
    num_steps: int = 64
    """steps of each environment between two updates"""
    learning_rate: float = 1e-3
    """falls to a tenth of it over the run"""
    gamma: float = 0.98
    gae_lambda: float = 0.9
    epochs: int = 10
    minibatch: int = 128
    clip: float = 0.2
    entropy: float = 0.0
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    bfloat16: bool = False
    """networks compute in bfloat16: faster where the CPU has instructions for it"""
    torch_threads: int = 1
    num_threads: int | None = None
    """threads that step environments; none: as many as there are CPUs"""
    seed: int = 1
    goal: float = 475
    """a line in the picture"""
    stop_at_goal: bool = False
    """end when the last 100 episodes reach the goal"""
    out: Path = Path("results/cartpole")
    """folder for log, checkpoint, picture and film"""
    resume: bool = False
    """go on from the checkpoint in `out`"""
    film_frames: int = 500
    """length of the film; 0: none"""


CONFIGS = {
    "cartpole": Config(),
    # From pixels. Three of the six actions do all that there is to do: stay, up, down.
    "pong": Config(
        env="Pong-v5",
        env_options={"img_height": 42, "img_width": 42},
        actions=(0, 2, 3),
        total_steps=6_000_000,
        num_envs=32,
        num_steps=64,
        learning_rate=5e-4,
        gamma=0.99,
        gae_lambda=0.95,
        epochs=3,
        minibatch=512,
        clip=0.15,
        entropy=0.01,
        bfloat16=True,
        goal=18,
        out=Path("results/pong"),
        film_frames=900,
    ),
}


def layer(module: nn.Module, gain: float = 2**0.5) -> nn.Module:
    """Orthogonal weights, no bias."""
    nn.init.orthogonal_(module.weight, gain)
    nn.init.zeros_(module.bias)
    return module


class Policy(nn.Module):
    """Logits of the actions and the value. Vectors have a network for each, pictures share one."""

    def __init__(self, shape: tuple[int, ...], actions: int, bfloat16: bool = False) -> None:
        super().__init__()
        self.bfloat16 = bfloat16
        self.pictures = len(shape) == 3
        if self.pictures:
            # A small eye: strides do the work, and a larger picture gets larger ones.
            first = (8, 4) if min(shape[1:]) > 60 else (6, 3)
            eye = nn.Sequential(
                layer(nn.Conv2d(shape[0], 32, *first)),
                nn.ReLU(),
                layer(nn.Conv2d(32, 32, 3, 2)),
                nn.ReLU(),
                nn.Flatten(),
            )
            size = eye(torch.zeros(1, *shape)).shape[1]
            body = nn.Sequential(eye, layer(nn.Linear(size, 256)), nn.ReLU())
            self.body = body.to(memory_format=torch.channels_last)
            self.actor = layer(nn.Linear(256, actions), 0.01)
            self.critic = layer(nn.Linear(256, 1), 1)
            self.register_buffer("background", torch.zeros(shape))
            self.register_buffer("contrast", torch.tensor(1 / 255))
        else:
            self.body = nn.Identity()
            self.actor = self.tower(int(np.prod(shape)), actions, 0.01)
            self.critic = self.tower(int(np.prod(shape)), 1, 1)

    @staticmethod
    def tower(inputs: int, outputs: int, gain: float) -> nn.Module:
        return nn.Sequential(
            layer(nn.Linear(inputs, 64)),
            nn.Tanh(),
            layer(nn.Linear(64, 64)),
            nn.Tanh(),
            layer(nn.Linear(64, outputs), gain),
        )

    def see(self, pictures: torch.Tensor) -> None:
        """Takes what all pictures have in common away from now on, so that little things stand out."""
        background = pictures.float().mean(0)
        self.background.copy_(background)
        self.contrast.copy_(1 / (pictures.float() - background).std())

    def forward(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat16):
            if self.pictures:
                kind = torch.bfloat16 if self.bfloat16 else torch.float32
                obs = obs.to(kind, memory_format=torch.channels_last)
                obs = (obs - self.background.to(kind)) * self.contrast.to(kind)
            else:
                obs = obs.float()
            h = self.body(obs)
            logits, value = self.actor(h), self.critic(h)
        return torch.log_softmax(logits.float(), 1), value.float().squeeze(1)


def make_envs(config: Config, num_envs: int, **more: Any) -> Any:
    """The environment layer: a pool, which is a gymnasium.vector.VectorEnv."""
    return parallel_pool.make(
        config.env,
        num_envs=num_envs,
        num_threads=config.num_threads,
        infos="minimal",
        **config.env_options,
        **more,
    )


class PPO:
    """Collects rollouts from `envs` and learns from them.

    Args:
        envs: a vector environment with NEXT_STEP autoreset; gae.py says what that is good for.
    """

    def __init__(self, config: Config, envs: Any) -> None:
        self.config, self.envs = config, envs
        space, discrete = envs.single_observation_space, envs.single_action_space
        self.actions = np.array(config.actions or range(int(discrete.n)))
        self.policy = Policy(space.shape, len(self.actions), config.bfloat16)
        self.optimizer = torch.optim.Adam(
            self.policy.parameters(), config.learning_rate, eps=1e-5, fused=True
        )
        shape = (config.num_steps, config.num_envs)
        self.obs = torch.zeros(
            (*shape, *space.shape),
            dtype=torch.uint8 if space.dtype == np.uint8 else torch.float32,
        )
        self.action = torch.zeros(shape, dtype=torch.int64)
        self.log_prob = torch.zeros(shape)
        self.value = np.zeros((shape[0] + 1, shape[1]), np.float32)
        self.reward = np.zeros(shape, np.float32)
        self.terminated, self.ended, self.valid = (np.zeros(shape, bool) for _ in range(3))
        self.next_obs = torch.as_tensor(envs.reset(seed=config.seed * 1000)[0])
        self.just_ended = np.zeros(config.num_envs, bool)
        self.steps = 0
        if self.policy.pictures:
            self.policy.see(self.random_walk(100))
        self.env_seconds = 0.0

    def random_walk(self, steps: int) -> torch.Tensor:
        """What is seen while actions are random; such steps count as others do."""
        seen, rng = [], np.random.default_rng(self.config.seed)
        for _ in range(steps):
            action = self.actions[rng.integers(len(self.actions), size=self.config.num_envs)]
            obs, _, terminated, truncated, _ = self.envs.step(action)
            seen.append(torch.as_tensor(obs))
        self.next_obs, self.just_ended = seen[-1], terminated | truncated
        self.steps += steps * self.config.num_envs
        return torch.cat(seen)

    def act(self, obs: np.ndarray) -> np.ndarray:
        """The likeliest actions."""
        with torch.inference_mode():
            return self.actions[self.policy(torch.as_tensor(obs))[0].argmax(1).numpy()]

    @torch.inference_mode()
    def collect(self) -> list[float]:
        """Fills the rollout; gives the returns of the episodes that ended."""
        returns: list[float] = []
        for t in range(self.config.num_steps):
            self.obs[t] = self.next_obs
            log_probs, value = self.policy(self.next_obs)
            # The maximum of log-probabilities with Gumbel's noise is a sample.
            action = (log_probs - torch.empty_like(log_probs).exponential_().log()).argmax(1)
            self.action[t] = action
            self.log_prob[t] = log_probs.gather(1, action[:, None]).squeeze(1)
            self.value[t] = value.numpy()
            before = time.perf_counter()
            obs, reward, terminated, truncated, info = self.envs.step(self.actions[action.numpy()])
            self.env_seconds += time.perf_counter() - before
            self.reward[t], self.terminated[t] = reward, terminated
            self.ended[t] = terminated | truncated
            self.valid[t] = ~self.just_ended
            self.just_ended = self.ended[t].copy()
            self.next_obs = torch.as_tensor(obs)
            if "episode" in info:
                returns += info["episode"]["r"][info["_episode"]].tolist()
        self.value[-1] = self.policy(self.next_obs)[1].numpy()
        self.steps += self.action.numel()
        return returns

    def learn(self) -> None:
        """Several epochs of clipped policy gradient over the rollout."""
        config = self.config
        advantage = advantages(
            self.reward, self.value, self.terminated, self.ended, config.gamma, config.gae_lambda
        )
        target = torch.from_numpy((advantage + self.value[:-1]).ravel())
        advantage = torch.from_numpy(advantage.ravel())
        obs = self.obs.flatten(0, 1)
        action, old_log_prob = self.action.flatten(), self.log_prob.flatten()
        valid = torch.from_numpy(np.flatnonzero(self.valid))
        for _ in range(config.epochs):
            shuffled = valid[torch.randperm(len(valid))]
            for rows in shuffled.tensor_split(max(1, round(len(valid) / config.minibatch))):
                log_probs, value = self.policy(obs[rows])
                log_prob = log_probs.gather(1, action[rows, None]).squeeze(1)
                ratio = (log_prob - old_log_prob[rows]).exp()
                a = advantage[rows]
                a = (a - a.mean()) / (a.std() + 1e-8)
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                policy_loss = -torch.minimum(ratio * a, clipped * a).mean()
                value_loss = (value - target[rows]).square().mean() / 2
                entropy = -(log_probs.exp() * log_probs).sum(1).mean()
                loss = policy_loss + config.value_weight * value_loss - config.entropy * entropy
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.policy.parameters(), config.max_grad_norm)
                self.optimizer.step()

    def iteration(self) -> list[float]:
        """A rollout and what is learnt from it; gives the returns of the episodes that ended."""
        left = 1 - min(1, self.steps / self.config.total_steps)
        self.optimizer.param_groups[0]["lr"] = self.config.learning_rate * (0.1 + 0.9 * left)
        returns = self.collect()
        self.learn()
        return returns


def train(config: Config, make: Callable[..., Any] = make_envs) -> PPO:
    """Trains to the end of the budget, with log, checkpoint, picture and film in `config.out`."""
    torch.set_num_threads(config.torch_threads)
    torch.manual_seed(config.seed)
    report = Report(config.out, config.seed, config.total_steps, config.resume)
    with make(config, config.num_envs, episode_statistics=True) as envs:
        ppo = PPO(config, envs)
        if report.saved:
            ppo.policy.load_state_dict(report.saved["policy"])
            ppo.optimizer.load_state_dict(report.saved["optimizer"])
            ppo.steps = report.steps

        def save() -> None:
            report.save(
                policy=ppo.policy.state_dict(),
                optimizer=ppo.optimizer.state_dict(),
                config=asdict(config),
            )

        saved_at = time.monotonic()
        while ppo.steps + config.num_envs * config.num_steps <= config.total_steps:
            returns = ppo.iteration()
            report.log(ppo.steps, returns, env_seconds=ppo.env_seconds)
            if time.monotonic() - saved_at > 60:
                save()
                saved_at = time.monotonic()
            at_goal = len(report.returns) == 100 and report.mean_return >= config.goal
            if at_goal and config.stop_at_goal:
                break
        save()
        report.bar.close()
    draw_curves(config.out, config.env, config.goal)
    if config.film_frames:
        with make(config, 1, render_mode="rgb_array") as envs:
            film(envs, ppo.act, config.out / f"seed{config.seed}.mp4", config.film_frames)
    return ppo


def main() -> None:
    """Trains as the command line says, and tells how well the likeliest actions do in 100 episodes."""
    config = from_command_line(**CONFIGS)
    ppo = train(config)
    with make_envs(config, 100) as envs:
        print(f"likeliest actions, 100 episodes: {evaluate(envs, ppo.act, 12345).mean():.1f}")


if __name__ == "__main__":
    main()
