"""Libraries whose tables, answers and texts are wrong: errors that name the plugin, and no crash."""

import shutil
from collections.abc import Callable
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import EnvSpec, PluginError, _core
from parallel_pool.pool_errors import EnvAccessError, EnvBuildError, EnvError, StateError
from test_envs.checks import refused
from test_envs.compiling import SOURCES

ID = "hostile/Env-v0"
Load = Callable[[str], str]

IN_THE_HEAD = {
    **{
        f"{name}_{how}": "name or version"
        for name in ("name", "version")
        for how in ("null", "utf8")
    },
    "name_empty": "name or version",
    "head_short": "its table is shorter",
    "envs_null": "environments that are not there",
    "env_null": "environment 0 is NULL",
    "env_short": "environment 0's table is shorter",
    "twice": f"two environments '{ID}'",
    **{f"id_{how}": "environment 0 has no id" for how in ("null", "utf8", "newline")},
}
IN_AN_ENVIRONMENT = {
    "summary_utf8": "summary",
    **{
        f"no_{name}": f"function {full} is NULL"
        for name, full in {
            **{each: each for each in ("describe", "create", "destroy", "reset", "step")},
            "release": "release_spec",
        }.items()
    },
    "options_null": "options that are not there",
    "option_null": "option 1 is NULL",
    "option_short": "option 0 has a wrong struct_size",
    **{f"option_{how}": "option 0 has no name" for how in ("nameless", "empty_name", "utf8")},
    "option_twice": "two options 'first'",
    "option_doc_utf8": "option 'first' has a doc",
    "option_kind": "option 'first' has an unknown kind",
    "option_text_utf8": "option 'second' has a default that is not UTF-8",
    "choices_null": "option 'second' counts choices",
    **{f"choice_{how}": "option 'second' has a choice" for how in ("null", "utf8")},
    **{f"option_{how}": "a range without any number" for how in ("upside_down", "nan")},
    "array_null": "option 'first' counts elements",
    "array_count": "option 'first' has a default with a negative count",
    "array_type": "option 'first' has a default of an unknown dtype",
}
IN_THE_DESCRIPTION = {
    "spec_short": "struct_size",
    "fields_null": "fields that are not there",
    "field_null": "field 1 is NULL",
    "field_short": "field 0 is NULL or its struct_size",
    **{f"field_name_{how}": "field 0 has a name" for how in ("utf8", "newline")},
    **{f"field_name_{how}": "an empty part" for how in ("slash", "begin", "end")},
    **{f"{kind}_upside_down": "a low is above its high" for kind in ("box", "discrete", "multi")},
    "box_nan": "NaN as a bound",
    **{
        name: "more values than an int64 can count"
        for name in ("discrete_whole_range", "discrete_unsigned", "multi_whole_range")
    },
    "bool_of_7": "neither 0 nor 1",
}

draw, save = methodcaller("render"), methodcaller("get_state")
names, read = methodcaller("array_names"), methodcaller("read_array", "count")
IN_AN_EXTENSION: dict[str, tuple[Callable[[Any], object], type[Exception], str]] = {
    **{f"render_no_{name}": (draw, PluginError, "pp.render/1") for name in ("size", "draw")},
    **{f"picture_{how}": (draw, EnvAccessError, "pixels") for how in ("empty", "huge", "large")},
    **{
        f"arrays_no_{name}": (names, PluginError, "pp.arrays/1")
        for name in ("count", "describe", "read", "write")
    },
    **{f"arrays_{how}": (read, EnvAccessError, "says that it has") for how in ("huge", "many")},
    **{
        f"array_{how}": (read, EnvAccessError, "is described wrongly")
        for how in ("dtype", "dims", "negative", "overflow", "nameless", "utf8")
    },
    **{f"state_{how}": (save, StateError, "says that the state has") for how in ("huge", "large")},
    "state_negative": (save, StateError, "gave no reason"),
    "state_says_more": (save, StateError, "wrote 108 bytes, and had room for 8"),
}
HARMLESS = [
    *("", "summary_null", "lanes_0", "lanes_huge", "lanes_late", "flags_unknown", "claims_twice"),
    *("option_doc_null", "option_text_null", "array_empty", "field_name_null", "field_name_2"),
    *("discrete_bool", "threshold_inf", "steps_huge", "max_players_huge", "info_huge_name"),
    *("null_note", "bad_note", "no_host_extension", "flag_of_2", "obs_empty"),
]


@pytest.fixture
def load(compiled: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Makes a library that is wrong in one way; gives the path. A copy is loaded for itself."""
    library = compiled(SOURCES / "hostile.c")

    def copy(wrong: str) -> str:
        monkeypatch.setenv("HOSTILE", wrong)
        path = tmp_path / f"{wrong}.so"
        return str(path if path.exists() else shutil.copy(library, path))

    return copy


@pytest.fixture
def make(load: Load, no_plugins: Callable[[], None]) -> Callable[..., Any]:
    """Makes a pool of such a library."""

    def make(wrong: str, **arguments: Any) -> Any:
        no_plugins()  # one library after the other has the family
        parallel_pool.register(EnvSpec(ID, render_modes=("rgb_array",)), library=load(wrong))
        return parallel_pool.make(ID, **{"num_envs": 3, **arguments})

    return make


@pytest.mark.parametrize("wrong", [*IN_THE_HEAD, *IN_AN_ENVIRONMENT])
def test_a_wrong_table_is_refused_when_it_is_loaded(load: Load, wrong: str) -> None:
    path = load(wrong)
    whose = path if wrong in IN_THE_HEAD else ID
    for _ in range(2):
        with refused(PluginError, whose, (IN_THE_HEAD | IN_AN_ENVIRONMENT)[wrong]):
            _core.Plugin(path)


@pytest.mark.parametrize("wrong", IN_THE_DESCRIPTION)
def test_a_wrong_description_is_refused(load: Load, wrong: str) -> None:
    plugin = _core.Plugin(load(wrong))
    with refused(PluginError, f"{ID} describes itself wrongly", IN_THE_DESCRIPTION[wrong]):
        plugin.describe(ID, {})


@pytest.mark.parametrize("wrong", HARMLESS)
def test_what_is_odd_but_harmless_is_stepped(make: Callable[..., Any], wrong: str) -> None:
    for arguments in ({}, {"num_envs": 40, "num_threads": 2}):
        with make(wrong, **arguments) as envs:
            envs.reset(seed=0)
            for _ in range(3):
                envs.step(envs.action_space.sample())


def test_no_environment_can_be_so_large_that_its_bytes_cannot_be_counted(
    make: Callable[..., Any],
) -> None:
    for wrong in ("obs_4_tb", "action_4_tb"):
        with refused(EnvBuildError, ID, "100 TB"):
            make(wrong, num_envs=40, env_type="gym")


@pytest.mark.parametrize(
    "extension",
    [
        *("state_no_size", "state_no_save", "state_no_load", "state_locals_null"),
        *("state_local_null", "early_no_begin", "reset_options_null", "reset_option_null"),
        *("reset_option_nameless", "reset_options_no_set"),
    ],
)
def test_an_extension_with_a_hole_is_refused(make: Callable[..., Any], extension: str) -> None:
    with refused(PluginError, ID, "mistake in the plugin"):
        make(extension)


@pytest.mark.parametrize("wrong", IN_AN_EXTENSION)
def test_what_an_extension_lacks_or_says_wrongly_is_refused_when_it_is_used(
    make: Callable[..., Any], wrong: str
) -> None:
    call, kind, part = IN_AN_EXTENSION[wrong]
    with make(wrong, render_mode="rgb_array") as envs:
        envs.reset()
        with refused(kind, ID if call is not save else "environment 0 could not be saved", part):
            call(envs)
        envs.step(envs.action_space.sample())


def test_texts_are_made_readable(make: Callable[..., Any], load: Load) -> None:
    with refused(ValueError, ID, "caf\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}"):
        _core.Plugin(load("describe_bad_utf8")).describe(ID, {})
    with pytest.raises(ValueError, match="the rest is left out") as caught:
        _core.Plugin(load("describe_long")).describe(ID, {})
    assert len(str(caught.value)) < 70_000
    with pytest.raises(EnvBuildError, match="the rest is left out"):
        make("create_many_errors")
    with make("bad_text") as envs:
        for _ in range(2):  # nothing stays pending
            with refused(EnvError, "environment 2: caf\N{REPLACEMENT CHARACTER}"):
                envs.reset()


def test_odd_statuses_and_lanes_fail_environments(make: Callable[..., Any]) -> None:
    for wrong, part in {
        "odd_status": "the plugin gave no reason",
        "left_untold": "the plugin gave no reason",
        "odd_lane": "of a lane that is not there",
    }.items():
        with make(wrong) as envs:
            with pytest.raises(EnvError, match=part) as caught:
                envs.reset()
            assert sorted(caught.value.failures) == [0, 1, 2]


@pytest.mark.parametrize("wrong", ["fewer_each_time", "larger_each_time"])
def test_a_description_that_differs_from_call_to_call(make: Callable[..., Any], wrong: str) -> None:
    try:
        envs = make(wrong)
    except (PluginError, ValueError, TypeError):
        return
    with envs:
        obs, _ = envs.reset()
        obs, *_ = envs.step(np.zeros(3, np.int64))
        assert len(obs) == 3


@pytest.mark.usefixtures("no_plugins")
@pytest.mark.parametrize("threads", [1, 3])
def test_exceptions_of_cpp_that_come_out_of_a_plugin(
    compiled: Callable[[Path], Path], threads: int
) -> None:
    library = compiled(SOURCES / "faulty.cpp")
    parallel_pool.register(EnvSpec("faulty/Throwing-v0"), library=library)
    make = partial(parallel_pool.make, "faulty/Throwing-v0", num_envs=6, num_threads=threads)
    said = "let a C++ exception out: thrown in C++"
    for where, kind, words in (
        ("describe", ValueError, said),
        ("anything", ValueError, "of an unknown type"),
        ("create", EnvBuildError, said),
    ):
        with refused(kind, "faulty/Throwing-v0", words):
            make(where=where)
    with make(where="reset") as envs:
        for _ in range(2):
            with refused(EnvError, "environment 5", said):
                envs.reset()
    with make(where="step") as envs:
        for _ in range(2):
            envs.reset()
            with refused(EnvError, "environment 5", said):
                envs.step(np.zeros(6, np.int64))
