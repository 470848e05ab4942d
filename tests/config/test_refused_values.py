"""What is no id, no option, and no name: refused in our words, and names that would replace others too."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium import spaces
from parallel_pool import EnvSpec, OptionError, PluginError, RunningStatistics, UnknownEnvError
from parallel_pool.config.env_options import expect_own_names
from test_envs.checks import refused

VIEWS = ("gymnasium", "gym", "dm")


@pytest.mark.parametrize("env_type", VIEWS)
@pytest.mark.parametrize(
    "task_id",
    [
        None,
        1,
        b"CartPole-v1",
        ["CartPole-v1", 2],
        {1: 2},
        [b"x"],
        {"CartPole-v1"},
        frozenset({"CartPole-v1"}),
        {"CartPole-v1": 1},
        np.array("CartPole-v1"),
    ],
)
def test_ids_are_texts(env_type: str, task_id: Any) -> None:
    with refused(OptionError, "the task id is ", "expected a text such as 'CartPole-v1'"):
        parallel_pool.make(task_id, env_type)


def test_a_number_in_the_place_of_the_view_is_a_number_of_environments() -> None:
    with refused(OptionError, "env_type is 8, expected one of gymnasium, gym, dm", "num_envs=8"):
        parallel_pool.make("CartPole-v1", 8)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "arguments", [{"zzz": 1}, {"env_options": [{"zzz": 1}, {}]}, {"env_options": {"zzz": [1, 2]}}]
)
def test_the_command_that_an_unknown_option_offers_can_be_typed(arguments: Any) -> None:
    with refused(OptionError, "no option 'zzz'", "`parallel-pool info classic/Pendulum-v1`"):
        parallel_pool.make_spec("Pendulum-v1", **arguments)
    envs = parallel_pool.make("Pendulum-v1")
    with refused(OptionError, "no option 'zzz'", "`parallel-pool info classic/Pendulum-v1`"):
        envs.reset(options={"zzz": 1})


@pytest.mark.parametrize("task_id", ["CartPole-v1", "gym:CartPole-v1"])
@pytest.mark.parametrize("rows", [[{1: 2}], [{None: 2}], {1: [2]}, {b"x": [1]}])
def test_names_of_options_are_texts(task_id: str, rows: Any) -> None:
    with refused(OptionError, "env_options", "which is no name of an option"):
        parallel_pool.make_spec(task_id, env_options=rows)


@pytest.mark.parametrize("module", ["no.module", ".a", "a b", "gymnasium.nothing"])
def test_modules_that_are_not_there_are_named(module: str) -> None:
    with refused(UnknownEnvError, f"the module {module!r}", "cannot be imported"):
        parallel_pool.make(f"gym:{module}:X-v0")


def test_masked_options_are_refused() -> None:
    masked = np.ma.masked_array([1.0, 2.0], [True, False])
    with refused(OptionError, "env_options['sutton_barto_reward'] is a masked array", ".filled("):
        parallel_pool.make_spec("CartPole-v1", env_options={"sutton_barto_reward": masked})


def test_statistics_keep_their_shape() -> None:
    statistics = RunningStatistics((2,))
    mean = statistics.mean
    for wrong in (np.zeros(9), 3.0, ["a", "b"]):
        with refused(ValueError, "mean is", "expected numbers of shape (2,)"):
            statistics.mean = wrong  # type: ignore[assignment]
    statistics.mean = np.array([1.0, 2.0])
    statistics.mean += 1
    assert statistics.mean is mean
    assert mean.tolist() == [2, 3]
    for call in (statistics.merge, statistics.assign):
        with refused(TypeError, "the other statistics are 3, expected a RunningStatistics"):
            call(3)  # type: ignore[arg-type]


class Telling(gymnasium.Env[Any, Any]):
    """Its infos have names of the pool's."""

    observation_space = spaces.Discrete(2)
    action_space = spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        return 0, {"env_id": 777, "own": 1}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return 0, 0.0, False, False, {"elapsed_step": 777, "own": 2}


class Preset(Telling):
    """Takes an option that pools take too."""

    def __init__(self, seed: int = 0) -> None: ...


def test_infos_replace_none_of_the_pools_own() -> None:
    spec = EnvSpec("telling/Telling-v0", backend="python")
    parallel_pool.register(spec, factory=lambda spec, options: Telling)
    with parallel_pool.make(spec.id, num_envs=2, isolation="thread") as envs:
        with pytest.warns(parallel_pool.LostInfoWarning, match="'env_id'.*rename it"):
            _, info = envs.reset()
        assert info["env_id"].tolist() == [0, 1]
        assert info["own"].tolist() == [1, 1]
        with pytest.warns(parallel_pool.LostInfoWarning, match="'elapsed_step'") as said:
            for step in range(3):
                info = envs.step([0, 0])[-1]
                assert info["elapsed_step"].tolist() == [step + 1] * 2
        assert len(said) == 1


def test_options_of_environments_are_not_named_like_arguments_of_make() -> None:
    for name in ("num_envs", "seed", "task_id", "env_type"):
        spec = EnvSpec(
            f"telling/Preset{name.title().replace('_', '')}-v0", backend="python", options={name: 3}
        )
        with refused(PluginError, f"has the option {name!r}, which is an argument of make"):
            expect_own_names(spec, "EnvSpec", spec.options)
        parallel_pool.register(spec, factory=lambda spec, options: Preset)
        with refused(PluginError, f"has the option {name!r}, which is an argument of make"):
            parallel_pool.make(spec.id)
