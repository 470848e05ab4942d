"""When episodes begin and end: autoreset NEXT_STEP, time limits, resets by hand."""

from typing import Any

import numpy as np
import pytest
from parallel_pool import ResetNeededError
from test_envs.checks import refused
from test_envs.pools import make, native


def rows(pool: Any, actions: list[int]) -> list[tuple[Any, ...]]:
    """(obs, reward, terminated, truncated, elapsed) of one environment, step by step."""
    pool.reset()
    result = []
    for action in actions:
        obs, reward, terminated, truncated, info = pool.step(np.array([action]))
        values = (obs, reward, terminated, truncated, info["elapsed_step"])
        result.append(tuple(value[0].item() for value in values))
    return result


@pytest.mark.parametrize("threads", [1, 2])
def test_next_step_autoreset_is_exact(threads: int) -> None:
    with make(max_count=3, num_threads=threads) as pool:
        assert rows(pool, [1, 2, 1, 2, 1, 1, 1]) == [
            (1, 1.0, False, False, 1),
            (2, 2.0, False, False, 2),
            (3, 1.0, True, False, 3),
            # The action is ignored; the row is the first of a new episode.
            (0, 0.0, False, False, 0),
            (1, 1.0, False, False, 1),
            (2, 1.0, False, False, 2),
            (3, 1.0, True, False, 3),
        ]


def test_episodes_of_one_pool_end_apart() -> None:
    options = [{"max_count": count} for count in (1, 2, 3, 4)]
    pool = native("Count", num_envs=4, options=options)
    pool.reset()
    counts, ends = [], []
    for _ in range(5):
        obs, _, terminated, _, _, elapsed = pool.step(np.ones(4, np.int32))
        assert obs.tolist() == elapsed.tolist()
        counts.append(obs.tolist())
        ends.append(terminated.tolist())
    assert np.array(counts).T.tolist() == [
        [1, 0, 1, 0, 1],
        [1, 2, 0, 1, 2],
        [1, 2, 3, 0, 1],
        [1, 2, 3, 4, 0],
    ]
    assert (np.array(ends) == (np.array(counts) == [1, 2, 3, 4])).all()


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        ({"max_count": 100, "max_episode_steps": 2}, (False, True)),
        ({"max_count": 2, "max_episode_steps": 2}, (True, True)),
        ({"max_count": 2, "max_episode_steps": 3}, (True, False)),
        ({"max_count": 2}, (True, False)),
        ({"max_count": 100, "truncate_at": 2}, (False, True)),
        ({"max_count": 2, "truncate_at": 2}, (True, True)),
        ({"max_count": 100, "truncate_at": 2, "max_episode_steps": 2}, (False, True)),
    ],
)
def test_both_flags_say_what_happened(options: dict[str, int], ends: tuple[bool, bool]) -> None:
    with make(**options) as pool:
        steps = rows(pool, [0, 0, 0, 0])
    assert [row[2:] for row in steps] == [
        (False, False, 1),
        (*ends, 2),
        (False, False, 0),
        (False, False, 1),
    ]


def test_without_a_time_limit_episodes_go_on() -> None:
    with make(max_count=1000000) as pool:
        pool.reset()
        for _ in range(3000):
            _, _, terminated, truncated, info = pool.step(np.zeros(1, int))
        assert not terminated[0]
        assert not truncated[0]
        assert info["elapsed_step"][0] == 3000


def test_the_environments_own_time_limit_holds_and_can_be_changed() -> None:
    for steps, arguments in ((3, {}), (5, {"max_episode_steps": 5})):
        with make("Discount", **arguments) as pool:
            assert pool.config["max_episode_steps"] == steps
            assert pool.spec.max_episode_steps == steps
            pool.reset()
            ends = [bool(pool.step(np.zeros(1, int))[3][0]) for _ in range(steps)]
            assert ends == [False] * (steps - 1) + [True]


def test_reset_of_some_environments_keeps_the_others_and_their_order() -> None:
    with make(num_envs=6, max_count=50) as pool:
        pool.reset()
        for _ in range(3):
            pool.step(np.ones(6, int))
        obs, info = pool.reset([4, 1])
        assert obs.tolist() == [0, 0]
        assert info["env_id"].tolist() == [4, 1]
        assert info["elapsed_step"].tolist() == [0, 0]
        obs, *_ = pool.step(np.ones(6, int))
        assert obs.tolist() == [4, 1, 4, 4, 1, 4]
        obs, *_, info = pool.step(np.zeros(3, int), env_id=np.array([5, 0, 2]))
        assert info["env_id"].tolist() == [5, 0, 2]
        assert obs.tolist() == [5, 5, 5]


def test_reset_in_the_middle_or_at_the_end_of_an_episode_starts_a_new_one() -> None:
    with make(max_count=2) as pool:
        rows(pool, [0, 0])  # ended: the next step would reset
        obs, _ = pool.reset()
        assert obs[0] == 0
        obs, *_ = pool.step(np.zeros(1, int))
        assert obs[0] == 1


def test_info_of_the_environment_is_passed_on() -> None:
    with make(num_envs=3, scale=2.0) as pool:
        _, info = pool.reset()
        assert info["total"].tolist() == [0, 0, 0]
        pool.step(np.array([0, 1, 2]))
        *_, info = pool.step(np.array([0, 1, 2]))
        assert info["total"].tolist() == [0, 4, 8]
        assert info["_total"].all()


def test_disabled_autoreset_wants_a_reset_by_hand() -> None:
    pool = native("Count", num_envs=2, autoreset="Disabled", options=[{"max_count": 1}])
    pool.reset()
    pool.step(np.zeros(2, int))
    with refused(ResetNeededError, "environment 0 has ended", "reset it first"):
        pool.step(np.zeros(2, int))
    pool.reset([0])
    with refused(ResetNeededError, "environment 1 has ended"):
        pool.step(np.zeros(1, int), [1])
    obs, *_ = pool.step(np.zeros(1, int), [0])
    assert obs.tolist() == [1]
