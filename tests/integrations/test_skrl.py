"""skrl: its wrapper sees of a pool what it sees of Gymnasium's vector environment, and trains."""

from pathlib import Path
from typing import Any

import gymnasium
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.libraries import needed, training

needed("skrl", "skrl.agents.torch.ppo", "skrl.trainers.torch")

import skrl  # noqa: E402
import torch  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from parallel_pool_learning import skrl as skrl_adapter  # noqa: E402
from parallel_pool_learning.skrl import make_env  # noqa: E402
from skrl.agents.torch.ppo import PPO  # noqa: E402
from skrl.envs.wrappers.torch import wrap_env  # noqa: E402
from skrl.memories.torch import RandomMemory  # noqa: E402
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model  # noqa: E402
from skrl.trainers.torch import SequentialTrainer  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


def rows(envs: Any, steps: int) -> list[Any]:
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


def test_a_time_limit_leads_to_the_last_observation() -> None:
    class Agent:
        def record_transition(self, **rows: Any) -> None:
            self.rows = rows

    agent, env = Agent(), make_env("CartPole-v1", 4, seed=1, max_episode_steps=5)
    skrl_adapter.bootstrap_from_final_obs(agent, env)
    env.reset()
    for step in range(1, 11):
        obs, _, terminated, truncated, infos = env.step(torch.full((4, 1), step % 2))
        agent.record_transition(
            next_observations=obs, terminated=terminated, truncated=truncated, infos=infos
        )
        assert bool(truncated.all()) == (step % 5 == 0)
        last = torch.as_tensor(infos["final_obs_dense"]) if step % 5 == 0 else obs
        assert torch.equal(agent.rows["next_observations"], last)
        assert agent.rows["terminated"] is terminated
    assert not torch.equal(obs, last)
    env.close()


def test_it_gets_no_rows_of_resets() -> None:
    """In these no action is played: the reward of CartPole is 0 there and nowhere else."""
    env = make_env("CartPole-v1", 4, seed=1)
    env.reset()
    rewards = [env.step(torch.randint(0, 2, (4, 1)))[1] for _ in range(60)]
    assert all(bool((each == 1).all()) for each in rewards)
    env.close()
    with refused(parallel_pool.OptionError, "skrl trains one player"):
        make_env("TwoPlayerPong-v0", 2)


def model(mixin: Any, env: Any, outputs: int) -> Any:
    """One layer, whose outputs are what the mixin makes of them."""

    class Linear(mixin, Model):  # type: ignore[misc]
        def __init__(self) -> None:
            spaces = {"observation_space": env.observation_space, "action_space": env.action_space}
            Model.__init__(self, **spaces, device=env.device)
            mixin.__init__(self)
            self.net = torch.nn.Linear(4, outputs)

        def compute(self, inputs: Any, role: str = "") -> Any:
            return self.net(inputs["observations"]), {}

    return Linear()


def test_ppo_trains(tmp_path: Path) -> None:
    torch.manual_seed(0)
    env = make_env("CartPole-v1", 8)
    models = {"policy": model(CategoricalMixin, env, 2), "value": model(DeterministicMixin, env, 1)}
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
    with training(models["policy"]):
        trainer.train()
