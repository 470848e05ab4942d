"""Whose actions of several players are taken, in which forms, and which are refused."""

from typing import Any

import numpy as np
import pytest
from test_envs.checks import refused
from test_envs.player_results import team
from test_envs.pools import begun, make


def test_actions_flat_padded_and_named_are_the_same() -> None:
    values = np.array([0, 1, 2, 3, 0, 1])
    env_id = np.array([0, 0, 0, 1, 1, 1])
    number = np.array([0, 1, 2, 0, 1, 2])
    order = np.array([4, 0, 5, 1, 3, 2])
    ways: list[Any] = [
        values,
        values.astype(np.uint8),
        values.tolist(),
        values.reshape(2, 3),
        {"players.action": values},
        {"action": values.reshape(2, 3), "env_id": [0, 1]},
        {"players.action": values, "players.env_id": env_id, "env_id": np.arange(2)},
        {"players": {"action": values, "env_id": env_id}},
        {"action": values[order], "players.env_id": env_id[order], "players.id": number[order]},
        # Named by environment only: in each, players come in their order.
        {"action": values[[3, 0, 4, 1, 5, 2]], "players.env_id": env_id[[3, 0, 4, 1, 5, 2]]},
    ]
    for way in ways:
        with begun(team()) as pool:
            obs, reward, *_ = pool.step(way)
            assert obs[:, 2].tolist() == values.tolist()
            assert reward.tolist() == [0, 2, 6, 3, 0, 3]
        with begun(team()) as pool:
            pool.send(way)
            assert pool.recv()[0][:, 2].tolist() == values.tolist()


def test_actions_of_the_environments_named() -> None:
    with begun(team()) as pool:
        assert pool.step([3, 2, 1], [1])[0][:, 2].tolist() == [3, 2, 1]
        assert pool.step([[1, 2, 3], [3, 2, 1]], [1, 0])[0][:, 2].tolist() == [1, 2, 3, 3, 2, 1]
        action = {"env_id": [1], "players.action": [0, 1, 0], "players.env_id": [1, 1, 1]}
        assert pool.step(action)[0][:, 2].tolist() == [0, 1, 0]
        with refused(ValueError, "env_id is an argument and a key"):
            pool.step(action, [1])


def test_places_of_the_absent_are_not_looked_at() -> None:
    with begun(make("Crowd", "gym", num_envs=2)) as pool:
        # 99 is no action, but no player is there.
        result = pool.step(np.array([[5, 1, 99, 99], [6, 7, 99, -1]]))
        assert result[1].tolist() == [5, 11, 6, 17]
        # Player 1 of environment 0 has ended: its action counts, and is ignored; or is left out.
        named = {"action": [5, 5, 5], "players.env_id": [0, 1, 1], "players.id": [0, 0, 1]}
        assert pool.step(named)[1].tolist() == [5, 5, 15]


BAD: list[tuple[Any, type[Exception], tuple[str, ...]]] = [
    ([0] * 5, ValueError, ("has 5 rows, expected 6", "3 of environment 0, 3 of environment 1")),
    ([0] * 7, ValueError, ("has 7 rows, expected 6",)),
    (np.zeros((2, 4), int), ValueError, ("shape (2, 4)", "(players,)", "(2, 3)")),
    (np.zeros((3, 3), int), ValueError, ("shape (3, 3)", "(2, 3)")),
    (np.zeros((2, 3, 1), int), ValueError, ("shape (2, 3, 1)",)),
    (0, ValueError, ("shape ()",)),
    ([0, 0, 0, 0, 5, 0], ValueError, ("environment 1, player 1 is 5, not in 0 .. 4",)),
    ([[0, 0, -1], [0, 0, 0]], ValueError, ("environment 0, player 2 is -1",)),
    ([0.0] * 6, TypeError, ("takes integers",)),
    ({"action": [0] * 6, "players.env_id": [0, 0, 0, 1, 1]}, ValueError, ("has no row for player 2 of environment 1",)),  # noqa: E501
    ({"action": [0] * 5, "players.env_id": [0, 0, 0, 1, 1, 1]}, ValueError, ("5 rows", "players.env_id 6")),
    ({"action": [0] * 6, "players.env_id": [0, 0, 0, 0, 1, 1]}, ValueError, ("more rows for environment 0 than the 3",)),  # noqa: E501
    ({"action": [0] * 6, "players.env_id": [0, 0, 0, 1, 1, 2]}, ValueError, ("names environment 2",)),
    ({"action": [0] * 6, "players.env_id": [0, 0, 0, 1, 1, -1]}, ValueError, ("names environment -1",)),
    ({"action": [0] * 6, "players.env_id": [0.0] * 6}, TypeError, ("players.env_id", "integers")),
    ({"action": [0] * 6, "players.id": [0, 1, 2] * 2}, ValueError, ("players.id needs players.env_id",)),
    ({"action": [0] * 6, "players.env_id": [0, 0, 0, 1, 1, 1], "players.id": [0, 1]}, ValueError, ("players.id has 2",)),  # noqa: E501
    ({"action": [0] * 6, "players.env_id": [0, 0, 0, 1, 1, 1], "players.id": [0, 1, 1] * 2}, ValueError, ("player 1 of environment 0 occurs twice",)),  # noqa: E501
    ({"action": [0] * 6, "players.env_id": [0, 0, 0, 1, 1, 1], "players.id": [0, 1, 3] * 2}, ValueError, ("environment 0 did not show a player 3",)),  # noqa: E501
    ({"action": np.zeros((2, 3), int), "players.env_id": [0] * 6}, ValueError, ("takes no players.env_id",)),
    ({"move": [0] * 6}, ValueError, ("['move']", "expected 'action'")),
    ({}, ValueError, ("expected 'action'",)),
]  # fmt: skip


@pytest.mark.parametrize(("action", "kind", "parts"), BAD, ids=map(str, range(len(BAD))))
def test_bad_actions_change_nothing(
    action: Any, kind: type[Exception], parts: tuple[str, ...]
) -> None:
    with begun(team()) as pool:
        with refused(kind, *parts):
            pool.step(action)
        with refused(kind, *parts):
            pool.send(action)
        obs, *_, info = pool.step([0, 1, 2, 3, 2, 1])
        assert obs[:, 1:].tolist() == [[1, 0], [1, 1], [1, 2], [1, 3], [1, 2], [1, 1]]
        assert info["elapsed_step"].tolist() == [1, 1]


def test_the_count_is_that_of_the_last_answer() -> None:
    with begun(make("Crowd", "gym", num_envs=2)) as pool:
        pool.step([4, 0, 0, 1])
        with refused(
            ValueError, "has 4 rows, expected 5", "3 of environment 0, 2 of environment 1"
        ):
            pool.step([0, 0, 0, 0])
        assert len(pool.step([0, 0, 0, 0, 0])[1]) == 4
        # All players leave: none is left to act, and the environment goes on.
        pool.step([3, 3, 3, 3])
        obs, reward, _, _, info = pool.step(np.zeros(0, int))
        assert obs["own"].shape == (0, 4)
        assert reward.shape == (0,)
        assert info["elapsed_step"].tolist() == [4, 4]
        assert pool.step(np.zeros((2, 4), int))[1].shape == (0,)
