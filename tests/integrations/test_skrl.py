"""skrl takes a pool as it is: its wrapper sees what it sees of Gymnasium's vector environment, and trains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import parallel_pool
import pytest
from test_envs.libraries import needed

needed("skrl", "skrl.agents.torch.ppo", "skrl.trainers.torch")

import skrl  # noqa: E402
import torch  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from skrl.agents.torch.ppo import PPO  # noqa: E402
from skrl.envs.wrappers.torch import wrap_env  # noqa: E402
from skrl.memories.torch import RandomMemory  # noqa: E402
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model  # noqa: E402
from skrl.trainers.torch import SequentialTrainer  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


def rows(envs: Any, steps: int) -> list[Any]:
    """All that `steps` steps with random actions give."""
    env = wrap_env(envs, verbose=False)
    obs, _ = env.reset()
    torch.manual_seed(0)
    seen = [obs]
    for _ in range(steps):
        obs, reward, terminated, truncated, _ = env.step(torch.randint(0, 2, (4, 1)))
        seen += [obs, reward, terminated, truncated]
    env.close()
    return seen


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_its_wrapper_sees_what_it_sees_of_gymnasiums(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(skrl.config.torch), "key", 7)  # the seed of the first reset
    ours = parallel_pool.make("CartPole-v1", num_envs=4, autoreset_mode=mode)
    theirs = SyncVectorEnv(
        [lambda: gymnasium.make("CartPole-v1")] * 4, autoreset_mode=AutoresetMode(mode)
    )
    for mine, other in zip(rows(ours, 60), rows(theirs, 60), strict=True):
        assert mine.dtype == other.dtype
        assert torch.equal(mine, other)


def test_it_draws() -> None:
    env = wrap_env(
        parallel_pool.make("CartPole-v1", num_envs=2, render_mode="rgb_array"), verbose=False
    )
    env.reset()
    assert [frame.shape for frame in env.render()] == [(400, 600, 3)] * 2


class Policy(CategoricalMixin, Model):  # type: ignore[misc]
    """The logits of two actions."""

    def __init__(self, env: Any) -> None:
        Model.__init__(
            self,
            observation_space=env.observation_space,
            action_space=env.action_space,
            device=env.device,
        )
        CategoricalMixin.__init__(self)
        self.net = torch.nn.Linear(4, 2)

    def compute(self, inputs: Any, role: str = "") -> Any:
        return self.net(inputs["observations"]), {}


class Value(DeterministicMixin, Model):  # type: ignore[misc]
    """The value of a state."""

    def __init__(self, env: Any) -> None:
        Model.__init__(
            self,
            observation_space=env.observation_space,
            action_space=env.action_space,
            device=env.device,
        )
        DeterministicMixin.__init__(self)
        self.net = torch.nn.Linear(4, 1)

    def compute(self, inputs: Any, role: str = "") -> Any:
        return self.net(inputs["observations"]), {}


def test_ppo_trains(tmp_path: Path) -> None:
    torch.manual_seed(0)
    pool = parallel_pool.make("CartPole-v1", num_envs=8, autoreset_mode="SameStep")
    env = wrap_env(pool, verbose=False)
    models = {"policy": Policy(env), "value": Value(env)}
    before = [each.detach().clone() for each in models["policy"].parameters()]
    agent = PPO(
        models=models,
        memory=RandomMemory(memory_size=32, num_envs=8, device=env.device),
        observation_space=env.observation_space,
        action_space=env.action_space,
        device=env.device,
        cfg={
            "rollouts": 32,
            "learning_epochs": 2,
            "mini_batches": 2,
            "experiment": {
                "directory": str(tmp_path),
                "write_interval": 0,
                "checkpoint_interval": 0,
            },
        },
    )
    trainer = SequentialTrainer(
        env=env, agents=agent, cfg={"timesteps": 96, "headless": True, "disable_progressbar": True}
    )
    trainer.train()
    after = models["policy"].parameters()
    assert any(bool((old != new.detach()).any()) for old, new in zip(before, after, strict=True))
