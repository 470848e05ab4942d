"""Stable-Baselines3: a pool beside its own DummyVecEnv, and what its wrappers make of it."""

import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.wrappers.vector import ClipReward
from parallel_pool import OptionError
from test_envs.checks import refused
from test_envs.libraries import needed

needed("stable_baselines3")

from parallel_pool.views.gymnasium import GymnasiumPool  # noqa: E402
from parallel_pool_learning.sb3 import SB3VecEnv, make_vec_env  # noqa: E402
from stable_baselines3 import HerReplayBuffer  # noqa: E402
from stable_baselines3.common.evaluation import evaluate_policy  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import (  # noqa: E402
    DummyVecEnv,
    VecCheckNan,
    VecEnv,
    VecFrameStack,
    VecMonitor,
    VecNormalize,
)


def dummy(task_id: str, num_envs: int, monitor: bool = False, **options: Any) -> Any:
    def make() -> Any:
        env = gymnasium.make(task_id, **options)
        return Monitor(env) if monitor else env

    return DummyVecEnv([make] * num_envs)


def assert_same(ours: Any, theirs: Any, where: str) -> None:
    """Equal values, however they are held. MuJoCo's resets give all infos of a step, and its warnings."""
    if isinstance(theirs, dict):
        assert set(theirs) <= set(ours), where
        assert len(theirs) == len(ours) or "mujoco_warning" in ours, where
        for name in theirs:
            assert_same(ours[name], theirs[name], f"{where}[{name!r}]")
    else:
        assert np.array_equal(ours, theirs), f"{where}: {ours} is not {theirs}"


def assert_same_run(ours: VecEnv, theirs: VecEnv, steps: int) -> int:
    """Steps both with the same actions; gives how many episodes ended."""
    for each in (ours, theirs):
        each.seed(11)
        each.action_space.seed(5)
    assert_same(ours.reset(), theirs.reset(), "obs")
    assert_same(dict(enumerate(ours.reset_infos)), dict(enumerate(theirs.reset_infos)), "reset")
    ended = 0
    for step in range(steps):
        actions = np.array([theirs.action_space.sample() for _ in range(theirs.num_envs)])
        results = zip(ours.step(actions), theirs.step(actions), strict=True)
        for name, (mine, other) in zip(("obs", "reward", "done", "infos"), results, strict=True):
            where = f"{name} of step {step}"
            if name == "infos":
                for env, pair in enumerate(zip(mine, other, strict=True)):
                    for info in pair:
                        info.get("episode", {}).pop("t", None)
                    assert_same(*pair, f"{where}, environment {env}")
            else:
                assert_same(mine, other, where)
                assert mine.dtype == other.dtype, where
                ended += int(np.sum(mine)) if name == "done" else 0
        for mine, other in zip(ours.reset_infos, theirs.reset_infos, strict=True):
            assert_same(mine, other, f"reset_infos of step {step}")
    return ended


@pytest.mark.parametrize(
    ("task_id", "options", "steps"),
    [
        ("CartPole-v1", {"max_episode_steps": 12}, 300),
        ("FrozenLake-v1", {}, 300),
        ("Taxi-v4", {"max_episode_steps": 20}, 100),
        ("Pendulum-v1", {"max_episode_steps": 20}, 100),
        ("Hopper-v5", {}, 100),
    ],
)
def test_trajectories_and_infos_are_those_of_dummy_vec_env(
    task_id: str, options: dict[str, Any], steps: int
) -> None:
    ours = make_vec_env(task_id, 4, episode_statistics=False, **options)
    theirs = dummy(task_id, 4, **options)
    assert assert_same_run(ours, theirs, steps) >= 4
    ours.close()
    theirs.close()


def test_episodes_are_those_of_monitor() -> None:
    ours = make_vec_env("CartPole-v1", 3, max_episode_steps=15)
    theirs = dummy("CartPole-v1", 3, monitor=True, max_episode_steps=15)
    assert ours.env_is_wrapped(Monitor) == [True] * 3
    assert ours.env_is_wrapped(Monitor, [0]) == [True]
    assert ours.env_is_wrapped(gymnasium.wrappers.TimeLimit) == [False] * 3
    assert assert_same_run(ours, theirs, 100) > 10


@pytest.mark.parametrize(
    "wrap",
    [
        VecMonitor,
        VecNormalize,
        lambda envs: VecFrameStack(VecMonitor(envs), 3),
        lambda envs: VecCheckNan(envs, raise_exception=True),
    ],
)
def test_wrappers_see_what_they_see_of_dummy_vec_env(wrap: Any) -> None:
    ours = wrap(make_vec_env("CartPole-v1", 4, episode_statistics=False, max_episode_steps=25))
    theirs = wrap(dummy("CartPole-v1", 4, max_episode_steps=25))
    assert assert_same_run(ours, theirs, 200) > 20
    if isinstance(ours, VecNormalize):
        assert np.array_equal(ours.obs_rms.mean, theirs.obs_rms.mean)
        assert np.array_equal(ours.obs_rms.var, theirs.obs_rms.var)
        assert ours.ret_rms.var == theirs.ret_rms.var


def test_it_is_a_vec_env_with_the_pools_spaces() -> None:
    envs = make_vec_env("Pong-v5", 2)
    assert isinstance(envs, VecEnv)
    assert envs.observation_space == envs.pool.single_observation_space
    assert envs.num_envs == 2
    assert envs.spec.id == "atari/Pong-v5"
    envs.reset()
    *_, infos = envs.step(np.zeros(2, np.int64))
    assert infos[0]["lives"] == 0
    assert infos[0]["TimeLimit.truncated"] is False
    envs.close()


def test_options_of_a_reset() -> None:
    envs = make_vec_env("CartPole-v1", 2)
    envs.set_options({"low": 0.01, "high": 0.02})
    assert (envs.reset() > 0).all()
    assert (envs.reset() < 0).any()
    envs.set_options([{"low": 0.03, "high": 0.04}, {}])
    first, second = envs.reset()
    assert (first > 0.02).all() and not (second > 0.02).all()


def test_lasting_options_of_resets() -> None:
    envs = make_vec_env("CartPole-v1", 2, max_episode_steps=3)
    envs.set_options([{"low": 0.04, "high": 0.05}, None], lasting=True)
    begins = [envs.reset()] + [
        obs for obs, _, done, _ in (envs.step(np.zeros(2, int)) for _ in range(6)) if done.all()
    ]
    assert len(begins) == 3
    for first, second in begins:
        assert (first > 0.03).all() and not (second > 0.03).all()
    envs.set_options(lasting=True)
    assert not (envs.reset() > 0.03).all()


def test_attributes_by_index() -> None:
    envs = make_vec_env("classic/CartPole-v1", 3)
    assert envs.get_attr("sutton_barto_reward") == [False] * 3
    assert envs.get_attr("render_mode", [0, 2]) == [None, None]
    assert envs.get_attr("render_mode", 1) == [None]
    assert not envs.has_attr("gravity")
    with refused(AttributeError, "gravity", "env_options={'gravity': [...]}"):
        envs.set_attr("gravity", 1.6)
    for name in ("fly", "compute_reward"):
        with refused(AttributeError, name):
            envs.env_method(name)


def test_hindsight_asks_the_task() -> None:
    """HerReplayBuffer gives half of what it samples other goals; the pool's own rewards are the class's too."""
    envs = make_vec_env("tasks/Reach-v0", 2, threshold=0.1, seed=3)
    spaces = envs.observation_space, envs.action_space
    buffer = HerReplayBuffer(400, *spaces, envs, n_envs=2, n_sampled_goal=1)
    obs = envs.reset()
    for _ in range(100):
        action = np.stack([envs.action_space.sample() for _ in range(2)])
        seen, reward, done, infos = envs.step(action)
        last = {name: each.copy() for name, each in seen.items()}
        for row in np.flatnonzero(done):
            for name, each in infos[row]["terminal_observation"].items():
                last[name][row] = each
        buffer.add(obs, last, action, reward, done, infos)
        obs = seen
    sample = buffer.sample(300)
    given, achieved = sample.observations["desired_goal"], sample.next_observations["achieved_goal"]
    far = np.linalg.norm((given - achieved).numpy(), axis=-1) >= 0.1
    np.testing.assert_array_equal(sample.rewards.numpy()[:, 0], -far.astype(np.float32))
    assert 30 < far.sum() < 270


def test_attributes_and_methods_of_python_environments() -> None:
    envs = make_vec_env("gym:CartPole-v1", 3, num_threads=1)
    envs.reset()
    envs.set_attr("gravity", 1.6, [0, 2])
    assert envs.get_attr("gravity") == [1.6, 9.8, 1.6]
    assert envs.get_attr("gravity", 1) == [9.8]
    assert envs.env_method("get_wrapper_attr", "gravity", indices=[2]) == [1.6]
    assert not envs.has_attr("nothing")
    envs.close()


def test_pictures() -> None:
    envs = make_vec_env("CartPole-v1", 4, render_mode="rgb_array")
    envs.reset()
    images = envs.get_images()
    assert [image.shape for image in images] == [(400, 600, 3)] * 4
    tiled = envs.render()
    assert tiled.shape == (800, 1200, 3)
    assert np.array_equal(envs.env_method("render", indices=[3])[0], images[3])
    assert envs.metadata["render_fps"] == 50
    with pytest.warns(UserWarning, match="render_mode='rgb_array'"):
        assert make_vec_env("CartPole-v1", 2).get_images() == [None, None]


def test_gymnasiums_vector_wrappers_may_be_in_between() -> None:
    pool = parallel_pool.make("CartPole-v1", num_envs=2, autoreset_mode="SameStep")
    envs = SB3VecEnv(gymnasium.wrappers.vector.TransformReward(pool, lambda reward: reward * 3))
    envs.reset()
    _, reward, *_ = envs.step(np.ones(2, np.int64))
    assert reward.tolist() == [3, 3]
    for _ in range(12):
        _, _, done, infos = envs.step(np.ones(2, np.int64))
        assert [("terminal_observation" in info) for info in infos] == done.tolist()
    envs.close()


def test_other_pools_are_refused() -> None:
    with refused(OptionError, "'classic/BlackjackBox-v1' is the same with a Box"):
        make_vec_env("Blackjack-v1", 2)
    assert make_vec_env("classic/BlackjackBox-v1", 2).reset().shape == (2, 3)
    words = ("trains one player", "sb3_players.make_vec_env", "parallel_pool.pettingzoo")
    with refused(OptionError, *words):
        make_vec_env("TwoPlayerPong-v0", 2)


def test_a_pool_that_is_refused_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []
    monkeypatch.setattr(GymnasiumPool, "close", lambda self: closed.append(self))
    with pytest.raises(parallel_pool.OptionError):
        make_vec_env("CartPole-v1", 2, autoreset_mode="NextStep")
    assert len(closed) == 1


def test_wrappers_are_not_left_out_of_an_evaluation() -> None:
    with parallel_pool.make("CartPole-v1", num_envs=2, autoreset_mode="SameStep") as pool:
        ours, steady = SB3VecEnv(pool), lambda obs: np.zeros(len(obs), int)
        assert len(parallel_pool.evaluate(ours, steady, 3).episodes) == 3
        for wrapped in (VecNormalize(ours), SB3VecEnv(ClipReward(pool, 0, 1))):
            with pytest.raises(OptionError, match="around the pool would be left out"):
                parallel_pool.evaluate(wrapped, steady)


def test_scores_of_atari_are_those_of_games(tmp_path: Path) -> None:
    """As the pool counts them, and Monitor would below SB3's wrappers (Atari's test_scores.py). What
    `evaluate_policy` takes for episodes are games, and so are the rows of a monitor_file.
    """
    pytest.importorskip("parallel_pool_atari")
    options: dict[str, Any] = {"episodic_life": True, "reward_clip": True, "seed": 3}
    ours = make_vec_env("Qbert-v5", 2, monitor_file=tmp_path / "games", **options)
    ours.reset()
    scores: list[Any] = []
    wanted: list[Any] = []
    rng = np.random.default_rng(1)
    with parallel_pool.make(
        "Qbert-v5", num_envs=2, autoreset_mode="SameStep", episode_statistics=True, **options
    ) as pool:
        pool.reset()
        for _ in range(800):
            actions = rng.integers(0, 6, 2)
            *_, infos = ours.step(actions)
            scores += [each["episode"]["r"] for each in infos if "episode" in each]
            *_, info = pool.step(actions)
            if "episode" in info:
                wanted += info["episode"]["r"][info["_episode"]].tolist()
    assert scores == wanted
    header, names, *rows = (tmp_path / "games.monitor.csv").read_text().splitlines()
    assert json.loads(header[1:])["env_id"] == "atari/Qbert-v5"
    assert names == "r,l,t"
    assert [float(row.split(",")[0]) for row in rows] == scores
    with refused(OptionError, "leave episode_statistics=False out"):
        make_vec_env("Qbert-v5", episode_statistics=False, monitor_file=tmp_path / "none")
    assert len(scores) >= 2
    assert max(scores) > 20  # more than all lives' signs

    class Random:
        def predict(self, obs: Any, **_: Any) -> Any:
            return rng.integers(0, 6, len(obs)), None

    _, lengths = evaluate_policy(Random(), ours, 2, return_episode_rewards=True)
    assert min(lengths) > 100  # a life has about 70
    ours.close()
