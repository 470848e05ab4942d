"""Constructor arguments: checked by name, type and range before anything is built."""

from typing import Any

import numpy as np
import pytest
from parallel_pool import OptionError, UnknownArgumentError, make_spec
from test_envs.checks import assert_works, refused
from test_envs.pools import make


def test_values_reach_the_environment() -> None:
    values = {
        "size": np.int64(3),
        "gravity": 5,
        "verbose": np.True_,
        "colour": "green",
        "path": "/tmp",
        "weights": [0.5, 1, 2],
    }
    with make("Options", num_envs=2, **values) as pool:
        obs, info = pool.reset()
        assert obs.tolist() == [[3.0] * 3] * 2
        assert info["number"].tolist() == [5.0] * 2
        assert info["flag"].tolist() == [True] * 2
        assert info["choice"].tolist() == [1] * 2
        assert info["sum"].tolist() == [3.5] * 2
        assert pool.config["colour"] == "green"


def test_a_text_may_be_given_as_lines_or_as_none() -> None:
    for given, taken in ((["FF", "FG"], "FF\nFG"), (("one",), "one"), (None, ""), ([], "")):
        assert make_spec("test/Options-v0", path=given).config.path == taken


def test_few_options_are_all_named() -> None:
    """Those of the environment, not arguments that look a little like the name."""
    declared = [each["name"] for each in make_spec("test/Count-v0").declared_options]
    assert 0 < len(declared) <= 5
    with refused(OptionError, "test/Count-v0", "'zzz'", f"It has {', '.join(declared)}: `parallel"):
        make("Count", zzz=1)


@pytest.mark.parametrize(
    ("option", "value", "parts"),
    [
        ("gravitty", 1.0, ["no option 'gravitty'", "Did you mean 'gravity'?"]),
        ("num_env", 1, ["no option 'num_env'", "Did you mean 'num_envs'?"]),
        ("zzz", 1, ["no option 'zzz'", "The nearest are", "parallel-pool info"]),
        ("size", 1.5, ["'size' is 1.5", "an integer", "1 .. 1e+06"]),
        ("size", "3", ["'size' is '3'", "an integer"]),
        ("size", True, ["'size' is True", "an integer"]),
        ("size", None, ["'size' is None", "an integer"]),
        ("size", 0, ["'size' is 0", "an integer in 1 .. "]),
        ("size", -1, ["'size' is -1"]),
        ("size", 2**70, ["'size' is"]),
        ("gravity", 10**400, ["'gravity' is 1000", "a number"]),
        ("weights", [10**400], ["'weights' is", "numbers"]),
        ("path", "\ud800", ["'path' is", "Unicode"]),
        ("gravity", 101, ["'gravity' is 101", "a number in 0 .. 100"]),
        ("gravity", -1e-9, ["'gravity' is -1e-09"]),
        ("gravity", float("nan"), ["'gravity' is nan"]),
        ("gravity", "9.8", ["'gravity' is '9.8'", "a number"]),
        ("verbose", 1, ["'verbose' is 1", "True or False"]),
        ("colour", "blue", ["'colour' is 'blue'", "'red', 'green'"]),
        ("colour", 3, ["'colour' is 3", "a text"]),
        ("path", "a\0b", ["'path'", "zero bytes"]),
        ("weights", "heavy", ["'weights' is 'heavy'", "numbers"]),
        ("weights", [[1.0]], ["'weights'", "one-dimensional"]),
        ("weights", [1.0, float("nan")], ["'weights'", "numbers"]),
    ],
)
def test_row_27_other_values_are_refused(option: str, value: Any, parts: list[str]) -> None:
    with refused(OptionError, "test/Options-v0", *parts):
        make("Options", **{option: value})
    with make("Options") as pool:
        assert_works(pool)


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_only_the_gym_view_chooses_what_its_reset_gives(env_type: str) -> None:
    """The other arguments are checked alike in every view: tests/config/test_arguments.py."""
    with refused(OptionError, "test/Count-v0", "gym_reset_return_info"):
        make("Count", env_type, gym_reset_return_info="no" if env_type == "gym" else False)


def test_an_unknown_argument_is_a_type_error_too() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'") as caught:
        make("Count", frameskip=4)
    assert isinstance(caught.value, UnknownArgumentError)
    assert isinstance(caught.value, OptionError)


@pytest.mark.parametrize("nothing", [0, None])
def test_zero_and_none_mean_the_default(nothing: int | None) -> None:
    with make(num_envs=3, batch_size=nothing, num_threads=nothing, max_episode_steps=None) as pool:
        assert pool.config["batch_size"] == 3
        assert pool.config["num_threads"] >= 1
        assert not pool.is_async


def test_pinned_threads_work() -> None:
    with make(num_envs=8, num_threads=2, thread_affinity_offset=0) as pool:
        assert_works(pool)
