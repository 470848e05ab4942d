"""PettingZoo's parallel environments in pools: what they return, laid out as that of native players."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused

pytest.importorskip("pettingzoo")

from parallel_pool.pool_errors import EnvError
from parallel_pool_learning import PlayerRows
from test_envs.parallel_envs import InTurn, Race, Unlike, Wild
from test_envs.pools import begun, register_python

RACE = "pettingzoo:test_envs.parallel_envs:race"
AGENTS = ["a", "b", "late"]


def same(batch: Any, obs: dict[str, Any], env: int) -> None:
    """Row `env` of the padded batch has these observations, and zeros for others."""
    for number, agent in enumerate(AGENTS):
        row = {name: column[env, number] for name, column in batch.items()}
        if agent not in obs:
            assert not any(np.any(each) for each in row.values())
        else:
            assert all(np.array_equal(row[name], obs[agent][name]) for name in row)


@pytest.mark.parametrize("options", [{}, {"leaves": 3}, {"goal": 3, "limit": 5}])
@pytest.mark.parametrize("isolation", ["process", "thread"])
def test_rows_are_what_the_environment_returns(isolation: str, options: dict[str, int]) -> None:
    arguments: dict[str, Any] = {"num_threads": 2, "isolation": isolation, **options}
    envs = parallel_pool.make(RACE, num_envs=3, autoreset_mode="Disabled", **arguments)
    alone = [Race(**options) for _ in range(3)]
    obs, info = envs.reset(seed=1)
    for env, each in enumerate(alone):
        same(obs, each.reset(seed=1 + env)[0], env)
    assert info["players"]["present"].tolist() == [[True, True, False]] * 3
    rng = np.random.default_rng(0)
    running = list(range(3))
    for _ in range(9):
        actions = rng.integers(0, 3, (len(running), 3))
        obs, reward, terminated, truncated, info = envs.step(actions, running)
        players = info["players"]
        for row, env in enumerate(running):
            each = alone[env]
            acts = {a: actions[row, n] for n, a in enumerate(AGENTS) if a in each.agents}
            theirs, rewards, over, cut, infos = each.step(acts)
            same(obs, theirs, row)
            for number, agent in enumerate(AGENTS):
                assert reward[row, number] == rewards.get(agent, 0)
                assert players["present"][row, number] == (agent in theirs)
                assert players["terminated"][row, number] == over.get(agent, False)
                assert players["truncated"][row, number] == cut.get(agent, False)
                assert players["acting"][row, number] == (agent in each.agents)
                if infos.get(agent):
                    assert info[agent]["gone"][row] == infos[agent]["gone"]
            assert (terminated[row] | truncated[row]) == (not each.agents)
        running = [env for env in running if alone[env].agents]
        if not running:
            break
    assert not running
    envs.close()


def test_as_registered_in_every_view_and_mode() -> None:
    task_id = register_python("races/Race-v0", Race)
    for mode in ("NextStep", "SameStep"):
        made = {"num_envs": 2, "autoreset_mode": mode, "num_threads": 1}
        with begun(parallel_pool.make(task_id, episode_statistics=True, **made)) as envs:
            ends = []
            for _ in range(30):
                *_, info = envs.step(np.ones((2, 3), int))
                if "episode" in info:
                    ends.append(info["episode"]["r"].tolist())
            # a: six steps of 1; b: of 0; late: -2 where it comes, and six steps of -1
            assert ends[0] == [6 + 0 - 8] * 2
            assert len(ends) >= 3
    with parallel_pool.make(task_id, "gym", num_envs=2, num_threads=1) as flat:
        obs = flat.reset()
        assert obs["place"].shape == (4, 2)
        *_, info = flat.step(np.ones(4, int))
        obs, *_, info = flat.step(np.ones(4, int))
        assert info["players"]["id"].tolist() == [0, 1, 2] * 2
        assert obs["turn"].tolist() == [2] * 6


def test_states_pictures_options_and_attributes() -> None:
    with parallel_pool.make(RACE, num_envs=2, num_threads=1, render_mode="rgb_array") as envs:
        assert envs.metadata["render_fps"] == 7
        obs, _ = envs.reset(options=[{"begin": 3}, {"begin": 1}])
        assert obs["place"][:, 0, 0].tolist() == [3, 1]
        envs.step(np.ones((2, 3), int))
        state = envs.get_state()
        first = envs.step(np.full((2, 3), 2))
        assert envs.render()[0].max() == 2
        envs.set_state(None, state)
        again = envs.step(np.full((2, 3), 2))
        assert np.array_equal(first[0]["place"], again[0]["place"])
        assert envs.get_attr("goal") == (6, 6)
        envs.set_attr("goal", [1, 2])
        assert envs.get_attr("goal") == (1, 2)


def test_players_as_rows_of_runners_that_end_alone() -> None:
    with parallel_pool.make(RACE, num_envs=2, num_threads=1, autoreset_mode="SameStep") as envs:
        rows = PlayerRows(envs)
        rows.reset(seed=0)
        returns: list[list[float]] = [[] for _ in range(6)]
        for _ in range(17):
            _, _, ended, cut, info = rows.step(np.array([2, 1, 0, 2, 1, 0]))
            for row in np.flatnonzero(info.get("_episode", np.zeros(6, bool))):
                returns[row].append(info["episode"]["r"][row])
                assert info["final_obs"][row]["place"][1] == row % 3
            assert not (ended & cut).any()
        # "a" of environment 0 is there after three steps of 2, "b" after six of 1 - 1, "late" is cut off.
        assert returns[0][:2] == [6, 6]
        assert returns[1][:2] == [0, 0]
        assert set(returns[2]) == {-14}


def test_what_is_no_parallel_environment_of_equal_players() -> None:
    error = parallel_pool.OptionError
    with refused(error, "its agents 'a' and 'late' differ in their action_space", "SuperSuit"):
        parallel_pool.make(register_python("races/Unlike-v0", Unlike), num_envs=2)
    with refused(error, "its agents act in turn", "aec_to_parallel"):
        parallel_pool.make(register_python("races/InTurn-v0", InTurn), num_envs=2)
    with refused(parallel_pool.PluginError, "a gymnasium.Env or a pettingzoo.ParallelEnv"):
        parallel_pool.make(register_python("races/Nothing-v0", object), num_envs=2)
    unknown = parallel_pool.UnknownEnvError
    with refused(unknown, "has no function 'rce'", "pettingzoo:MODULE:FUNCTION"):
        parallel_pool.make("pettingzoo:test_envs.parallel_envs:rce")
    with refused(unknown, "has no function 'parallel_env'"):
        parallel_pool.make("pettingzoo:test_envs.parallel_envs")
    with refused(unknown, "the module 'no_such'", "cannot be imported"):
        parallel_pool.make("pettingzoo:no_such")
    with refused(error, "must all have one id"):
        parallel_pool.make([RACE, "pettingzoo:test_envs.parallel_envs:Race"])


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("stranger", "the observation has 'stranger', which is not in possible_agents"),
        ("list", "the reward is [1.0, 0.0], expected a dict by agent"),
        ("none", "the reward of 'b' is None"),
        ("shape", "the observation of 'b'['place']"),
    ],
)
def test_what_does_not_fit_is_named(kind: str, words: str) -> None:
    task_id = register_python("races/Wild-v0", Wild)
    made = {"num_threads": 1, "isolation": "process" if kind == "shape" else "thread"}
    with begun(parallel_pool.make(task_id, num_envs=2, kind=kind, **made)) as envs:
        with refused(EnvError, words):
            envs.step(np.ones((2, 3), int))
        envs.reset()
