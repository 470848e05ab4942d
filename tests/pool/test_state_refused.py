"""A state that does not fit, cannot be saved or cannot be loaded says why, and the pool is as it was."""

import os
import sys
from pathlib import Path

import numpy as np
from parallel_pool import ResetNeededError, StateError
from test_envs.checks import refused
from test_envs.pools import begun, make, native
from test_envs.states import equal


def test_one_state_is_no_list() -> None:
    with begun(make(num_envs=2)) as pool:
        (state,) = pool.get_state([1])
        with refused(TypeError, "states is bytes, expected one state for each environment"):
            pool.set_state(1, state)


def test_a_plugin_that_fails_to_save() -> None:
    with begun(make("Faulty", num_envs=2)) as pool:
        pool.step([0, 5])
        with refused(StateError, "environment 1 could not be saved: boom in save"):
            pool.get_state()
        pool.get_state([0])
        assert pool.step([0, 0])[0].tolist() == [2, 2]


def test_a_plugin_that_fails_to_load_loses_that_environment_only() -> None:
    with begun(make("Faulty", num_envs=3)) as pool:
        fine = pool.get_state()
        pool.step([0, 6, 0])
        bad = pool.get_state([1])
        with refused(StateError, "environment 1 refused its state", "boom in load"):
            pool.set_state(None, [fine[0], *bad, fine[2]])
        with refused(ResetNeededError, "environment 1 failed"):
            pool.step([0, 0, 0])
        assert pool.step([0, 0], [0, 2])[0].tolist() == [1, 1]
        pool.set_state([1], fine[1:2])
        assert pool.step([0, 0, 0])[0].tolist() == [2, 1, 2]


def test_an_environment_without_the_extension_says_so() -> None:
    with begun(make("Echo", num_envs=2)) as pool:
        for use in (
            pool.get_state,
            lambda: pool.set_state([0], [b"x"]),
            lambda: pool.clone(0, [1]),
        ):
            with refused(StateError, "test/Echo-v0", "test 0.0.0", "pp.state/1"):
                use()
        pool.step(np.zeros((2, 2), np.float32))


def test_truncated_and_foreign_bytes_are_refused_by_name() -> None:
    with begun(make("Walk", num_envs=2)) as pool:
        state = pool.get_state([0])[0]
        for length in [*range(0, len(state), 7), len(state) - 1]:
            with refused(StateError, "truncated", f"it has {length} bytes"):
                pool.set_state([0], [state[:length]])
        for other, word in (
            (state + b"x", "corrupt"),
            (b"\0" * 500, "not a state"),
            (state[3::-1] + state[4:], "byte order"),
            (state[:4] + (4).to_bytes(4, sys.byteorder) + state[8:], "format 4"),
        ):
            with refused(StateError, word):
                pool.set_state([0], [other])
        with refused(TypeError, "bytes", "str"):
            pool.set_state([0], ["state"])  # type: ignore[list-item]
        with refused(ValueError, "2 states for 1 environments"):
            pool.set_state([0], [state, state])
        with refused(ValueError, "occurs twice"):
            pool.set_state([1, 1], [state, state])
        with refused(IndexError, "2"):
            pool.get_state([2])


def test_a_state_with_other_options_names_them() -> None:
    with begun(make(num_envs=2), make(num_envs=2, max_count=9, scale=2.0)) as (pool, other):
        before = pool.get_state()
        with refused(StateError, "environment 0", "options", "'max_count', 'scale'"):
            pool.set_state(None, other.get_state())
        assert pool.get_state() == before
        # An option given its default is no difference, nor is anything of the pool's own.
        with make(num_envs=3, max_count=5, max_episode_steps=4, seed=8) as same:
            same.set_state([2, 0], pool.get_state())


def test_where_a_file_is_makes_no_difference() -> None:
    with make("Memory", path="/here/x") as pool, make("Memory", path="/there/x") as other:
        pool.reset()
        pool.step([1])
        other.set_state(None, pool.get_state())
        equal(other.step([2]), pool.step([2]))


def test_a_state_of_another_version(tmp_path: Path) -> None:
    """The same library, but for the version that it says it has."""
    old = os.environ["PP_TEST_ENVS"]
    content = Path(old).read_bytes()
    assert content.count(b"\0000.0.0\0") == 1
    library = str(tmp_path / "test_envs.so")
    Path(library).write_bytes(content.replace(b"\0000.0.0\0", b"\0009.8.7\0"))
    try:
        os.environ["PP_TEST_ENVS"] = library
        other = native("Walk", num_envs=1)
    finally:
        os.environ["PP_TEST_ENVS"] = old
    pool = native("Walk", num_envs=1)
    for each in (pool, other):
        each.reset()
    with refused(StateError, "version 9.8.7", "this is 0.0.0"):
        pool.set_state(None, other.get_state())
    pool.close()
    other.close()
