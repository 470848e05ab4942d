"""Options declared as structs: what the host is told of them, and what the environment reads."""

from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError, _core
from test_envs.checks import refused
from test_envs.compiling import compile_plugin


def test_the_host_is_told_each_in_the_order_of_the_list(plugin: _core.Plugin) -> None:
    options = plugin.declaration("sets/Every-v0")["options"]
    told = [(each["name"], each["kind"], np.asarray(each["default"]).tolist()) for each in options]
    assert told == [
        ("flag", "bool", True),
        ("whole", "int", -1),
        ("small", "int", 2),
        ("real", "float", 1.0),
        ("narrow", "float", 0.1),
        ("path", "str", ""),
        ("map", "str", "4x4"),
        ("ground", "str", "steep"),
        ("many", "array", [1.0, 2.5]),
        ("none", "array", []),
        ("three", "array", [1.0, 2.0, 3.0]),
        ("range", "array", [-1.0, 1.0]),
    ]
    by_name = {each["name"]: each for each in options}
    assert by_name["map"]["choices"] == ("4x4", "8x8")
    assert by_name["ground"]["choices"] == ("flat", "steep")
    assert (by_name["small"]["low"], by_name["small"]["high"]) == (0, 255)
    assert (by_name["whole"]["low"], by_name["whole"]["high"]) == (None, None)
    assert by_name["three"]["doc"] == "of three parts"


def test_members_have_the_defaults_or_the_values_given(plugin: _core.Plugin) -> None:
    values: dict[str, Any] = {
        "flag": False,
        "whole": 2**40,
        "small": 255,
        "real": 7,
        "narrow": 0.25,
        "path": "/tmp",
        "map": "8x8",
        "ground": "flat",
        "many": [1, 1, 1, 1],
        "none": [3],
        "three": [7, 8, 9],
        "range": [2, -2],
    }
    defaults = [True, -1, 2, 1, np.float64(np.float32(0.1)), 3, -1, 1, 1.5]
    given = [0, 2**40, 255, 7, 0.25, 9, 2, -2, 1.5]
    for options, members, infos in (({}, defaults, [3.5, 0, 1]), (values, given, [304, 104, 0])):
        with parallel_pool.make("sets/Every-v0", **options) as pool:
            obs, info = pool.reset()
            assert obs[0].tolist() == members
            assert [info[name][0] for name in ("sum", "text", "ground")] == infos
            assert pool.single_observation_space.high[0] == members[3]


@pytest.mark.parametrize(
    ("env_id", "given", "parts"),
    [
        ("sets/Every-v0", {"three": [1, 2]}, ["has 2 numbers, expected 3: of three parts"]),
        ("sets/Every-v0", {"range": []}, ["has 0 numbers, expected 2: least and most"]),
        ("sets/R-v0", {"healthy": [1, 2, 3]}, ["has 3 numbers, expected 2: heights"]),
        ("sets/Every-v0", {"small": 256}, ["is 256"]),
        ("sets/Every-v0", {"ground": "hilly"}, ["is 'hilly'", "'flat', 'steep'"]),
    ],
)
def test_what_no_member_holds_is_refused_by_name(
    plugin: _core.Plugin, env_id: str, given: dict[str, Any], parts: list[str]
) -> None:
    (name,) = given
    with refused(OptionError, env_id, f"'{name}' {parts[0]}", *parts):
        parallel_pool.make(env_id, **given)


def test_sets_compose_and_override_defaults(plugin: _core.Plugin) -> None:
    names = [each["name"] for each in plugin.declaration("sets/R-v0")["options"]]
    assert names == ["healthy", "skip", "noise", "ground"]
    assert names == [each["name"] for each in plugin.declaration("sets/U-v0")["options"]]
    for env_id, expected in (("sets/R-v0", [4, 0, 0, 1, 0]), ("sets/U-v0", [4, 0.1, 0.5, 2, 1])):
        with parallel_pool.make(env_id) as pool:
            assert pool.reset()[0][0].tolist() == expected
    with parallel_pool.make("sets/R-v0", env_options=[{"skip": k} for k in (1, 2, 3)]) as pool:
        assert pool.reset()[0][:, 0].tolist() == [1, 2, 3]


def test_options_of_a_reset(plugin: _core.Plugin) -> None:
    told = plugin.declaration("sets/Every-v0")["reset_options"]
    assert [(each["name"], each["default"]) for each in told] == [("low", 0.5), ("more", 1)]
    with parallel_pool.make("sets/Every-v0") as pool:
        assert pool.reset(options={"low": 2})[0][0, 8] == 3
        assert pool.reset(options={"more": 5})[0][0, 8] == 5.5
        assert pool.reset()[0][0, 8] == 1.5
        with pytest.raises(ValueError, match="low is above 9"):
            pool.reset(options={"low": 10})


def test_sets_compile_with_a_sanitizer(tmp_path: Path) -> None:
    """With it GCC compares no addresses of variables in constant expressions, not even with 0."""
    source = Path(__file__).with_name("option_set.cpp")
    compile_plugin(source, tmp_path / "no.so", flags=["-fsanitize=undefined", "-fsyntax-only"])
