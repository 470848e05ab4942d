"""What a pool refuses is refused without a pool too, in the same words: `_core.ActionChecker`."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.configure import make_config
from test_envs.bad_actions import BAD, NESTED, PENDULUM, Bad, N, nested, told, with_value


def checker(task_id: str, **options: Any) -> Any:
    return make_config(task_id, {"num_envs": 1, **options}).action_checker(N)


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_a_pool_and_its_checker_say_the_same(bad: Bad) -> None:
    check = checker(bad.task_id, **bad.options)
    # A thread begins sooner than a process, and actions are checked before they reach either.
    where = {"isolation": "thread"} if bad.task_id == NESTED else {}
    with parallel_pool.make(bad.task_id, **bad.arguments, **where) as pool:
        pool.reset(seed=0)
        theirs = told(pool.step, bad.action, bad.env_id)
        assert told(lambda: check.check(bad.action, check.ids(bad.env_id))) == theirs
        if "env_id" in theirs[1]:
            assert told(pool.reset, bad.env_id) == theirs
        good = (
            nested()
            if bad.task_id == NESTED
            else np.zeros((N, *pool.single_action_space.shape), int)
        )
        assert pool.step(good)[4]["elapsed_step"].tolist() == [1] * N


def test_good_actions_are_rows_of_the_fields_dtypes() -> None:
    check = checker(NESTED, out_of_bounds_action="clip")
    ids = check.ids([2, 0])
    assert ids.tolist() == [2, 0]
    assert check.ids(None).tolist() == list(range(N))
    arm, left, right = check.check(
        nested(2, arm=[[3, 0.5], [-3, 0]], legs=([1, -1], [[0], [1]])), ids
    )
    assert arm.dtype == np.float32
    assert arm.tolist() == [[1, 0.5], [-1, 0]]
    assert left.tolist() == [1, -1]
    assert right.dtype == np.int8
    assert right.tolist() == [[0], [1]]


def test_what_is_not_to_be_stepped_is_left_as_it_was_given() -> None:
    check = checker(PENDULUM, nan_action="truncate")
    given = with_value(1e300)
    (rows,) = check.check(given, check.ids(None))
    assert rows.dtype == np.float64
    assert rows.tolist() == given.tolist()
    assert check.check(np.ones((N, 1)), check.ids(None))[0].dtype == np.float32


def test_rows_of_players_need_their_pool(test_envs: None) -> None:
    check = checker("test/Team-v0")
    with pytest.raises(parallel_pool.NotOfferedError, match="rows of players"):
        check.check([0] * 3 * N, check.ids(None))
