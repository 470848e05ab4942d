"""Several players in the views: flat in gym and dm, padded in gymnasium; spaces and specs that fit."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.vector import VectorEnv
from test_envs.checks import refused
from test_envs.player_counts_model import PLAYERS, CrowdModel, Row, flat, padded, some_actions
from test_envs.player_results import MODES, check, check_columns
from test_envs.pools import begun, make

N = 7


def check_padded(result: tuple[Any, ...], rows: list[Row], env_ids: list[int]) -> None:
    """A result of the gymnasium view."""
    check_columns(result, rows, env_ids, padded)
    info = result[-1]
    assert all(info["players"][f"_{name}"].all() for name in ("present", "acting", "ended", "age"))
    for k, row in enumerate(rows):
        if row.length and "final_obs" in info:
            final = info["final_info"]["players"]
            np.testing.assert_array_equal(final["present"][k], row.final)
            np.testing.assert_array_equal(final["age"][k], row.final_age)
            np.testing.assert_array_equal(info["final_obs"][k]["own"], row.final_own)
            np.testing.assert_array_equal(info["final_obs_dense"]["own"][k], row.final_own)


def check_time_step(step: Any, rows: list[Row], env_ids: list[int]) -> None:
    """A result of the dm view, whose arrays of players are flat."""
    seen = step.observation
    players, counts = seen.players, [int(row.shown.sum()) for row in rows]
    np.testing.assert_array_equal(players.env_id, np.repeat(env_ids, counts))
    np.testing.assert_array_equal(seen.obs["own"], flat(rows, "own"))
    np.testing.assert_array_equal(step.reward, flat(rows, "reward"))
    np.testing.assert_array_equal(step.discount, 1.0 - flat(rows, "player_terminated"))
    np.testing.assert_array_equal(players.acting, flat(rows, "acting"))
    np.testing.assert_array_equal(players.age, flat(rows, "age"))
    last = [2 if row.length else 0 if row.first else 1 for row in rows]
    assert step.step_type.tolist() == last
    if hasattr(seen, "final_obs"):
        final = flat(rows, "final_own")[flat(rows, "final")]
        np.testing.assert_array_equal(seen.final_obs["own"][players.final], final)


CHECKS: dict[str, Callable[[Any, list[Row], list[int]], None]] = {
    "gym": check,
    "gymnasium": check_padded,
    "dm": check_time_step,
}


def action_of(view: str, rows: list[Row], actions: list[list[int]]) -> Any:
    """Padded, with 99 where no player acts, or flat."""
    if view != "gymnasium":
        return np.concatenate(actions).astype(int)
    given = np.full((len(rows), PLAYERS), 99)
    for places, row, own in zip(given, rows, actions, strict=True):
        places[row.shown] = own
    return given


@pytest.mark.parametrize(("view", "limit"), [("gym", 0), ("gym", 6), ("gymnasium", 8), ("dm", 8)])
@pytest.mark.parametrize("mode", MODES)
def test_in_lockstep_with_the_model(mode: str, view: str, limit: int) -> None:
    """All and some environments; the episode's return is that of all players together."""
    threads = (1, 3)[(MODES.index(mode) + limit // 2) % 2]
    arguments: dict[str, Any] = {"num_envs": N, "num_threads": threads, "autoreset_mode": mode}
    if limit:
        arguments["max_episode_steps"] = limit
    if view != "dm":
        arguments["episode_statistics"] = True
    models = [CrowdModel(5 + env, mode, limit) for env in range(N)]
    draw = np.random.default_rng(0)
    everybody = list(range(N))
    returns = [0.0] * N
    with make("Crowd", view, seed=5, **arguments) as pool:
        pool.async_reset()
        CHECKS[view](pool.recv(), [model.reset() for model in models], everybody)
        ends = 0
        for _ in range(200):
            ids = everybody
            if mode == "Disabled":
                if over := [env for env in everybody if models[env].over]:
                    pool.async_reset(over)
                    CHECKS[view](pool.recv(), [models[env].reset() for env in over], over)
            elif draw.random() < 0.5:
                ids = draw.permutation(N)[: draw.integers(1, N)].tolist()
            shown = [models[env].row for env in ids]
            actions = [some_actions(draw, int(row.shown.sum())) for row in shown]
            result = pool.step(action_of(view, shown, actions), np.array(ids))
            rows = [models[env].step(own) for env, own in zip(ids, actions, strict=True)]
            CHECKS[view](result, rows, ids)
            for k, (env, row) in enumerate(zip(ids, rows, strict=True)):
                returns[env] = 0.0 if row.first else returns[env] + row.reward.sum()
                if row.length:
                    ends += 1
                    if view != "dm":
                        episode = result[-1]["episode"]
                        assert (episode["r"][k], episode["l"][k]) == (returns[env], row.length)
                    returns[env] = 0.0
        assert ends >= 10


def test_a_mask_resets_some_as_in_gymnasium() -> None:
    with make("Crowd", num_envs=3, seed=5, autoreset_mode="Disabled") as pool:
        _, info = pool.reset()
        assert info["players"]["present"].tolist() == [[True, True, False, False]] * 3
        obs, *_ = pool.step(np.full((3, 4), 4))
        mask = np.array([True, False, True])
        again, info = pool.reset(options={"reset_mask": mask})
        assert info["_players"].tolist() == mask.tolist()
        assert info["players"]["present"][mask].tolist() == [[True, True, False, False]] * 2
        np.testing.assert_array_equal(again["own"][1], obs["own"][1])


def test_spaces_and_specs() -> None:
    with make("Crowd", num_envs=N) as pool:
        assert isinstance(pool, VectorEnv)
        assert pool.single_observation_space["own"].shape == (PLAYERS, 4)
        assert pool.single_observation_space["common"].shape == (1,)
        assert pool.single_action_space == gymnasium.spaces.MultiDiscrete([8] * 4, dtype=np.int32)
        assert pool.action_space.shape == (N, PLAYERS)
        assert pool.reset()[0] in pool.observation_space
    with make("Crowd", "dm", num_envs=N) as pool:
        seen, spec = pool.reset().observation, pool.observation_spec()
        assert spec.players._fields == seen.players._fields
        spec.players.id.validate(seen.players.id[0])
        spec.obs["own"].validate(seen.obs["own"][0])


def test_discounts_of_players() -> None:
    with make("Team", "dm", num_envs=2, players=2) as pool:
        assert pool.reset().discount.tolist() == [1.0] * 4
        assert pool.step([0, 0, 0, 0]).discount.tolist() == [1.0, 0.5] * 2


def test_spaces_of_one_player() -> None:
    with make("Shared", "gym") as pool:
        assert pool.action_space["push"].shape == (2,)
        assert pool.action_space["turn"].n == 3
        assert pool.observation_space["push"].shape == (2,)
        assert pool.spec.action_space == pool.action_space
    with make("Team", "gym") as pool:
        assert pool.action_space.n == 5


def test_actions_of_each_and_of_all_together() -> None:
    push = np.arange(8, dtype=np.float32).reshape(4, 2) / 10
    with begun(make("Shared", "gym", num_envs=2)) as pool:
        obs, reward, *_ = pool.step({"push": push, "turn": [1, 2]})
        np.testing.assert_array_equal(obs["push"], push)
        assert obs["turn"].tolist() == [1, 2]
        np.testing.assert_array_equal(reward, push[:, 0])
        action = {"players.push": push[:2], "turn": [0], "env_id": [1], "players.env_id": [1, 1]}
        np.testing.assert_array_equal(pool.step(action)[0]["push"], push[:2])
        with refused(ValueError, "['push']", "environment 1, player 1", "(element 0)", "nan"):
            pool.step({"push": [[0, 0]] * 3 + [[np.nan, 0]], "turn": [0, 0]})
        with refused(ValueError, "['turn']", "environment 1 is 3"):
            pool.step({"push": push, "turn": [0, 3]})
        with refused(ValueError, "['push']", "shape (4, 3)", "(players, 2)", "(2, 2, 2)"):
            pool.step({"push": np.zeros((4, 3)), "turn": [0, 0]})
    with make("Shared", num_envs=2) as pool:
        pool.action_space.seed(0)
        pool.reset()
        for _ in range(50):
            action = pool.action_space.sample()
            obs, *_ = pool.step(action)
            assert obs in pool.observation_space


def test_one_environment_has_one_reward() -> None:
    from parallel_pool.views.single import SingleEnv
    from parallel_pool.views.single_dm import SingleDmEnv

    for single in (SingleEnv, SingleDmEnv):
        with refused(parallel_pool.OptionError, "test/Team-v0 has several players", "parallel_env"):
            single("test/Team-v0")
