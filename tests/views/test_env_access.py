"""What is asked of single environments through the pool, where they are no Python objects."""

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import NotOfferedError
from test_envs.checks import refused
from test_envs.pools import begun, make


def test_pictures() -> None:
    with begun(parallel_pool.make("Catch-v0", num_envs=2, render_mode="rgb_array")) as envs:
        pictures = envs.call("render")
        assert isinstance(pictures, tuple)
        for one, other in zip(pictures, envs.render(), strict=True):
            np.testing.assert_array_equal(one, other)
        assert len(envs.call("render", [1])) == 1


def test_attributes_are_those_of_gymnasiums_vector_environments() -> None:
    theirs = gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="sync")
    with parallel_pool.make("CartPole-v1", num_envs=2) as ours:
        for name in ("observation_space", "action_space", "render_mode"):
            assert ours.get_attr(name) == ours.call(name) == theirs.get_attr(name), name
        assert ours.get_attr("spec") == (ours.spec,) * 2
        assert ours.get_attr("num_envs") == (2, 2)
    theirs.close()


def test_options_are_attributes() -> None:
    with make("Options", num_envs=2, env_options={"gravity": [1.0, 2.0]}, colour="red") as pool:
        assert pool.get_attr("gravity") == (1.0, 2.0)
        assert pool.get_attr("colour") == ("red", "red")
        assert pool.call_of([1, 0, 1], "gravity") == (2.0, 1.0, 2.0)
        for wrong, error, words in (
            ([2], IndexError, "env_id 2 is not in 0 .. 1"),
            ([-1], IndexError, "env_id -1 is not in 0 .. 1"),
            ([0.0], TypeError, "ids are integers"),
            ([], ValueError, "env_id is empty: name at least one environment"),
        ):
            with refused(error, words):
                pool.call_of(wrong, "gravity")


@pytest.mark.parametrize("name", ["gravity", "_pool", "np_random", "unwrapped_env", "get_state"])
def test_what_is_not_there_is_not_offered(name: str) -> None:
    with make("Count") as pool:
        with refused(NotOfferedError, "is no Python object"):
            pool.get_attr(name)
        with refused(NotOfferedError, "is no Python object"):
            pool.set_attr(name, 1)


@pytest.mark.parametrize("name", ["reset", "step", "close", "set_attr"])
def test_the_pools_own_methods_are_not_called(name: str) -> None:
    with make("Count") as pool, refused(ValueError, f"use its own {name}"):
        pool.call(name)
