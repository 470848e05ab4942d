"""Results of pools of several players, against the model."""

from typing import Any

import numpy as np
from test_envs.player_counts_model import Row, flat
from test_envs.pools import make

MODES = ("NextStep", "SameStep", "Disabled")


def check(result: tuple[Any, ...], rows: list[Row], env_ids: list[int]) -> None:
    """A result of the gym view, whose per-player arrays are flat."""
    obs, reward, terminated, truncated, info = result
    players = info["players"]
    whose = [
        (env, k) for env, row in zip(env_ids, rows, strict=True) for k in np.flatnonzero(row.shown)
    ]
    assert list(zip(players["env_id"].tolist(), players["id"].tolist(), strict=True)) == whose
    assert info["env_id"].tolist() == env_ids
    np.testing.assert_array_equal(obs["own"], flat(rows, "own"))
    np.testing.assert_array_equal(obs["common"][:, 0], [row.common for row in rows])
    np.testing.assert_array_equal(info["crowd"], [row.common for row in rows])
    np.testing.assert_array_equal(reward, flat(rows, "reward"))
    np.testing.assert_array_equal(players["age"], flat(rows, "age"))
    np.testing.assert_array_equal(players["episode_return"], flat(rows, "returns"))
    for name in ("present", "acting", "ended"):
        np.testing.assert_array_equal(players[name], flat(rows, name), name)
    np.testing.assert_array_equal(players["terminated"], flat(rows, "player_terminated"))
    np.testing.assert_array_equal(players["truncated"], flat(rows, "player_truncated"))
    np.testing.assert_array_equal(terminated, [row.terminated for row in rows])
    np.testing.assert_array_equal(truncated, [row.truncated for row in rows])
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
