"""`film(envs, policy)` films a pool of its own, and a notebook can show what it gives."""

from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError, ParallelPoolError
from parallel_pool_watch import film
from parallel_pool_watch.inline import Filmed

pytest.importorskip("parallel_pool_classic")


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lean(obs: np.ndarray) -> np.ndarray:
    return (obs[:, 2] + obs[:, 3] > 0).astype(np.int64)


def test_the_pool_stays_as_it_is() -> None:
    with parallel_pool.make("CartPole-v1", num_envs=20, max_episode_steps=30, seed=3) as envs:
        envs.reset()
        before = envs.get_state()
        filmed = film(envs, lean, steps=65, every=5, width=200)
        assert envs.get_state() == before
    assert filmed.path == Path("CartPole-v1.mp4")
    assert filmed.returns == [30.0] * 32  # of 16 environments, two episodes each
    assert repr(filmed) == "CartPole-v1.mp4: 32 episodes ended, mean return 30.00"
    assert repr(Filmed(filmed.path, [3.0], 9)) == "CartPole-v1.mp4: 1 episode ended, return 3.00"
    (shown,) = filmed._repr_mimebundle_(include=None, exclude=None).items()
    assert shown[0] == "text/html"
    assert '<video src="data:video/mp4;base64,AAAA' in shown[1]


def test_the_policy_sees_what_it_sees_in_training() -> None:
    options = {
        "env_options": {"sutton_barto_reward": [True, False, False]},
        "transform": {"normalize_obs": True},
    }
    seen = []

    def policy(obs: np.ndarray) -> np.ndarray:
        seen.append(obs)
        return lean(obs)

    with parallel_pool.make("CartPole-v1", num_envs=3, **options) as envs:
        obs, _ = envs.reset(seed=0)
        for _ in range(20):
            obs, *_ = envs.step(lean(obs))
        envs.obs_statistics.frozen = True
        filmed = film(envs, policy, "last.png", steps=10, num_envs=2, seed=5)
        assert filmed._repr_mimebundle_()["image/png"].startswith("iVBORw0KGgo")
        expected, _ = envs.reset(seed=5)
        for obs in seen:
            np.testing.assert_array_equal(obs, expected[:2])
            expected, *_ = envs.step(lean(expected))


def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    with parallel_pool.make("CartPole-v1", num_envs=2, output="torch") as envs:
        film(envs, lambda obs: torch.zeros(len(obs), dtype=torch.int64), "a.gif", steps=2)


def test_errors_name_the_cause() -> None:
    with (
        parallel_pool.make("CartPole-v1", "gym") as envs,
        pytest.raises(OptionError, match="env_type='gymnasium'"),
    ):
        film(envs, lean)
    with parallel_pool.make("CartPole-v1") as envs:
        with pytest.raises(ParallelPoolError, match="the policy failed at step 0: ZeroDivision"):
            film(envs, lambda obs: 1 / 0)
        with pytest.raises(OptionError, match=r"\.mp4"):
            film(envs, lean, "film.avi")
