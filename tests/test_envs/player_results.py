"""Results of pools of several players, against the model."""

from collections.abc import Callable
from typing import Any

import numpy as np
from test_envs.player_counts_model import Row, flat
from test_envs.pools import make

MODES = ("NextStep", "SameStep", "Disabled")


COLUMNS = {
    **{name: name for name in ("present", "acting", "ended", "age")},
    **{name: f"player_{name}" for name in ("terminated", "truncated")},
    "episode_return": "returns",
}
"""By the names of `info["players"]`: the model's."""


def check_columns(
    result: tuple[Any, ...], rows: list[Row], env_ids: list[int], layout: Callable[..., Any]
) -> None:
    """What results of both layouts have: `flat`, or `padded`."""
    obs, reward, terminated, truncated, info = result
    assert info["env_id"].tolist() == env_ids
    for name, of_rows in COLUMNS.items():
        np.testing.assert_array_equal(info["players"][name], layout(rows, of_rows), name)
    np.testing.assert_array_equal(obs["own"], layout(rows, "own"))
    np.testing.assert_array_equal(obs["common"][:, 0], [row.common for row in rows])
    np.testing.assert_array_equal(reward, layout(rows, "reward"))
    np.testing.assert_array_equal(terminated, [row.terminated for row in rows])
    np.testing.assert_array_equal(truncated, [row.truncated for row in rows])


def check(result: tuple[Any, ...], rows: list[Row], env_ids: list[int]) -> None:
    """A result of the gym view, whose per-player arrays are flat."""
    check_columns(result, rows, env_ids, flat)
    info = result[-1]
    players = info["players"]
    whose = [
        (env, k) for env, row in zip(env_ids, rows, strict=True) for k in np.flatnonzero(row.shown)
    ]
    assert list(zip(players["env_id"].tolist(), players["id"].tolist(), strict=True)) == whose
    np.testing.assert_array_equal(info["crowd"], [row.common for row in rows])
    np.testing.assert_array_equal(info["elapsed_step"], [row.elapsed for row in rows])
    if "final_obs" in info:
        final = players["final"]
        np.testing.assert_array_equal(final, flat(rows, "final"))
        np.testing.assert_array_equal(
            info["final_obs"]["own"][final], flat(rows, "final_own")[final]
        )
        np.testing.assert_array_equal(
            players["final_info"]["age"][final], flat(rows, "final_age")[final]
        )
        for row, common in zip(rows, info["final_obs"]["common"][:, 0], strict=True):
            assert not row.length or common == row.final_common


def team(**arguments: Any) -> Any:
    return make("Team", "gym", num_envs=2, **arguments)
