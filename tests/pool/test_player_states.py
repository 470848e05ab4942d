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
@pytest.mark.parametrize("env_type", ["gym", "gymnasium"])
def test_states(mode: str, env_type: str) -> None:
    """A restored environment goes on as its twin, players, counts and returns included."""
    arguments: dict[str, Any] = {"autoreset_mode": mode, "episode_statistics": True}
    with (
        make("Crowd", env_type, num_envs=1, seed=3, **arguments) as twin,
        make("Crowd", env_type, num_envs=3, seed=9, **arguments) as pool,
    ):
        model = CrowdModel(3, mode)
        twin.reset()
        model.reset()
        pool.reset()
        draw = np.random.default_rng(1)

        def actions() -> Any:
            count = int(model.row.shown.sum())
            if env_type == "gym":
                return some_actions(draw, count)
            places = np.full((1, 4), 99)
            places[0, model.row.shown] = some_actions(draw, count)
            return places

        restored = 0
        for step in range(200):
            if model.over and mode == "Disabled":
                twin.reset()
                pool.reset([1])
                model.reset()
            if step % 7 == 3:
                pool.reset()
                pool.set_state([1], twin.get_state())
                restored += 1
            elif not restored:
                twin.step(given := actions())
                model.step(_own(given, model))
                continue
            given = actions()
            wanted, got = twin.step(given), pool.step(given, [1])
            model.step(_own(given, model))
            wanted[4]["env_id"][:] = 1
            if env_type == "gym":
                wanted[4]["players"]["env_id"][:] = 1
            for kept in (wanted, got):
                kept[4].pop("episode", None)
            np.testing.assert_equal(got, wanted)
        assert restored > 20


def _own(given: Any, model: CrowdModel) -> list[int]:
    return given if isinstance(given, list) else given[0, model.row.shown].tolist()


def test_clones() -> None:
    with make("Crowd", "gym", num_envs=3, seed=0) as pool:
        pool.reset()
        pool.step([4, 1, 0, 0, 0, 0])
        pool.clone(0, [2])
        obs, *_ = pool.step([5, 5, 5, 6, 6, 5, 5, 5])
        np.testing.assert_array_equal(obs["own"][:2], obs["own"][-2:])


def test_a_state_of_another_number_of_players() -> None:
    with make("Team", players=2) as two, make("Team", players=3) as three:
        two.reset()
        with refused(parallel_pool.StateError, "'players'"):
            three.set_state(None, two.get_state())
