"""What environments of one pool may not differ in, with what would help."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError, make_spec
from test_envs.checks import assert_works, refused
from test_envs.pools import make, native


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        (
            [{"drift": 1}, {"drfit": 2}],
            ["test/Walk-v0, environment 1", "'drfit'", "Did you mean 'drift'?"],
        ),
        ([{"drift": 1}, {"drift": "far"}], ["environment 1: option 'drift' is 'far'", "a number"]),
        ({"drift": [0, 1, None]}, ["environment 2: option 'drift' is None"]),
        ([{"seed": 1}], ["environment 0: seed", "of the whole pool", "make(..., seed=...)"]),
        ({"num_threads": [1, 2]}, ["environment 0: num_threads", "of the whole pool"]),
        ({"drift": 1.0}, ["env_options['drift'] is 1.0", "one value per environment", "drift=1.0"]),
        ({"drift": "abc"}, ["env_options['drift'] is 'abc'", "one value per environment"]),
        ({"drift": np.array(1.0)}, ["one value per environment"]),
        ({"drift": []}, ["one value per environment"]),
        ({}, ["env_options is {}"]),
        ([], ["env_options is []", "one dict per environment"]),
        ("drift", ["env_options is 'drift'"]),
        (3, ["env_options is 3"]),
        ([{"drift": 1}, 2.0], ["2.0 for environment 1"]),
    ],
)
def test_what_they_may_be(given: Any, parts: list[str]) -> None:
    with refused(OptionError, *parts):
        make("Walk", env_options=given)


def test_lengths_must_agree() -> None:
    with refused(
        OptionError, "2 entries of env_options", "num_envs is 3", "leave num_envs out or pass 2"
    ):
        make("Walk", num_envs=3, env_options=[{}, {}])
    with refused(OptionError, "2 of 'gravity'", "3 of 'colour'"):
        make("Options", env_options={"gravity": [1, 2], "colour": ["red"] * 3})
    with refused(OptionError, "2 task ids and 3 entries of env_options"):
        parallel_pool.make(["test/Few-v0", "test/Few-v0"], env_options=[{}, {}, {}])
    with refused(OptionError, "no task id"):
        make_spec([])
    with refused(OptionError, "2 task ids", "num_envs is 4"):
        parallel_pool.make(["test/Few-v0", "test/Few-v0"], num_envs=4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gravity", [1, 2]),
        ("gravity", np.ones(3)),
        ("size", [1, 2]),
        ("colour", ["red"]),
        ("verbose", (True,)),
    ],
)
def test_a_list_for_a_plain_option_is_told_the_way(name: str, value: Any) -> None:
    with refused(
        OptionError, f"'{name}' is", f"for one per environment: env_options={{'{name}': [...]}}"
    ):
        make("Options", num_envs=2, **{name: value})


def test_different_shapes_are_refused_with_their_reason() -> None:
    with refused(
        OptionError,
        "environments 0 (test/Options-v0) and 2 (test/Options-v0)",
        "observation",
        "(2,)",
        "(3,)",
        "'size' is 2 and 3",
        "give all of them the same",
    ):
        make("Options", env_options={"size": [2, 2, 3], "gravity": [1, 2, 3]})


def test_the_native_pool_refuses_different_layouts_too() -> None:
    with refused(ValueError, "environments 0 and 2 of one pool have different"):
        native("Options", num_envs=3, options=[{"size": 2}, {"size": 2}, {"size": 3}])


def test_different_actions_are_refused_with_what_would_help() -> None:
    with refused(
        OptionError,
        "environments 0 (test/Few-v0) and 1 (test/Many-v0)",
        "action: Discrete(2) and Discrete(5)",
        "With all_buttons=True for all of them they agree",
    ):
        parallel_pool.make(["test/Few-v0", "test/Many-v0"])
    with parallel_pool.make(["test/Few-v0", "test/Many-v0"], all_buttons=True) as pool:
        assert pool.single_action_space.n == 10
        assert_works(pool)


def test_a_failing_description_names_the_environment() -> None:
    with refused(OptionError, "test/Faulty-v0, environment 1", "no such level"):
        make("Faulty", env_options={"fails_in": ["nowhere", "describe"]})


def test_a_spec_says_all_that_without_building() -> None:
    spec = make_spec("test/Faulty-v0", env_options={"fails_in": ["constructor", "nowhere"]})
    assert spec.config.num_envs == 2
    with refused(OptionError, "observation", "'size' is 1 and 2"):
        make_spec("test/Options-v0", env_options={"size": [1, 2]})
