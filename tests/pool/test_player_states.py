"""States and clones of environments with several players."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.player_counts_model import CrowdModel, some_actions
from test_envs.player_results import MODES
from test_envs.pools import make


@pytest.mark.parametrize("mode", MODES)
def test_states(mode: str) -> None:
    """A restored environment goes on as its twin, players, counts and returns included."""
    arguments: dict[str, Any] = {"autoreset_mode": mode, "episode_statistics": True}
    with (
        make("Crowd", "gym", num_envs=1, seed=3, **arguments) as twin,
        make("Crowd", "gym", num_envs=3, seed=9, **arguments) as pool,
    ):
        model = CrowdModel(3, mode)
        twin.reset()
        model.reset()
        pool.reset()
        draw = np.random.default_rng(1)
        for step in range(200):
            if model.over and mode == "Disabled":
                twin.reset()
                pool.reset([1])
                model.reset()
            if step % 7 == 0:
                pool.reset()
                pool.set_state([1], twin.get_state())
            given = some_actions(draw, int(model.row.shown.sum()))
            wanted, got = twin.step(given), pool.step(given, [1])
            model.step(given)
            wanted[4]["env_id"][:] = wanted[4]["players"]["env_id"][:] = 1
            for kept in (wanted, got):
                kept[4].pop("episode", None)
            np.testing.assert_equal(got, wanted)


def test_a_state_of_another_number_of_players() -> None:
    with make("Team", players=2) as two, make("Team", players=3) as three:
        two.reset()
        with refused(parallel_pool.StateError, "'players'"):
            three.set_state(None, two.get_state())
