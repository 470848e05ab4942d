"""Several players: who is there, what is theirs, and whose actions are taken, against a model in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.compiling import SOURCES, compile_plugin
from test_envs.player_counts_model import CrowdModel, Row, flat, some_actions
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


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("limit", [0, 6])
@pytest.mark.parametrize("mode", MODES)
def test_in_lockstep_with_the_model(mode: str, limit: int, threads: int) -> None:
    n = 7
    arguments = {"max_episode_steps": limit} if limit else {}
    pool = make(
        "Crowd", "gym", num_envs=n, num_threads=threads, seed=5, autoreset_mode=mode, **arguments
    )
    models = [CrowdModel(5 + env, mode, limit) for env in range(n)]
    draw = np.random.default_rng(0)
    everybody = list(range(n))
    with pool:
        pool.async_reset()
        check(pool.recv(), [model.reset() for model in models], everybody)
        ended = 0
        for _ in range(300):
            ids = everybody
            if mode == "Disabled":
                if over := [env for env in everybody if models[env].over]:
                    pool.async_reset(over)
                    check(pool.recv(), [models[env].reset() for env in over], over)
            elif draw.random() < 0.5:
                ids = draw.permutation(n)[: draw.integers(1, n)].tolist()
            actions = [some_actions(draw, int(models[env].row.shown.sum())) for env in ids]
            result = pool.step(np.concatenate(actions).astype(int), np.array(ids))
            rows = [models[env].step(own) for env, own in zip(ids, actions, strict=True)]
            check(result, rows, ids)
            ended += sum(row.length > 0 for row in rows)
        assert ended >= 10


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("threads", [1, 3])
def test_asynchronous_pools(mode: str, threads: int) -> None:
    n = 7
    pool = make(
        "Crowd", "gym", num_envs=n, batch_size=3, num_threads=threads, seed=5,
        autoreset_mode=mode, max_episode_steps=9,
    )  # fmt: skip
    models = [CrowdModel(5 + env, mode, 9) for env in range(n)]
    draws = [np.random.default_rng(env) for env in range(n)]
    with pool:
        pool.async_reset()
        waiting: dict[int, Row] = {env: models[env].reset() for env in range(n)}
        for _ in range(300):
            result = pool.recv()
            ids = result[4]["env_id"].tolist()
            check(result, [waiting[env] for env in ids], ids)
            actions = [some_actions(draws[env], int(waiting[env].shown.sum())) for env in ids]
            pool.send(np.concatenate(actions).astype(int), np.array(ids))
            for env, own in zip(ids, actions, strict=True):
                waiting[env] = models[env].step(own)


def team(**arguments: Any) -> Any:
    return make("Team", "gym", num_envs=2, **arguments)


def test_a_full_batch_is_flat_without_a_copy() -> None:
    with team() as pool, make("Crowd", "gym", num_envs=2) as crowd:
        obs = pool.reset()
        assert obs.shape == (6, 3)
        assert type(obs.base).__name__ == "PyCapsule"
        reward = pool.step(np.zeros((2, 3), int))[1]
        assert reward.shape == (6,)
        assert type(crowd.reset()["own"].base).__name__ == "PyCapsule"  # closed up in place


def test_arrays_are_never_overwritten() -> None:
    with make("Crowd", "gym", num_envs=3, seed=1) as pool:
        pool.reset()
        kept = []
        draw = np.random.default_rng(0)
        count = 6
        for _ in range(30):
            result = pool.step(np.array(some_actions(draw, count), dtype=int))
            kept.append((result[0]["own"], result[0]["own"].copy()))
            count = len(result[1])
        for array, copy in kept:
            np.testing.assert_array_equal(array, copy)


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
        with team() as pool:
            pool.reset()
            obs, reward, *_ = pool.step(way)
            assert obs[:, 2].tolist() == values.tolist()
            assert reward.tolist() == [0, 2, 6, 3, 0, 3]
        with team() as pool:
            pool.reset()
            pool.send(way)
            assert pool.recv()[0][:, 2].tolist() == values.tolist()


def test_actions_of_the_environments_named() -> None:
    with team() as pool:
        pool.reset()
        assert pool.step([3, 2, 1], [1])[0][:, 2].tolist() == [3, 2, 1]
        assert pool.step([[1, 2, 3], [3, 2, 1]], [1, 0])[0][:, 2].tolist() == [1, 2, 3, 3, 2, 1]
        action = {"env_id": [1], "players.action": [0, 1, 0], "players.env_id": [1, 1, 1]}
        assert pool.step(action)[0][:, 2].tolist() == [0, 1, 0]


def test_places_of_the_absent_are_not_looked_at() -> None:
    with make("Crowd", "gym", num_envs=2) as pool:
        pool.reset()
        # 99 is no action, but nobody is there.
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
    with team() as pool:
        pool.reset()
        with refused(kind, *parts):
            pool.step(action)
        with refused(kind, *parts):
            pool.send(action)
        obs, *_, info = pool.step([0, 1, 2, 3, 2, 1])
        assert obs[:, 1:].tolist() == [[1, 0], [1, 1], [1, 2], [1, 3], [1, 2], [1, 1]]
        assert info["elapsed_step"].tolist() == [1, 1]


def test_env_id_twice() -> None:
    with team() as pool:
        pool.reset()
        with refused(ValueError, "env_id is an argument and a key"):
            pool.step({"action": [0, 0, 0], "env_id": [1]}, [1])


def test_the_count_is_that_of_the_last_answer() -> None:
    with make("Crowd", "gym", num_envs=2) as pool:
        pool.reset()
        pool.step([4, 0, 0, 1])
        with refused(
            ValueError, "has 4 rows, expected 5", "3 of environment 0, 2 of environment 1"
        ):
            pool.step([0, 0, 0, 0])
        assert len(pool.step([0, 0, 0, 0, 0])[1]) == 4
        # Everybody leaves: nobody is left to act, and the environment goes on.
        pool.step([3, 3, 3, 3])
        obs, reward, _, _, info = pool.step(np.zeros(0, int))
        assert obs["own"].shape == (0, 4)
        assert reward.shape == (0,)
        assert info["elapsed_step"].tolist() == [4, 4]
        assert pool.step(np.zeros((2, 4), int))[1].shape == (0,)


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


@pytest.mark.parametrize("mode", MODES)
def test_a_failed_environment_has_no_players(mode: str) -> None:
    with team(fails=4, autoreset_mode=mode) as pool:
        pool.reset()
        with refused(parallel_pool.EnvError, "player 0 asked for it"):
            pool.step([4, 0, 0, 1, 1, 1])
        with refused(parallel_pool.ResetNeededError, "environment 0 failed earlier"):
            pool.step([1, 1, 1])
        assert pool.step([1, 1, 1], [1])[0].shape == (3, 3)
        pool.reset([0])
        assert pool.step([1] * 6)[0][:, 1].tolist() == [1, 1, 1, 3, 3, 3]


def test_the_others_are_in_the_result_of_the_error() -> None:
    with team(fails=4) as pool:
        pool.reset()
        with pytest.raises(parallel_pool.EnvError) as caught:
            pool.step([4, 0, 0, 1, 2, 3])
        obs, reward, _, truncated, info = caught.value.result
        assert info["players"]["env_id"].tolist() == [1, 1, 1]
        assert obs.shape == (3, 3)
        assert reward.tolist() == [1, 4, 9]
        assert truncated.tolist() == [True, False]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_trajectories_do_not_depend_on_threads(threads: int) -> None:
    with make("Crowd", "gym", num_envs=20, num_threads=threads, seed=0) as pool:
        pool.reset()
        draw = np.random.default_rng(0)
        total, count = 0.0, 40
        for _ in range(100):
            obs, reward, *_ = pool.step(some_actions(draw, count))
            count = len(reward)
            total += float((obs["own"][:, 3] * np.arange(count)).sum())
    assert total == pytest.approx(pool_total(), rel=0, abs=0)


def pool_total() -> float:
    """What the 20 environments add up to, one pool each."""
    pools = [make("Crowd", "gym", num_envs=1, seed=seed) for seed in range(20)]
    counts = [pool.reset()["own"].shape[0] for pool in pools]
    draw = np.random.default_rng(0)
    total = 0.0
    for _ in range(100):
        actions = iter(some_actions(draw, sum(counts)))
        rows = [
            pool.step([next(actions) for _ in range(count)])[0]["own"][:, 3]
            for pool, count in zip(pools, counts, strict=True)
        ]
        counts = [len(each) for each in rows]
        numbers = np.concatenate(rows)
        total += float((numbers * np.arange(len(numbers))).sum())
    for pool in pools:
        pool.close()
    return total


def test_a_count_of_players_instead_of_places(tmp_path: Path) -> None:
    """A plugin in C that says how many players there are, and packs them itself."""
    library = compile_plugin(SOURCES / "player_counts.c", tmp_path / "player_counts.so")
    parallel_pool.register(
        parallel_pool.EnvSpec("player_counts/PlayerCounts-v0"), library=str(library)
    )
    with parallel_pool.make("player_counts/PlayerCounts-v0", "gym", num_envs=2) as pool:
        assert pool.reset().tolist() == [100, 100]
        counts = [2, 1]
        for step in range(1, 9):
            obs, reward, terminated, _, info = pool.step([1] * sum(counts) if step > 1 else [1, 1])
            number = 1 + step % 3
            assert info["players"]["id"].tolist() == [*range(number)] * 2
            assert obs.tolist() == [*(np.arange(number) + 100 * (number))] * 2
            assert reward.shape == (2,)  # one for all
            assert not terminated.any()
            counts = [number, number]
        with refused(
            parallel_pool.EnvError, "says that 7 players are present, and max_players is 3"
        ):
            pool.step([9] + [1] * (sum(counts) - 1))


def test_options() -> None:
    with refused(parallel_pool.OptionError, "max_num_players is 2", "has 3"):
        team(max_num_players=2)
    with team(max_num_players=3) as pool:
        assert pool.config["max_num_players"] == 3
    with make("Team", players=5) as pool:
        assert pool.config["max_num_players"] == 5
        assert pool.reset()[0].shape == (1, 5, 3)
