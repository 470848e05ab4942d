"""What a pool refuses is refused without a pool too, in the same words: `_core.ActionChecker`."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.configure import make_config
from test_envs.bad_actions import (
    BAD,
    CART_POLE,
    CLIP,
    NESTED,
    PENDULUM,
    Bad,
    N,
    nested,
    told,
    with_value,
)
from test_envs.checks import recv_all, reset_all


def checker(task_id: str, **options: Any) -> Any:
    return make_config(task_id, {"num_envs": 1, **options}).action_checker(N)


MORE = (
    Bad(CART_POLE, np.array([2**63, 0, 0, 0], "u8"), "ValueError: 0 is 9223372036854775808"),
    Bad(CART_POLE, np.array([2**32, 0, 0, 0]), "ValueError: environment 0 is 4294967296, not in"),
    Bad(CART_POLE, [0, 0, 0, -(2**63)], "ValueError: environment 3 is -9223372036854775808"),
    Bad(CART_POLE, np.array([0, 0, 1, 0], "f4"), "TypeError: float32, but the action space takes"),
    *(
        Bad(CART_POLE, [0, np.nan, 0, 0], "TypeError: float64, but the action", None, options)
        for options in (CLIP, {"nan_action": "truncate"}, {"nan_action": "raise"})
    ),
    Bad(CART_POLE, {}, "ValueError: shape (), expected (4,)"),
    Bad(CART_POLE, [0], "IndexError: env_id 18446744073709551615", np.array([2**64 - 1], "u8")),
    Bad(CART_POLE, [0, 0], "TypeError: env_id is no array of numbers", [[0], [1, 2]]),
    Bad(PENDULUM, 0.5, "ValueError: shape (), expected (4, 1)"),
    Bad(PENDULUM, [["a"]] * N, "TypeError: the action space takes real numbers"),
    *(
        Bad(PENDULUM, np.full((N, 1), value, dtype), f"ValueError: 0 is {value}, not a finite")
        for value, dtype in ((np.nan, "f2"), (1e300, "g"), (-np.inf, "f4"))
    ),
    Bad(NESTED, nested(arm="push"), "ValueError: the action['arm'] has shape (), expected (4, 2)"),
    Bad(NESTED, nested(legs=([2] * N, np.ones((N, 1), int))), "ValueError: ['legs'][0] of"),
)
"""More of what pools refuse, in kinds that are no others for those who ask the checker."""


@pytest.mark.parametrize("bad", [*BAD, *MORE], ids=range(len(BAD + MORE)))
def test_row_01_02_05_13_14_15_16_pools_and_their_checker_say_the_same(bad: Bad) -> None:
    """In every call, of a pool that waits for all and of one that does not; and nothing is stepped."""
    check = checker(bad.task_id, **bad.options)
    name, _, words = bad.says.partition(": ")
    for batch_size in (N, 2):
        with parallel_pool.make(bad.task_id, batch_size=batch_size, **bad.arguments) as pool:
            reset_all(pool)
            kind, text = theirs = told(pool.send, bad.action, bad.env_id)
            assert kind.__name__ == name
            assert words in text
            assert told(lambda: check.check(bad.action, check.ids(bad.env_id))) == theirs
            if batch_size == N:
                assert told(pool.step, bad.action, bad.env_id) == theirs
            if "env_id" in text:
                for call in (pool.reset, pool.async_reset):
                    assert told(call, bad.env_id) == theirs
                if bad.task_id != NESTED:
                    assert told(pool.get_state, bad.env_id) == theirs
            good = np.zeros((N, *(pool.single_action_space.shape or ())), int)
            pool.send(nested() if bad.task_id == NESTED else good, range(N))
            for batch in recv_all(pool):
                assert batch[4]["elapsed_step"].tolist() == [1] * batch_size


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


def test_rows_of_players_need_their_pool() -> None:
    check = checker("test/Team-v0")
    with pytest.raises(parallel_pool.NotOfferedError, match="rows of players"):
        check.check([0] * 3 * N, check.ids(None))
