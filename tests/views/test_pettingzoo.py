"""The PettingZoo adapter: PettingZoo's own tests, and what they do not ask."""

import warnings
from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused
from test_envs.compiling import SOURCES, compile_plugin
from test_envs.programs import python

pytest.importorskip("pettingzoo")

from parallel_pool.pettingzoo import parallel_env

with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
    # Its tests import a game of its own the old way, where pygame is installed.
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils.conversions import parallel_to_aec

NAMES = ("Team", "Shared")


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_says_so(name: str) -> None:
    for arguments in ({}, {"max_episode_steps": 3}):
        env = parallel_env(f"test/{name}-v0", seed=0, **arguments)
        parallel_api_test(env, num_cycles=200)
        env.close()
    parallel_seed_test(lambda: parallel_env(f"test/{name}-v0"), num_cycles=50)


def test_by_way_of_its_turns() -> None:
    env = parallel_to_aec(parallel_env("test/Team-v0"))
    api_test(env, num_cycles=100)
    env.close()


def test_players_end_one_by_one() -> None:
    env = parallel_env("test/Shared-v0")
    obs, infos = env.reset(seed=1)
    assert env.agents == ["player_0", "player_1"] == list(obs) == list(infos)
    for agent, seen in obs.items():
        assert seen in env.observation_space(agent)
    stay = {"push": np.zeros(2, np.float32), "turn": 2}
    end = {"push": np.ones(2, np.float32), "turn": 1}
    obs, rewards, terminations, truncations, _ = env.step({"player_0": end, "player_1": stay})
    assert obs["player_1"]["turn"] == obs["player_0"]["turn"] == 1  # what all share is the first's
    assert rewards == {"player_0": 1.0, "player_1": 0.0}
    assert terminations == {"player_0": True, "player_1": False}
    assert truncations == {"player_0": False, "player_1": False}
    assert env.agents == ["player_1"]
    with refused(ValueError, "player_0 does not act now"):
        env.step({"player_0": stay, "player_1": stay})
    with refused(ValueError, "no action for player_1"):
        env.step({})
    with refused(ValueError, "the action of player_1 has shape (3,), not (2,)"):
        env.step({"player_1": {"push": np.zeros(3), "turn": 0}})
    obs, *_ = env.step({"player_1": end})
    assert list(obs) == ["player_1"]
    assert env.agents == []
    assert env.step({}) == ({}, {}, {}, {}, {})
    env.reset()
    assert len(env.agents) == 2
    env.close()
    env.close()


def test_players_come_and_leave() -> None:
    env = parallel_env("test/Crowd-v0")
    env.reset(seed=0)
    assert env.agents == ["player_0", "player_1"]
    obs, rewards, terminations, _, infos = env.step({"player_0": 4, "player_1": 5})
    assert env.agents == ["player_0", "player_1", "player_2"] == list(obs)
    assert rewards == {"player_0": 4.0, "player_1": 15.0, "player_2": 0.0}
    assert infos["player_2"] == {"age": 0, "crowd": 3}
    assert infos["player_1"] == {"age": 1, "crowd": 3}
    # A player that leaves is truncated, as none may vanish.
    _, _, terminations, truncations, _ = env.step({"player_0": 5, "player_1": 3, "player_2": 1})
    assert terminations == {"player_0": False, "player_1": False, "player_2": True}
    assert truncations == {"player_0": False, "player_1": True, "player_2": False}
    assert env.agents == ["player_0"]
    # One that plays on has ended, and is an agent all the same.
    _, _, terminations, _, _ = env.step({"player_0": 6})
    assert (terminations, env.agents) == ({"player_0": True}, ["player_0"])
    env.close()


def test_arguments() -> None:
    env = parallel_env("test/Team-v0", players=5)
    assert env.possible_agents == [f"player_{number}" for number in range(5)]
    assert env.config["players"] == 5
    assert env.metadata["name"] == "Team-v0"
    assert env.render() is None
    assert env.action_space("player_0") is env.action_space("player_0")
    assert env.action_space("player_0") is not env.action_space("player_1")
    env.close()
    with refused(parallel_pool.OptionError, "test/Count-v0 has one player", "gymnasium.make"):
        parallel_env("test/Count-v0")
    with refused(parallel_pool.OptionError, "a single environment takes no num_envs"):
        parallel_env("test/Team-v0", num_envs=3)
    with refused(parallel_pool.UnknownEnvError):
        parallel_env("test/Teem-v0")


def test_pictures() -> None:
    env = parallel_env("classic/TwoPlayerPong-v0", render_mode="rgb_array")
    assert env.metadata["render_modes"] == ["rgb_array", "ansi"]
    env.reset(seed=1)
    assert env.render().shape == (160, 240, 3)
    env.close()


def test_wrappers_may_draw_numbers() -> None:
    """SuperSuit's frame_skip does, from `env.unwrapped.np_random`."""
    env = parallel_env("classic/TwoPlayerPong-v0")
    assert isinstance(env.unwrapped.np_random, np.random.Generator)
    env.reset(seed=5)
    drawn = env.np_random.random(3).tolist()
    env.reset()
    assert env.np_random.random(3).tolist() != drawn
    env.reset(seed=5)
    assert env.np_random.random(3).tolist() == drawn
    env.close()


def test_rewards_for_all_are_everybodys(tmp_path: Any) -> None:
    source = SOURCES / "player_counts.c"
    library = compile_plugin(source, tmp_path / "player_counts.so", 'PP_FAMILY="flock"')
    parallel_pool.register(parallel_pool.EnvSpec("flock/PlayerCounts-v0"), library=str(library))
    env = parallel_env("flock/PlayerCounts-v0")
    env.reset()
    assert env.agents == ["player_0"]
    assert env.step({"player_0": 3})[1] == {"player_0": 3.0, "player_1": 3.0}
    env.close()


def test_without_pettingzoo() -> None:
    code = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "try:\n    import parallel_pool.pettingzoo\n"
        "except ImportError as error:\n    print(error)\n"
    )
    assert 'pip install "parallel-pool[pettingzoo]"' in python("-c", code)
