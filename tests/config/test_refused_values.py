"""What is no id, no option, and no name: refused in our words, and names that would replace others too."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
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


def test_options_of_environments_are_not_named_like_arguments_of_make() -> None:
    for name in ("num_envs", "seed", "task_id", "env_type"):
        spec = EnvSpec(
            f"telling/Preset{name.title().replace('_', '')}-v0", backend="python", options={name: 3}
        )
        with refused(PluginError, f"has the option {name!r}, which is an argument of make"):
            expect_own_names(spec, "EnvSpec", spec.options)
        parallel_pool.register(spec, factory=lambda spec, options: dict)
        with refused(PluginError, f"has the option {name!r}, which is an argument of make"):
            parallel_pool.make(spec.id)
