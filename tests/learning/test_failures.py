"""Environments that fail lose their own episodes, and no others; a rollout goes on."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parallel_pool import EnvError
from parallel_pool.errors import OptionError
from parallel_pool_learning import RolloutBuffer
from parallel_pool_learning.evaluating.episodes import LostEpisodesError
from test_envs.faulty_pools import ENDS, FINE, HANGS, THROWS, faulty

pytestmark = [
    pytest.mark.own_process(limit=60),
    pytest.mark.usefixtures("test_envs_library", "faulty_library"),
]


@pytest.mark.parametrize("isolation", [None, "process"])
def test_an_environment_that_throws(isolation: str | None) -> None:
    def policy(obs: np.ndarray) -> np.ndarray:
        actions = np.where(obs[:, 0] >= 4, ENDS, FINE)
        calls.append(len(obs))
        if len(calls) == 3:
            actions[1] = THROWS
        return actions

    for batch_size in (None, 2):
        calls: list[int] = []
        kind: dict[str, Any] = {"batch_size": batch_size, "isolation": isolation}
        with faulty(num_envs=3, autoreset_mode="SameStep", **kind) as envs:
            found = []
            with pytest.raises(LostEpisodesError, match="1 of 8 episodes were lost: seed") as lost:
                for each in envs.episodes(policy, range(8)):
                    found.append(each)
            (one,) = lost.value.lost
            assert "ordered to throw" in one.why
            assert [each.seed for each in found] == [s for s in range(8) if s != one.seed]
            assert {(each.length, each.return_) for each in found} == {(5, 5.0)}


def test_one_that_hangs_is_left() -> None:
    release = Path(tempfile.mkdtemp()) / "release"

    def policy(obs: np.ndarray) -> np.ndarray:
        actions = np.where(obs[:, 0] >= 2, ENDS, FINE)
        calls.append(len(obs))
        if len(calls) == 2:
            actions[0] = HANGS
        return actions

    for num_envs in (2, 1):
        calls: list[int] = []
        with faulty(num_envs=num_envs, step_timeout=0.5, release=str(release)) as envs:
            found = []
            with pytest.raises(LostEpisodesError) as lost:
                found.extend(envs.episodes(policy, range(4), order="ends"))
            assert len(found) + len(lost.value.lost) == 4
            assert len(found) == (3 if num_envs == 2 else 0)
            release.touch()
        release.unlink()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_what_the_others_did_is_kept_when_an_environment_fails(mode: str) -> None:
    with faulty(num_envs=3, autoreset_mode=mode) as envs:
        buffer = RolloutBuffer(envs, 3)
        with pytest.raises(OptionError, match=r"reset\(\) first"):
            buffer.step([FINE] * 3, np.zeros(3))
        buffer.reset()
        buffer.step([FINE] * 3, np.zeros(3))
        with pytest.raises(EnvError) as caught:
            buffer.step([FINE, THROWS, FINE], np.ones(3))
        with pytest.raises(OptionError, match=r"environments \[0, 1\] some are within an episode"):
            buffer.reset([0, 1])
        buffer.reset(list(caught.value.failures))
        buffer.step([FINE] * 3, np.zeros(3))
        rollout = buffer.finish(lambda obs: np.zeros(len(obs)))
        assert rollout.rewards.tolist() == [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
        assert rollout.truncated.tolist() == [[False] * 3, [False, True, False], [False] * 3]
        assert rollout.valid.all()
        assert rollout.values.tolist() == [[0] * 3, [1] * 3, [0] * 3]
        assert {key: each.tolist() for key, each in rollout.episodes.items()} == {
            "env_id": [1],
            "return": [1],
            "length": [2],
        }
        assert len(envs) == 3
