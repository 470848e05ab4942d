"""Several games in one pool. That each plays as in a pool of its own: tests/registry/test_every_env.py."""

import pickle

import parallel_pool
import pytest
from parallel_pool import OptionError, StateError

GAMES = ["Pong-v5", "Breakout-v5", "Seaquest-v5", "Qbert-v5"]


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
