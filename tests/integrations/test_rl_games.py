"""rl_games: its runner on pools, for discrete and continuous actions."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.libraries import needed, training

rl_games = needed("rl_games", "rl_games.torch_runner")
yaml = needed("yaml")

import torch  # noqa: E402
from parallel_pool_learning.rl_games import (  # noqa: E402
    MODE,
    RLGamesVecEnv,
    make_vec_env,
    register_env,
)
from rl_games.common.algo_observer import DefaultAlgoObserver  # noqa: E402
from rl_games.common.ivecenv import IVecEnv  # noqa: E402
from rl_games.torch_runner import Runner  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


def configuration(example: str, name: str, folder: Path, **env_config: Any) -> dict[str, Any]:
    """An example that rl_games comes with, on our environments and for a moment."""
    file = Path(rl_games.__path__[0], "configs", example)
    params: dict[str, Any] = yaml.safe_load(file.read_text())["params"]
    params["config"] |= {
        **{"name": "run", "env_name": name, "env_config": env_config, "train_dir": str(folder)},
        **{"device": "cpu", "device_name": "cpu", "ppo": True, "value_bootstrap": True},
        **{"num_actors": 8, "horizon_length": 16, "minibatch_size": 128, "mini_epochs": 2},
        **{"max_epochs": 4, "score_to_win": 1e9, "save_best_after": 1000, "save_frequency": 0},
    }
    return {"params": {**params, "seed": 1}}


@pytest.mark.parametrize(
    ("task_id", "example"),
    [("CartPole-v1", "ppo_cartpole.yaml"), ("HalfCheetah-v5", "mujoco/halfcheetah.yaml")],
)
def test_its_runner_trains(task_id: str, example: str, tmp_path: Path) -> None:
    name = register_env(task_id, seed=3)
    runner = Runner()
    runner.load(configuration(example, name, tmp_path, max_episode_steps=20))
    agent = runner.algo_factory.create(runner.algo_name, base_name="run", params=runner.params)
    assert isinstance(agent.vec_env, RLGamesVecEnv)
    assert agent.vec_env.pool.config["max_episode_steps"] == 20
    agent.init_tensors()
    with training(agent.model):
        agent.train()
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


def test_what_is_registered_is_checked() -> None:
    with refused(parallel_pool.OptionError, "rl_games needs autoreset_mode='SameStep'"):
        register_env("CartPole-v1", autoreset_mode="Disabled")
    with refused(parallel_pool.OptionError, "num_actors"):
        register_env("CartPole-v1", num_envs=2)
