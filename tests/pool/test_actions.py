"""Actions: any dtype that fits is taken, everything else is refused by name, at every call."""

from typing import Any

import numpy as np
import pytest
from test_envs.checks import assert_works, refused
from test_envs.pools import make

N = 4


@pytest.fixture
def counts() -> Any:
    with make(num_envs=N, max_count=1000) as pool:
        pool.reset()
        yield pool


@pytest.fixture
def echo() -> Any:
    with make("Echo", num_envs=N) as pool:
        pool.reset()
        yield pool


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8"])
def test_every_integer_dtype_is_a_discrete_action(counts: Any, dtype: str) -> None:
    _, reward, *_ = counts.step(np.array([0, 1, 2, 1], dtype))
    assert reward.tolist() == [0, 1, 2, 1]


@pytest.mark.parametrize(
    "action",
    [
        [0, 1, 2, 1],
        (0, 1, 2, 1),
        [np.int8(0), 1, np.uint16(2), 1],
        np.array([0, 9, 1, 9, 2, 9, 1, 9])[::2],
        np.array([1, 2, 1, 0])[::-1],
        np.array([0, 1, 2, 1]).astype(object).astype(int),
        np.asfortranarray(np.array([0, 1, 2, 1])),
        memoryview(np.array([0, 1, 2, 1])),
    ],
)
def test_array_likes_are_actions(counts: Any, action: Any) -> None:
    _, reward, *_ = counts.step(action)
    assert reward.tolist() == [0, 1, 2, 1]


def test_an_unaligned_array_is_an_action(counts: Any) -> None:
    raw = np.zeros(N * 4 + 1, np.uint8)[1:].view(np.int32)
    raw[:] = [0, 1, 2, 1]
    assert counts.step(raw)[1].tolist() == [0, 1, 2, 1]


@pytest.mark.parametrize(
    "dtype", ["f2", "f4", "f8", "g", ">f4", ">f8", "i1", "i8", "u1", "u8", ">i4"]
)
def test_every_real_dtype_is_a_continuous_action(echo: Any, dtype: str) -> None:
    action = np.arange(2 * N).reshape(N, 2).astype(dtype)
    assert echo.step(action)[0].tolist() == action.astype(float).tolist()


@pytest.mark.parametrize("order", ["F", "transposed", "strided", "list"])
def test_every_memory_order_is_a_continuous_action(echo: Any, order: str) -> None:
    action = np.arange(2.0 * N).reshape(N, 2)
    given: Any = action
    if order == "F":
        given = np.asfortranarray(action)
    elif order == "transposed":
        given = np.ascontiguousarray(action.T).T
    elif order == "strided":
        given = np.repeat(np.repeat(action, 3, axis=0), 2, axis=1)[::3, ::2]
    elif order == "list":
        given = action.tolist()
    assert echo.step(given)[0].tolist() == action.tolist()


@pytest.mark.parametrize(
    ("action", "kind", "parts"),
    [
        ([0, 3, 0, 0], ValueError, ["environment 1", "is 3", "0 .. 2"]),
        ([0, 0, 0, -1], ValueError, ["environment 3", "is -1", "0 .. 2"]),
        (np.array([2**63, 0, 0, 0], "u8"), ValueError, ["environment 0", "9223372036854775808"]),
        (np.array([2**32, 0, 0, 0]), ValueError, ["environment 0", "4294967296"]),
        (np.array([0, 0, 1, 0], "f4"), TypeError, ["float32", "integers", "astype"]),
        ([0, np.nan, 0, 0], TypeError, ["float64", "integers"]),
        (np.array([True] * N), TypeError, ["bool", "integers"]),
        (["left"] * N, TypeError, ["integers"]),
        ([0, None, 0, 0], TypeError, ["object", "integers"]),
        (np.zeros(N, "c16"), TypeError, ["complex128", "integers"]),
        (None, (TypeError, ValueError), []),
        ({}, (TypeError, ValueError), []),
        ([[0, 1], [2]], TypeError, ["[[0, 1], [2]]"]),
        (1, ValueError, ["shape ()", "(4,)"]),
        ([0] * 3, ValueError, ["shape (3,)", "(4,)"]),
        ([0] * 5, ValueError, ["shape (5,)", "(4,)"]),
        ([], ValueError, ["shape (0,)", "(4,)"]),
        ([[0]] * N, ValueError, ["shape (4, 1)", "(4,)"]),
    ],
)
def test_other_discrete_actions_are_refused(
    counts: Any, action: Any, kind: Any, parts: list[str]
) -> None:
    counts.step([1] * N)
    with refused(kind, *parts):
        counts.step(action)
    # Nothing was stepped.
    obs, *_ = counts.step([1] * N)
    assert obs.tolist() == [2] * N
    assert_works(counts)


@pytest.mark.parametrize(
    ("action", "kind", "parts"),
    [
        (np.full((N, 2), np.nan), ValueError, ["element 0", "environment 0", "nan", "finite"]),
        ([[0, 0], [0, np.inf], [0, 0], [0, 0]], ValueError, ["element 1", "environment 1", "inf"]),
        (np.full((N, 2), -np.inf, "f4"), ValueError, ["-inf", "finite"]),
        (np.full((N, 2), 1e300), ValueError, ["1e+300", "finite"]),
        (np.full((N, 2), np.nan, "f2"), ValueError, ["nan", "finite"]),
        (np.full((N, 2), 1e300, "g"), ValueError, ["1e+300", "finite"]),
        (np.ones((N, 2), bool), TypeError, ["bool", "real numbers"]),
        (np.ones((N, 2), "c8"), TypeError, ["complex64", "real numbers"]),
        ([["a", "b"]] * N, TypeError, ["real numbers"]),
        (np.zeros((N, 3)), ValueError, ["shape (4, 3)", "(4, 2)"]),
        (np.zeros((N, 1)), ValueError, ["shape (4, 1)", "(4, 2)"]),
        (np.zeros((N, 2, 1)), ValueError, ["shape (4, 2, 1)", "(4, 2)"]),
        (np.zeros(2 * N), ValueError, ["shape (8,)", "(4, 2)"]),
        (np.zeros((2, N)), ValueError, ["shape (2, 4)", "(4, 2)"]),
        (0.5, ValueError, ["shape ()", "(4, 2)"]),
    ],
)
def test_other_continuous_actions_are_refused(
    echo: Any, action: Any, kind: Any, parts: list[str]
) -> None:
    echo.step(np.full((N, 2), 0.5))
    with refused(kind, *parts):
        echo.step(action)
    obs, *_ = echo.step(np.full((N, 2), 0.25))
    assert (obs == 0.25).all()


def test_continuous_actions_beyond_their_bounds_are_the_environments_affair(echo: Any) -> None:
    obs, *_ = echo.step(np.full((N, 2), 1e30))
    assert (obs == np.float32(1e30)).all()


def test_partial_sends_name_the_environment_not_the_row(counts: Any) -> None:
    with refused(ValueError, "environment 3", "is 7"):
        counts.step([0, 7], env_id=[1, 3])
    with refused(ValueError, "shape (4,)", "expected (2,)"):
        counts.step([0] * 4, env_id=[1, 3])
    assert_works(counts)


def nested(n: int = 2) -> dict[str, Any]:
    return {
        "arm": {"force": np.full((n, 2), 0.5), "grip": np.ones((n, 3), np.int8)},
        "joint": np.full(n, -2),
        "pair": (np.full(n, 2), np.full((n, 2), 1)),
    }


def test_nested_actions_reach_their_fields() -> None:
    with make("Types", num_envs=2) as pool:
        pool.reset()
        for action in (nested(), pool.action_space.sample()):
            echo = pool.step(action)[0]["echo"]
            for key in ("force", "grip"):
                assert (echo["arm"][key] == action["arm"][key]).all()
            assert (echo["joint"] == action["joint"]).all()
            for number in (0, 1):
                assert (echo["pair"][number] == action["pair"][number]).all()


def test_multi_binary_takes_bools() -> None:
    with make("Types", num_envs=2) as pool:
        pool.reset()
        action = nested()
        action["arm"]["grip"] = np.array([[True, False, True]] * 2)
        assert pool.step(action)[0]["echo"]["arm"]["grip"].tolist() == [[1, 0, 1]] * 2


@pytest.mark.parametrize(
    ("path", "value", "kind", "parts"),
    [
        (("arm", "grip"), np.full((2, 3), 2), ValueError, ["['arm']['grip']", "is 2", "0 .. 1"]),
        (("joint",), [3, 0], ValueError, ["['joint']", "environment 0", "is 3", "-2 .. 2"]),
        (("joint",), [0, -3], ValueError, ["['joint']", "environment 1", "is -3"]),
        (("pair",), ([0, 0], [[0, 0], [0, 2]]), ValueError, ["['pair'][1]", "element 1", "0 .. 1"]),
        (("pair",), ([0, 0],), ValueError, ["['pair'][1]", "missing"]),
        (("arm",), {"force": np.zeros((2, 2))}, ValueError, ["['arm']['grip']", "missing"]),
        (("arm",), 3, ValueError, ["['arm']", "missing"]),
        (("arm", "force"), np.zeros((2, 3)), ValueError, ["['arm']['force']", "(2, 3)", "(2, 2)"]),
        (("arm", "force"), "push", (TypeError, ValueError), ["['arm']['force']"]),
    ],
)
def test_nested_actions_are_refused_by_path(
    path: tuple[str, ...], value: Any, kind: Any, parts: list[str]
) -> None:
    with make("Types", num_envs=2) as pool:
        pool.reset()
        action = nested()
        node = action
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = value
        with refused(kind, *parts):
            pool.step(action)
        obs, *_ = pool.step(nested())
        assert obs["types"]["i4"].tolist() == [[1] * 3] * 2


@pytest.mark.parametrize("env_id", [[4], [0, 99], [-1], np.array([2**40]), np.array([255], "u1")])
def test_env_ids_out_of_range(counts: Any, env_id: Any) -> None:
    bad = str(np.asarray(env_id)[-1])
    with refused(IndexError, f"env_id {bad}", "0 .. 3"):
        counts.step([0] * len(env_id), env_id=env_id)
    with refused(IndexError, f"env_id {bad}", "0 .. 3"):
        counts.reset(env_id)
    assert_works(counts)


@pytest.mark.parametrize(
    ("env_id", "kind", "parts"),
    [
        ([0, 0], ValueError, ["env_id 0 occurs twice"]),
        ([1, 2, 3, 1], ValueError, ["env_id 1 occurs twice"]),
        ([0.0, 1.0], TypeError, ["env_id", "float64", "int32"]),
        (np.array([True, False]), TypeError, ["env_id", "bool"]),
        ([[0, 1]], ValueError, ["env_id", "(1, 2)", "one dimension"]),
        ([], ValueError, ["env_id is empty"]),
        (["a"], TypeError, ["env_id"]),
        ([[0], [1, 2]], TypeError, ["env_id"]),
    ],
)
def test_other_env_ids_are_refused(
    counts: Any, env_id: Any, kind: type[Exception], parts: list[str]
) -> None:
    with refused(kind, *parts) as _:
        counts.step([0] * np.size(env_id) if kind is not TypeError else [0], env_id=env_id)
    with refused(kind, *parts):
        counts.reset(env_id)
    assert_works(counts)


@pytest.mark.parametrize("env_id", [2, np.int64(2), [2], (2,), np.array([2], "i8"), np.array(2)])
def test_env_ids_of_every_integer_kind(counts: Any, env_id: Any) -> None:
    *_, info = counts.step([1], env_id=env_id)
    assert info["env_id"].tolist() == [2]
    _, info = counts.reset(env_id, seed=3)
    assert info["env_id"].tolist() == [2]
