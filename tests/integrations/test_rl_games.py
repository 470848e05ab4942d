"""rl_games: its runner on pools, for discrete and continuous actions."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.libraries import needed

needed("rl_games", "rl_games.torch_runner")

import torch  # noqa: E402
from parallel_pool.integrations.rl_games import (  # noqa: E402
    MODE,
    RLGamesVecEnv,
    make_vec_env,
    register_env,
)
from rl_games.common.algo_observer import DefaultAlgoObserver  # noqa: E402
from rl_games.common.ivecenv import IVecEnv  # noqa: E402
from rl_games.torch_runner import Runner  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


def configuration(name: str, folder: Path, continuous: bool, **env_config: Any) -> dict[str, Any]:
    space: dict[str, Any] = {"discrete": {}}
    if continuous:
        constant = {"name": "const_initializer", "val": 0}
        space = {
            "continuous": {
                "mu_activation": "None",
                "sigma_activation": "None",
                "mu_init": {"name": "default"},
                "sigma_init": constant,
                "fixed_sigma": True,
            }
        }
    kind = "continuous" if continuous else "discrete"
    return {
        "params": {
            "seed": 1,
            "algo": {"name": f"a2c_{kind}"},
            "model": {"name": f"{kind}_a2c" + ("_logstd" if continuous else "")},
            "network": {
                "name": "actor_critic",
                "separate": False,
                "space": space,
                "mlp": {
                    "units": [32],
                    "activation": "relu",
                    "initializer": {"name": "default"},
                    "regularizer": {"name": "None"},
                },
            },
            "config": {
                "name": "run",
                "env_name": name,
                "env_config": env_config,
                "reward_shaper": {"scale_value": 1.0},
                "device": "cpu",
                "device_name": "cpu",
                "train_dir": str(folder),
                "num_actors": 8,
                "horizon_length": 16,
                "minibatch_size": 128,
                "mini_epochs": 2,
                "max_epochs": 4,
                "ppo": True,
                "e_clip": 0.2,
                "clip_value": True,
                "gamma": 0.99,
                "tau": 0.95,
                "learning_rate": 1e-3,
                "lr_schedule": "None",
                "grad_norm": 1.0,
                "truncate_grads": True,
                "critic_coef": 1,
                "entropy_coef": 0.0,
                "bounds_loss_coef": 0.0,
                "normalize_advantage": True,
                "normalize_input": True,
                "normalize_value": True,
                "value_bootstrap": True,
                "save_best_after": 1000,
                "save_frequency": 0,
                "score_to_win": 1e9,
            },
        }
    }


@pytest.mark.parametrize(
    ("task_id", "continuous"), [("CartPole-v1", False), ("HalfCheetah-v5", True)]
)
def test_its_runner_trains(task_id: str, continuous: bool, tmp_path: Path) -> None:
    name = register_env(task_id, seed=3)
    runner = Runner()
    runner.load(configuration(name, tmp_path, continuous, max_episode_steps=20))
    agent = runner.algo_factory.create(runner.algo_name, base_name="run", params=runner.params)
    assert isinstance(agent.vec_env, RLGamesVecEnv)
    assert agent.vec_env.pool.config["max_episode_steps"] == 20
    before = [each.detach().clone() for each in agent.model.parameters()]
    agent.init_tensors()
    agent.train()
    changed = zip(before, agent.model.parameters(), strict=True)
    assert any(bool((old != new.detach()).any()) for old, new in changed)
    assert agent.game_lengths.get_mean() <= 20
    agent.vec_env.close()


def test_rows_of_same_step() -> None:
    envs = make_vec_env("CartPole-v1", 3, max_episode_steps=8)
    assert isinstance(envs, IVecEnv)
    envs.seed(4)
    obs = envs.reset()
    with parallel_pool.make("CartPole-v1", num_envs=3) as pool:
        assert np.array_equal(obs, pool.reset(seed=4)[0])
    ended = 0
    for step in range(20):
        obs, reward, done, infos = envs.step(np.array([0, 1, step % 2]))
        assert reward.dtype == np.float32
        assert (np.abs(obs[done]) <= 0.05).all()  # the next episode has begun
        assert (infos["time_outs"] <= done).all()
        ended += int(infos["time_outs"].sum())
    assert ended > 0


def test_its_observer_logs_scores_of_games() -> None:
    """Of lives it would have signs only: Breakout gives a point or none for most of them."""
    pytest.importorskip("parallel_pool_atari")
    options: dict[str, Any] = {"episodic_life": True, "reward_clip": True, "seed": 2}
    envs = make_vec_env("Breakout-v5", 4, **options)
    observer = DefaultAlgoObserver()
    observer.after_init(
        SimpleNamespace(games_to_track=100, ppo_device="cpu", writer=None, num_agents=1)
    )
    envs.reset()
    rng = np.random.default_rng(0)
    scores = []
    with parallel_pool.make(
        "Breakout-v5", num_envs=4, autoreset_mode=MODE, episode_statistics=True, **options
    ) as pool:
        pool.reset()
        for _ in range(300):
            actions = rng.integers(0, 4, 4)
            _, _, done, infos = envs.step(actions)
            observer.process_infos(infos, torch.from_numpy(np.flatnonzero(done)))
            *_, info = pool.step(actions)
            if "episode" in info:
                scores += info["episode"]["r"][info["_episode"]].tolist()
    assert len(scores) > 2
    assert observer.game_scores.current_size == len(scores)
    assert observer.game_scores.get_mean() == pytest.approx(np.mean(scores))
    with make_vec_env("Breakout-v5", 1, episode_statistics="life", **options).pool as pool:
        assert not pool.definition.reports_games


def test_observations_are_float32() -> None:
    envs = make_vec_env("HalfCheetah-v5", 2)
    assert envs.reset().dtype == np.float32 == envs.get_env_info()["observation_space"].dtype
    assert make_vec_env("Pong-v5", 2).reset().dtype == np.uint8
    nested = make_vec_env("dmc/cartpole-balance-v1", 2)
    assert nested.reset()["position"].dtype == np.float32
    assert nested.get_number_of_agents() == 1


@pytest.mark.parametrize("mode", ["NextStep", "Disabled"])
def test_other_autoreset_modes_are_refused(mode: str) -> None:
    words = ("rl_games needs autoreset_mode='SameStep'", f"this pool has '{mode}'")
    with refused(parallel_pool.OptionError, *words):
        make_vec_env("CartPole-v1", 2, autoreset_mode=mode)
    with refused(parallel_pool.OptionError, *words):
        register_env("CartPole-v1", autoreset_mode=mode)


def test_other_pools_are_refused() -> None:
    with refused(parallel_pool.OptionError, "no observations in a Tuple", "Blackjack"):
        make_vec_env("Blackjack-v1", 2)
    with refused(parallel_pool.OptionError, "num_actors"):
        register_env("CartPole-v1", num_envs=2)
