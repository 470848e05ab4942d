"""Several batches of an asynchronous pool as one: `recv(min_batch=, max_batch=, max_wait=)`."""

import time
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import NothingPendingError
from test_envs.checks import refused


def pool(**options: Any) -> Any:
    arguments: dict[str, Any] = {"num_envs": 8, "batch_size": 1, "seed": 1}
    return parallel_pool.make("CartPole-v1", **{**arguments, **options})


def test_as_many_rows_as_are_there_within_the_bounds() -> None:
    with pool() as envs:
        envs.async_reset()
        time.sleep(0.2)
        obs, reward, terminated, truncated, info = envs.recv(min_batch=2, max_batch=5)
        assert len(obs) == len(reward) == len(terminated) == len(truncated) == 5
        assert sorted(set(info["env_id"].tolist())) == sorted(info["env_id"].tolist())
        rest, *_ = envs.recv(min_batch=1, max_batch=8)
        assert len(rest) == 3
        with refused(NothingPendingError, "nothing is on its way"):
            envs.recv(min_batch=1)


def test_it_waits_for_the_least_and_no_longer_than_asked_for_more() -> None:
    with pool(num_envs=4) as envs:
        envs.async_reset([0, 1, 2])
        obs, *_ = envs.recv(min_batch=3, max_batch=4, max_wait=0.05)
        assert len(obs) == 3
        envs.async_reset([3])
        with refused(NothingPendingError, "nothing is on its way"):
            envs.recv(min_batch=2)
        # What had come before is not lost.
        obs, *_ = envs.recv(min_batch=1)
        assert len(obs) == 1


def test_infos_of_episodes_that_end_in_some_batches() -> None:
    with pool(num_envs=6, autoreset_mode="SameStep", episode_statistics=True) as envs:
        envs.async_reset()
        ended = 0
        for _ in range(60):
            obs, _, terminated, truncated, info = envs.recv(min_batch=4, max_batch=6)
            done = terminated | truncated
            if done.any():
                np.testing.assert_array_equal(info["_episode"], done)
                assert (info["episode"]["l"][done] > 0).all()
                assert (info["episode"]["l"][~done] == 0).all()
                lasts = [each is not None for each in info["final_obs"]]
                assert lasts == done.tolist()
                ended += int(done.sum())
            assert info["elapsed_step"].shape == (len(obs),)
            envs.send(np.ones(len(obs), int), info["env_id"])
        assert ended > 10


def test_each_environment_does_what_it_does_otherwise() -> None:
    def rows(**batches: int) -> list[Any]:
        kept = []
        with pool(num_envs=5) as envs:
            envs.async_reset()
            while len(kept) < 30:
                obs, *_, info = envs.recv(**batches)
                for env, each in zip(info["env_id"].tolist(), obs, strict=True):
                    if env == 2:
                        kept.append(each.tolist())
                envs.send(info["env_id"] % 2, info["env_id"])
        return kept[:30]

    assert rows() == rows(min_batch=2, max_batch=4)


def test_rows_that_cannot_be_joined_come_one_batch_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever keeps them apart: every row arrives, and the pool goes on."""

    def never(_: Any) -> None:
        raise TypeError("no dtype holds both")

    with pool(num_envs=4) as envs:
        envs.async_reset()
        with monkeypatch.context() as patch:
            patch.setattr("parallel_pool.views.batch_joiner.concatenated", never)
            with pytest.raises(TypeError, match="no dtype") as caught:
                envs.recv(min_batch=4)
            assert "4 received rows cannot be joined. No row is lost" in caught.value.__notes__[0]
            ids = [envs.recv(min_batch=4)[-1]["env_id"].tolist() for _ in range(3)]
            ids.append(envs.recv()[-1]["env_id"].tolist())
        assert sorted(ids) == [[0], [1], [2], [3]]
        envs.send(np.zeros(4, int), np.arange(4))
        assert len(envs.recv(min_batch=4)[0]) == 4


@pytest.mark.parametrize(
    ("batch_sizes", "bounds", "words"),
    [
        ((2,), {"min_batch": 0}, "min_batch is 0"),
        ((2,), {"min_batch": 5, "max_batch": 4}, "min_batch is 5 and max_batch 4"),
        ((2,), {"max_batch": 9}, "in batch_size .. num_envs (2 .. 8)"),
        ((2,), {"min_batch": 3, "max_batch": 3}, "no multiple of batch_size=2"),
        ((2,), {"min_batch": 2, "max_wait": -1.0}, "max_wait is -1.0"),
        ((1, 8), {"max_wait": float("nan")}, "max_wait is nan"),
        ((1, 8), {"max_wait": -1}, "max_wait is -1"),
        ((1, 8), {"max_wait": "soon"}, "max_wait is 'soon'"),
        ((1, 8), {"max_wait": True, "max_batch": 8}, "max_wait is True"),
        ((1, 8), {"min_batch": True}, "min_batch is True, expected a number of rows"),
        ((1, 8), {"max_batch": 2.0}, "max_batch is 2.0, expected a number of rows"),
    ],
)
def test_other_bounds_are_refused(
    batch_sizes: tuple[int, ...], bounds: dict[str, Any], words: str
) -> None:
    for batch_size in batch_sizes:
        with pool(batch_size=batch_size) as envs:
            envs.async_reset()
            with refused(OptionError, words):
                envs.recv(**bounds)
            assert len(envs.recv()[0]) == batch_size
