"""Several players in the views: flat in gym and dm, padded in gymnasium; spaces and specs that fit."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.vector import VectorEnv
from test_envs.checks import refused
from test_envs.player_counts_model import PLAYERS, CrowdModel, Row, flat, padded, some_actions
from test_envs.pools import make

MODES = ("NextStep", "SameStep", "Disabled")
N = 5


def places(rows: list[Row], draw: np.random.Generator) -> Any:
    """A padded action; 99 where no player acts."""
    actions = np.full((len(rows), PLAYERS), 99)
    for action, row in zip(actions, rows, strict=True):
        action[row.shown] = some_actions(draw, int(row.shown.sum()))
    return actions


def check_padded(obs: Any, info: dict[str, Any], rows: list[Row]) -> None:
    players = info["players"]
    np.testing.assert_array_equal(obs["own"], padded(rows, "own"))
    np.testing.assert_array_equal(obs["common"][:, 0], [row.common for row in rows])
    for name in ("present", "acting", "ended", "age"):
        np.testing.assert_array_equal(players[name], padded(rows, name), name)
        assert players[f"_{name}"].all()
    np.testing.assert_array_equal(players["terminated"], padded(rows, "player_terminated"))
    np.testing.assert_array_equal(players["truncated"], padded(rows, "player_truncated"))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("mode", MODES)
def test_gymnasium_is_padded(mode: str, threads: int) -> None:
    draw = np.random.default_rng(0)
    models = [CrowdModel(env, mode, 8) for env in range(N)]
    with make(
        "Crowd", num_envs=N, num_threads=threads, seed=0, autoreset_mode=mode,
        max_episode_steps=8, episode_statistics=True,
    ) as pool:  # fmt: skip
        assert isinstance(pool, VectorEnv)
        assert pool.single_observation_space["own"].shape == (PLAYERS, 4)
        assert pool.single_observation_space["common"].shape == (1,)
        assert pool.single_action_space == gymnasium.spaces.MultiDiscrete([8] * 4, dtype=np.int32)
        assert pool.action_space.shape == (N, PLAYERS)
        obs, info = pool.reset()
        rows = [model.reset() for model in models]
        check_padded(obs, info, rows)
        assert obs in pool.observation_space
        returns: list[float] = [0.0] * N
        ends = 0
        for _ in range(150):
            if mode == "Disabled" and (mask := np.array([model.over for model in models])).any():
                _, info = pool.reset(options={"reset_mask": mask})
                for env in np.flatnonzero(mask):
                    models[env].reset()
                    returns[env] = 0.0
                rows = [model.row for model in models]
                np.testing.assert_array_equal(info["_players"], mask)
                np.testing.assert_array_equal(
                    info["players"]["present"][mask], padded(rows, "present")[mask]
                )
            actions = places(rows, draw)
            obs, reward, terminated, truncated, info = pool.step(actions)
            rows = [
                model.step(action[model.row.shown].tolist())
                for model, action in zip(models, actions, strict=True)
            ]
            check_padded(obs, info, rows)
            assert reward.shape == (N, PLAYERS)
            np.testing.assert_array_equal(reward, padded(rows, "reward"))
            np.testing.assert_array_equal(terminated, [row.terminated for row in rows])
            np.testing.assert_array_equal(truncated, [row.truncated for row in rows])
            np.testing.assert_array_equal(
                info["players"]["episode_return"], padded(rows, "returns")
            )
            over = terminated | truncated
            assert ("episode" in info) == over.any()
            for env, row in enumerate(rows):
                returns[env] = 0.0 if row.first else returns[env] + row.reward.sum()
                if not over[env]:
                    continue
                ends += 1
                # The episode's return is that of all players together.
                assert info["episode"]["r"][env] == returns[env]
                assert info["episode"]["l"][env] == row.length
                if mode == "SameStep":
                    returns[env] = 0.0
                    final = info["final_info"]["players"]
                    np.testing.assert_array_equal(final["present"][env], row.final)
                    np.testing.assert_array_equal(final["age"][env], row.final_age)
                    np.testing.assert_array_equal(info["final_obs"][env]["own"], row.final_own)
                    np.testing.assert_array_equal(
                        info["final_obs_dense"]["own"][env], row.final_own
                    )
        assert ends > 20


@pytest.mark.parametrize("mode", MODES)
def test_dm_is_flat(mode: str) -> None:
    draw = np.random.default_rng(0)
    models = [CrowdModel(env, mode, 8) for env in range(N)]
    with make("Crowd", "dm", num_envs=N, seed=0, autoreset_mode=mode, max_episode_steps=8) as pool:
        step = pool.reset()
        rows = [model.reset() for model in models]
        assert (step.step_type == 0).all()
        assert step.discount.tolist() == [1.0] * 2 * N
        assert step.reward.tolist() == [0.0] * 2 * N
        spec = pool.observation_spec()
        assert spec.players._fields == step.observation.players._fields
        spec.players.id.validate(step.observation.players.id[0])
        spec.obs["own"].validate(step.observation.obs["own"][0])
        for _ in range(100):
            if mode == "Disabled" and (over := [env for env in range(N) if models[env].over]):
                pool.reset(over)
                for env in over:
                    models[env].reset()
                rows = [model.row for model in models]
            actions = [some_actions(draw, int(row.shown.sum())) for row in rows]
            step = pool.step(np.concatenate(actions).astype(int))
            rows = [model.step(own) for model, own in zip(models, actions, strict=True)]
            players = step.observation.players
            np.testing.assert_array_equal(step.observation.obs["own"], flat(rows, "own"))
            np.testing.assert_array_equal(step.reward, flat(rows, "reward"))
            np.testing.assert_array_equal(
                step.discount, 1.0 - flat(rows, "player_terminated").astype(float)
            )
            np.testing.assert_array_equal(players.acting, flat(rows, "acting"))
            np.testing.assert_array_equal(players.age, flat(rows, "age"))
            counts = [int(row.shown.sum()) for row in rows]
            np.testing.assert_array_equal(players.env_id, np.repeat(np.arange(N), counts))
            last = [2 if row.length else 0 if row.first else 1 for row in rows]
            np.testing.assert_array_equal(step.step_type, last)
            if mode == "SameStep":
                np.testing.assert_array_equal(
                    step.observation.final_obs["own"][players.final],
                    flat(rows, "final_own")[flat(rows, "final")],
                )


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
    with make("Shared", "gym", num_envs=2) as pool:
        pool.reset()
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


def test_who_ends_alone_is_shown_once_more() -> None:
    with make("Shared", "gym") as pool:
        pool.reset()
        stay, end = [0.0, 0.0], [1.0, 0.0]
        *_, terminated, _, info = pool.step({"push": [end, stay], "turn": [0]})
        assert info["players"]["id"].tolist() == [0, 1]
        assert info["players"]["acting"].tolist() == [False, True]
        assert not terminated.any()
        _, reward, terminated, _, info = pool.step({"push": [stay, stay], "turn": [0]})
        assert info["players"]["id"].tolist() == [1]
        assert reward.tolist() == [0]
        *_, terminated, truncated, info = pool.step({"push": [end], "turn": [0]})
        assert terminated.all()
        assert not truncated.any()
        assert info["episode"]["r"].tolist() == [2]
        assert info["players"]["episode_return"].tolist() == [1]
        assert len(pool.step({"push": [end], "turn": [0]})[1]) == 2


def test_the_time_limit_is_for_everybody() -> None:
    with make("Team", "gym", max_episode_steps=4) as pool:
        pool.reset()
        for _ in range(3):
            pool.step([0, 0, 0])
        *_, terminated, truncated, info = pool.step([0, 0, 0])
        assert (terminated & truncated).all()
        assert info["players"]["terminated"].all()
        assert info["players"]["truncated"].all()


def test_single_player_views_say_nothing_of_players() -> None:
    with make("Count", "gym") as pool:
        pool.reset()
        assert list(pool.step([0])[4]["players"]) == ["env_id"]
    with make("Count") as pool:
        assert "players" not in pool.reset()[1]
        assert pool.config["max_num_players"] == 1


def test_one_environment_has_one_reward() -> None:
    from parallel_pool.views.single import SingleEnv
    from parallel_pool.views.single_dm import SingleDmEnv

    for single in (SingleEnv, SingleDmEnv):
        with refused(parallel_pool.OptionError, "test/Team-v0 has several players", "parallel_env"):
            single("test/Team-v0")
