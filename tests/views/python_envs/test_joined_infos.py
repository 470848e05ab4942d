"""Infos of several batches in one, with `recv(min_batch=)`: as if they were of one batch."""

from typing import Any

import numpy as np
import pytest
from parallel_pool.schema.batches import concatenated
from test_envs.python_envs import Make, same
from test_envs.telling import ODD, plain, told


def test_batches_that_are_joined(make: Make) -> None:
    """Each row is a batch of its own first."""
    with told(make, {}, {}, batch_size=1) as pool:
        for one, two in [
            *ODD,
            (1, 2.5),
            (2**63 + 1, 2**53 + 1),
            (2**63 + 1, 0.5),
            (2**53 + 1, 0.5),
            ({}, 0),
            ({"a": 1}, {"a": None}),
        ]:
            pool.set_attr("gives", [{"odd": one, "fine": 1}, {"odd": two}])
            pool.async_reset()
            _, _, _, _, info = pool.recv(min_batch=2, max_batch=2)
            assert sorted(info["env_id"].tolist()) == [0, 1]
            order = [info["env_id"].tolist().index(env) for env in (0, 1)]
            odd = info["odd"]
            if isinstance(odd, dict):
                assert odd["_a"].tolist() == [True, True]
                odd = [{"a": each} for each in odd["a"]]
            assert plain([odd[row] for row in order]) == plain([one, two])
            assert info["_odd"].tolist() == [True, True]
            assert [info["_fine"][row] for row in order] == [True, False]


def infos(*rows: dict[Any, Any]) -> list[dict[Any, Any]]:
    """Batches with these infos, each also with a row that has none."""
    return [
        {"env_id": np.arange(2)}
        | {key: value for key, value in row.items()}
        | {f"_{key}": np.array([True, False]) for key in row}
        for row in rows
    ]


def test_rows_without_an_info_are_none_among_objects() -> None:
    whole = concatenated(
        infos({"t": np.array([3, 0], "m8[s]")}, {"t": np.array([2.5, 0.0])}, {"u": np.ones(2)})
    )
    same(whole["t"], np.array([np.timedelta64(3, "s"), None, 2.5, None, None, None], object))
    assert whole["_t"].tolist() == [True, False, True, False, False, False]
    assert whole["u"].tolist() == [0, 0, 0, 0, 1, 1]


@pytest.mark.parametrize("turned", [False, True])
def test_the_mask_of_one_batch_is_a_value_in_another(turned: bool) -> None:
    parts = infos({"_t": np.array([7, 7])}, {"t": np.array([1, 0])})
    whole = concatenated(parts[::-1] if turned else parts)
    rows = [True, False, False, False] if turned else [False, False, True, False]
    assert whole["_t"].tolist() == rows
    assert whole["_t"].dtype == np.bool_


def test_keys_that_are_written_alike_share_their_mask(make: Make) -> None:
    """As in Gymnasium."""
    with told(make, {1: 5}, {"1": 6}) as pool:
        for _ in range(2):
            _, info = pool.reset()
            assert info[1].tolist() == [5, 0]
            assert info["1"].tolist() == [0, 6]
            assert info["_1"].tolist() == [True, True]
    whole = concatenated(infos({1: np.ones(2)}, {"1": np.ones(2)}))
    assert whole["_1"].tolist() == [True, False, True, False]
