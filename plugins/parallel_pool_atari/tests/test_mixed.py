"""Several games in one pool: each as in a pool of its own."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError, StateError, ThreadPool

GAMES = ["Pong-v5", "Breakout-v5", "Seaquest-v5", "Qbert-v5"]
ROMS = ["pong", "breakout", "seaquest", "qbert"]


def play(pool: Any, steps: int = 25) -> list[list[Any]]:
    obs, info = pool.reset()
    rows = [[obs, info["ram"]]]
    for step in range(steps):
        actions = (3 * np.arange(len(pool)) + 5 * step) % 18
        obs, reward, *_, info = pool.step(actions)
        rows.append([obs, reward, info["ram"], info["lives"]])
    return rows


def alone(env: int, steps: int = 25) -> list[list[Any]]:
    """The game of one environment, played by a pool where all have it."""
    with parallel_pool.make(
        GAMES[env], num_envs=4, seed=3, full_action_space=True, num_threads=2
    ) as pool:
        return play(pool, steps)


@pytest.mark.parametrize(
    "arguments",
    [
        {"task_id": GAMES},
        {"task_id": GAMES, "num_envs": 4, "thread_pool": 2},
        {"task_id": "Pong-v5", "env_options": [{"game": rom} for rom in ROMS]},
        {"task_id": "Breakout-v5", "env_options": {"game": ROMS}},
    ],
    ids=["ids", "ids on shared threads", "rows", "columns"],
)
def test_four_games_in_one_pool(arguments: dict[str, Any]) -> None:
    if count := arguments.get("thread_pool"):
        with ThreadPool(count) as threads:
            check_four_games({**arguments, "thread_pool": threads})
    else:
        check_four_games(arguments)


def check_four_games(arguments: dict[str, Any]) -> None:
    with parallel_pool.make(seed=3, full_action_space=True, **arguments) as pool:
        assert pool.config["env_options"]["game"] == ROMS
        together = play(pool)
    for env in (0, 3):
        for mine, theirs in zip(together, alone(env), strict=True):
            for got, wanted in zip(mine, theirs, strict=True):
                np.testing.assert_array_equal(got[env], wanted[env])


def test_games_with_actions_of_their_own_are_refused_with_the_remedy() -> None:
    with pytest.raises(OptionError) as caught:
        parallel_pool.make(["Pong-v5", "Breakout-v5"])
    for part in (
        "0 (atari/Pong-v5) and 1 (atari/Breakout-v5)",
        "Discrete(6) and Discrete(4)",
        "With full_action_space=True for all of them they agree",
    ):
        assert part in str(caught.value)


def test_screens_of_different_height_are_refused() -> None:
    with pytest.raises(OptionError, match=r"observation: .*210.*250.*pool for each"):
        parallel_pool.make(["ALE/Pong-v5", "ALE/AirRaid-v5"], full_action_space=True)


def test_an_unknown_game_names_its_environment() -> None:
    with pytest.raises(OptionError, match=r"Pong-v5, environment 1: there is no ROM 'brekout'"):
        parallel_pool.make("Pong-v5", env_options={"game": ["pong", "brekout"]})


def test_states_and_pickles_of_a_mixed_pool() -> None:
    with parallel_pool.make(GAMES[:2], full_action_space=True, seed=1) as pool:
        pool.reset()
        pool.step([3, 1])
        states = pool.get_state()
        with pytest.raises(StateError, match="'game'"):
            pool.set_state([0, 1], states[::-1])
        with pickle.loads(pool.pickled(include_state=True)) as other:
            for action in ([4, 2], [0, 17]):
                assert (pool.step(action)[0] == other.step(action)[0]).all()


def test_environments_may_differ_in_difficulty_and_lives() -> None:
    options = [{"episodic_life": True}, {"repeat_action_probability": 0.25}, {"noop_max": 1}]
    with parallel_pool.make("Breakout-v5", env_options=options, seed=0) as pool:
        pool.reset()
        assert pool.step([1, 1, 1])[0].shape == (3, 4, 84, 84)
        assert pool.config["env_options"]["noop_max"] == [30, 30, 1]
