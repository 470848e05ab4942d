"""Actions: any dtype and form that fits is taken. What is refused: test_bad_actions.py."""

from typing import Any

import numpy as np
import pytest
from test_envs.pools import begun, make

N = 4


@pytest.fixture
def counts() -> Any:
    with begun(make(num_envs=N, max_count=1000)) as pool:
        yield pool


@pytest.fixture
def echo() -> Any:
    with begun(make("Echo", num_envs=N)) as pool:
        yield pool


@pytest.mark.parametrize(
    "action",
    [
        *(np.array([0, 1, 2, 1], f"{kind}{size}") for kind in "iu" for size in (1, 2, 4, 8)),
        *(np.array([0, 1, 2, 1], dtype) for dtype in (">i4", ">u8")),
        [0, 1, 2, 1],
        (0, 1, 2, 1),
        [np.int8(0), 1, np.uint16(2), 1],
        np.array([0, 9, 1, 9, 2, 9, 1, 9])[::2],
        np.array([1, 2, 1, 0])[::-1],
        np.array([0, 1, 2, 1]).astype(object).astype(int),
        np.asfortranarray(np.array([0, 1, 2, 1])),
        memoryview(np.array([0, 1, 2, 1])),
        np.frombuffer(b"\0" + np.array([0, 1, 2, 1]).tobytes(), np.int64, offset=1),  # unaligned
    ],
)
def test_row_17_integers_of_every_dtype_and_form_are_discrete_actions(
    counts: Any, action: Any
) -> None:
    _, reward, *_ = counts.step(action)
    assert reward.tolist() == [0, 1, 2, 1]


FORCES = np.arange(2.0 * N).reshape(N, 2)


@pytest.mark.parametrize(
    "given",
    [
        *(FORCES.astype(dtype) for dtype in ("f2", "f4", "f8", "g", ">f4", ">f8")),
        *(FORCES.astype(dtype) for dtype in ("i1", "i8", "u1", "u8", ">i4")),
        np.asfortranarray(FORCES),
        np.ascontiguousarray(FORCES.T).T,
        np.repeat(np.repeat(FORCES, 3, axis=0), 2, axis=1)[::3, ::2],
        FORCES.tolist(),
    ],
)
def test_every_real_dtype_and_memory_order_is_a_continuous_action(echo: Any, given: Any) -> None:
    assert echo.step(given)[0].tolist() == FORCES.tolist()


def test_continuous_actions_beyond_their_bounds_are_the_environments_affair(echo: Any) -> None:
    obs, *_ = echo.step(np.full((N, 2), 1e30))
    assert (obs == np.float32(1e30)).all()


def nested(n: int = 2) -> dict[str, Any]:
    return {
        "arm": {"force": np.full((n, 2), 0.5), "grip": np.ones((n, 3), np.int8)},
        "joint": np.full(n, -2),
        "pair": (np.full(n, 2), np.full((n, 2), 1)),
    }


def test_nested_actions_reach_their_fields() -> None:
    with begun(make("Types", num_envs=2)) as pool:
        bools = nested()
        bools["arm"]["grip"] = np.array([[True, False, True]] * 2)
        for action in (nested(), bools, pool.action_space.sample()):
            echo = pool.step(action)[0]["echo"]
            for key in ("force", "grip"):
                assert (echo["arm"][key] == action["arm"][key]).all()
            assert (echo["joint"] == action["joint"]).all()
            for number in (0, 1):
                assert (echo["pair"][number] == action["pair"][number]).all()


@pytest.mark.parametrize("env_id", [2, np.int64(2), [2], (2,), np.array([2], "i8"), np.array(2)])
def test_env_ids_of_every_integer_kind(counts: Any, env_id: Any) -> None:
    *_, info = counts.step([1], env_id=env_id)
    assert info["env_id"].tolist() == [2]
    _, info = counts.reset(env_id, seed=3)
    assert info["env_id"].tolist() == [2]
