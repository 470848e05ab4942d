"""PPO for discrete actions, on vectors (CartPole-v1), pictures (Pong-v5) and grids (DoorKey), in one file.

python examples/training/ppo_discrete.py cartpole       # CartPole-v1, half a minute
python examples/training/ppo_discrete.py lunarlander    # LunarLander-v3, a minute and a half
python examples/training/ppo_discrete.py pong           # Pong-v5 from pixels
python examples/training/ppo_discrete.py doorkey        # MiniGrid-DoorKey-8x8-v0, from what the agent sees
python examples/training/ppo_discrete.py pong --seed 2  # the same, another curve in the same picture

Everything is a matter of the config below; `--help` lists it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import torch
from command_line import from_command_line
from gymnasium.spaces import Dict
from gymnasium.spaces.utils import flatten_space
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from minibatches import even_minibatches
from parallel_pool_learning import Rollout, RolloutBuffer, TimeShares
from torch import nn
from training import train, trained
from watched import Watched


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
    bfloat16: bool | None = False
    """networks compute in bfloat16; none: where the device has instructions for it"""
    device: str = "cpu"
    """where networks compute and observations are kept: cpu, or cuda for a GPU"""
    shares: bool = False
    """say at the end where the time went"""
    torch_threads: int = 1
    num_threads: int | None = None
    """threads that step environments; none: as many as there are CPUs"""
    seed: int = 1
    goal: float = 475
    """a line in the picture"""
    stop_at_goal: bool = False
    """end when the last 100 episodes reach the goal"""
    track: str = ""
    """also log to "tensorboard" or "wandb", or to both, with a comma between"""
    out: Path = Path("results/cartpole")
    """folder for log, checkpoint, picture and film"""
    resume: bool = False
    """go on from the checkpoint in `out`, as if nothing had stopped it"""
    save_every: float = 60.0
    """seconds between checkpoints"""
    film_frames: int = 500
    """length of the film; 0: none"""


CONFIGS = {
    "cartpole": Config(),
    "lunarlander": Config(
        env="LunarLander-v3",
        total_steps=1_000_000,
        num_envs=16,
        num_steps=512,
        learning_rate=7e-4,
        gamma=0.999,
        gae_lambda=0.98,
        epochs=4,
        minibatch=128,
        entropy=0.01,
        goal=200,
        out=Path("results/lunarlander"),
    ),
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
        bfloat16=None,
        goal=18,
        out=Path("results/pong"),
        film_frames=900,
    ),
    # Only the goal is rewarded. Left, right, forward, pick up and toggle are enough.
    "doorkey": Config(
        env="MiniGrid-DoorKey-8x8-v0",
        env_options={"image": "one_hot"},
        actions=(0, 1, 2, 3, 5),
        total_steps=1_000_000,
        num_envs=64,
        num_steps=128,
        gamma=0.99,
        gae_lambda=0.95,
        epochs=4,
        minibatch=512,
        entropy=0.01,
        goal=0.95,
        out=Path("results/doorkey"),
        film_frames=200,
    ),
}


def has_bfloat16(device: str) -> bool:
    """Whether it computes in bfloat16 itself: a CPU that does not takes several times as long as in float32."""
    if torch.device(device).type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    flags = Path(
        "/proc/cpuinfo"
    )  # torch's own query is newer than the oldest torch that works here
    return flags.exists() and not {"avx512_bf16", "amx_bf16"}.isdisjoint(flags.read_text().split())


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
        with torch.autocast(obs.device.type, torch.bfloat16, enabled=self.bfloat16):
            if self.pictures:
                kind = torch.bfloat16 if self.bfloat16 else torch.float32
                obs = obs.to(kind, memory_format=torch.channels_last)
                obs = (obs - self.background.to(kind)) * self.contrast.to(kind)
            else:
                obs = obs.float()
            h = self.body(obs)
            logits, value = self.actor(h), self.critic(h)
        return torch.log_softmax(logits.float(), 1), value.float().squeeze(1)


def sample(log_probs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Actions by their probabilities, and the logarithms of these."""
    # The maximum of log-probabilities with Gumbel's noise is a sample.
    choice = (log_probs - torch.empty_like(log_probs).exponential_().log()).argmax(1)
    return choice, log_probs.gather(1, choice[:, None]).squeeze(1)


def seen(obs: Any) -> Any:
    """The observation that the policy sees: of a Dict the image, as a vector."""
    return obs["image"].reshape(len(obs["image"]), -1) if isinstance(obs, dict) else obs


class ImageOnly(VectorWrapper):
    """Observations are what `seen` leaves of them."""

    def __init__(self, envs: VectorEnv[Any, Any, Any]) -> None:
        super().__init__(envs)
        spaces: Any = envs.single_observation_space
        self.single_observation_space = flatten_space(spaces["image"])
        self.observation_space = batch_space(self.single_observation_space, envs.num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        obs, info = self.env.reset(seed=seed, options=options)
        return seen(obs), info

    def step(self, actions: Any) -> Any:
        obs, *rest = self.env.step(actions)
        return (seen(obs), *rest)


def make_envs(config: Config, num_envs: int, **more: Any) -> Any:
    """The environment layer: a pool, which is a gymnasium.vector.VectorEnv."""
    if config.device != "cpu":
        more = {"output": "torch", "device": config.device, **more}
    envs = parallel_pool.make(
        config.env,
        num_envs=num_envs,
        num_threads=config.num_threads,
        infos="minimal",
        **config.env_options,
        **more,
    )
    return ImageOnly(envs) if isinstance(envs.single_observation_space, Dict) else envs


class RandomStart(VectorWrapper):
    """Environments whose actions are random for a while after `reset`.

    Args:
        actions: to choose from.
        steps: at least so many, and on while an episode has just ended.
    """

    def __init__(
        self,
        envs: VectorEnv[Any, Any, Any],
        actions: np.ndarray,
        steps: int,
        rng: np.random.Generator,
    ) -> None:
        super().__init__(envs)
        self.actions, self.steps, self.rng = actions, steps, rng
        self.seen: list[torch.Tensor] = []
        """what was, meanwhile, a batch for each step"""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        self.env.reset(seed=seed, options=options)
        self.seen, running = [], False
        while len(self.seen) < self.steps or not running:
            action = self.actions[self.rng.integers(len(self.actions), size=self.num_envs)]
            obs, _, terminated, truncated, info = self.env.step(action)
            self.seen.append(torch.as_tensor(obs).clone())
            running = not (terminated | truncated).any()
        return self.seen[-1], info


class PPO:
    """Collects rollouts from `envs` and learns from them.

    Args:
        envs: a vector environment that resets environments itself.
    """

    def __init__(self, config: Config, envs: VectorEnv[Any, Any, Any]) -> None:
        self.config = config
        space, discrete = envs.single_observation_space, envs.single_action_space
        self.actions = np.array(config.actions or range(int(discrete.n)))
        chosen = has_bfloat16(config.device) if config.bfloat16 is None else config.bfloat16
        self.policy = Policy(space.shape, len(self.actions), chosen).to(config.device)
        self.optimizer = torch.optim.Adam(
            self.policy.parameters(), config.learning_rate, eps=1e-5, fused=True
        )
        self.rng = np.random.default_rng(config.seed)
        # To know what pictures have in common, look at some first.
        start = RandomStart(envs, self.actions, 100, self.rng) if self.policy.pictures else None
        self.shares = TimeShares(config.device if config.shares else None)
        self.envs = Watched(start or envs, self.shares)
        self.buffer = RolloutBuffer(
            self.envs,
            config.num_steps,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            output="torch",
            device=None if config.device == "cpu" else config.device,
        )
        self.buffer.reset(seed=config.seed * 1000)
        self.steps = 0
        self.steps_at_once = config.num_steps * envs.num_envs
        if start:
            self.policy.see(torch.cat(start.seen))
            self.steps = len(start.seen) * envs.num_envs
            start.seen.clear()

    def act(self, obs: np.ndarray) -> np.ndarray:
        """The likeliest actions."""
        with torch.inference_mode():
            obs = torch.as_tensor(seen(obs), device=self.config.device)
            return self.actions[self.policy(obs)[0].argmax(1).cpu().numpy()]

    @torch.inference_mode()
    def collect(self) -> Rollout:
        """Steps the environments until the buffer is full."""
        part = self.shares.part
        while not self.buffer.full:
            with part("policy", gpu=True):
                log_probs, value = self.policy(self.buffer.obs)
                choice, log_prob = sample(log_probs)
            with part("waiting"):
                choice = choice.cpu()
            with part("copies"):
                action = self.actions[choice.numpy()]
                self.buffer.step(action, value, choice=choice, log_prob=log_prob)
        self.steps += self.steps_at_once
        return self.buffer.finish(lambda obs: self.policy(obs)[1])

    def learn(self, rollout: Rollout) -> None:
        """Several epochs of clipped policy gradient over the rollout."""
        config = self.config
        for _ in range(config.epochs):
            for batch in even_minibatches(rollout, config.minibatch, self.rng):
                log_probs, value = self.policy(batch["obs"])
                log_prob = log_probs.gather(1, batch["choice"][:, None]).squeeze(1)
                ratio = (log_prob - batch["log_prob"]).exp()
                a = batch["advantages"]
                a = (a - a.mean()) / (a.std() + 1e-8)
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                policy_loss = -torch.minimum(ratio * a, clipped * a).mean()
                value_loss = (value - batch["returns"]).square().mean() / 2
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
        rollout = self.collect()
        with self.shares.part("update", gpu=True):
            self.learn(rollout)
        return self.envs.take_returns()

    def facts(self) -> dict[str, float]:
        """For the log."""
        return {"env_seconds": self.shares.seconds().get("steps", 0.0)}

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {"policy": self.policy.state_dict(), "optimizer": self.optimizer.state_dict()}

    def load(self, state: dict[str, Any]) -> None:
        """From a checkpoint."""
        self.policy.load_state_dict(state["policy"])
        self.optimizer.load_state_dict(state["optimizer"])


def policy(checkpoint: str) -> Callable[[np.ndarray], np.ndarray]:
    """The likeliest actions, for `parallel-pool watch --policy ppo_discrete.py:policy --checkpoint FILE`."""
    return trained(checkpoint, Config, make_envs, PPO)


def main() -> None:
    """Trains as the command line says, and tells how well the likeliest actions do in 100 episodes."""
    config = from_command_line(**CONFIGS)
    ppo = train(config, make_envs, PPO)
    with closing(make_envs(replace(config, device="cpu"), 100, episode_statistics=True)) as envs:
        mean = parallel_pool.evaluate(envs.unwrapped, ppo.act).mean
    print(f"likeliest actions, 100 episodes: {mean:.4g}")


if __name__ == "__main__":
    main()
