"""Named arrays of environments are read and written; asking is for Python environments."""

import numpy as np
import parallel_pool
import pytest
from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.pool_errors import (
    AlreadyPendingError,
    EnvAccessError,
    NotOfferedError,
    ResetNeededError,
)
from test_envs.checks import refused
from test_envs.inspectable_pools import NAMES, make
from test_envs.pools import begun


@pytest.mark.parametrize("name", NAMES)
def test_arrays_are_read_and_written(name: str) -> None:
    with make(name, seed=3) as pool:
        obs, _ = pool.reset()
        names = pool.array_names()
        assert names["motion"] == (np.float64, (2,), True)
        assert names["steps"] == (np.int32, (), False)
        assert names["trace"] == (np.float32, (2, 3), True)

        motion = pool.read_array("motion")
        np.testing.assert_array_equal(motion[:, 0], obs)
        assert (motion[:, 1] == 0.25).all()
        assert pool.read_array("trace", [4, 1]).shape == (2, 2, 3)

        pool.write_array("motion", [[7.0, 2.0], [8.0, 3.0]], [5, 2])
        assert pool.read_array("writes").tolist() == [0, 0, 1, 0, 0, 1]
        obs = pool.step(np.full(6, 2))[0]
        assert obs[5] == 9.0
        assert obs[2] == 11.0
        np.testing.assert_array_equal(obs[[0, 1, 3, 4]], motion[[0, 1, 3, 4], 0] + 0.25)
        trace = np.arange(36, dtype=np.float32).reshape(6, 2, 3)
        pool.write_array("trace", trace)
        np.testing.assert_array_equal(pool.read_array("trace"), trace)


@pytest.mark.parametrize("name", NAMES)
def test_what_cannot_be_read_or_written_says_why(name: str) -> None:
    with make(name) as pool:
        with refused(ResetNeededError, "environment 0 was never reset"):
            pool.read_array("motion")
        pool.reset()
        with refused(ValueError, "no array 'speed'", "motion, steps, writes, trace"):
            pool.read_array("speed")
        with refused(ValueError, "'steps' can only be read"):
            pool.write_array("steps", np.zeros(6, np.int32))
        with refused(ValueError, "'motion' takes values of shape (6, 2), not (6, 3)"):
            pool.write_array("motion", np.zeros((6, 3)))
        with refused(TypeError, "'trace' is of dtype float32", "complex128"):
            pool.write_array("trace", np.zeros((6, 2, 3), complex))
        with refused(IndexError, "env_id 6"):
            pool.read_array("motion", [6])
        pool.send(np.ones(6, int))
        with refused(AlreadyPendingError, "environment 0"):
            pool.read_array("motion")
        pool.recv()

        pool.write_array("motion", np.full((1, 2), 200.0), [3])
        with refused(EnvAccessError, "environment 3", "out of sight"):
            pool.read_array("motion")
        with refused(EnvAccessError, "environment 3 could not be looked into"):
            pool.write_array("motion", np.zeros((6, 2)))
        pool.step(np.ones(6, int))


def test_environments_that_list_their_arrays_in_another_order() -> None:
    env_options = [{"rows": rows} for rows in (2, 5, 2, 5, 2, 2)]
    with make("Inspectable", env_options=env_options) as pool:
        obs, _ = pool.reset()
        for _ in range(2):  # the second time it is known where they were
            np.testing.assert_array_equal(pool.read_array("motion")[:, 0], obs)
            np.testing.assert_array_equal(pool.read_array("motion", [1, 2])[:, 0], obs[[1, 2]])
            assert pool.read_array("rows", [3, 1]).tolist() == [5, 5]
        pool.write_array("motion", [[1.0, 2.0], [3.0, 4.0]], [1, 0])
        assert pool.read_array("motion", [0, 1]).tolist() == [[3.0, 4.0], [1.0, 2.0]]
        with refused(ValueError, "no array 'rows'", "motion, steps, writes, trace"):
            pool.read_array("rows", [0])


def test_an_environment_without_arrays_and_pictures() -> None:
    with begun(parallel_pool.make("test/Count-v0", num_envs=2)) as pool:
        with refused(NotOfferedError, "test/Count-v0 has no arrays", "pp.arrays/1"):
            pool.read_array("motion")
        with refused(NotOfferedError, "test/Count-v0 has no renderer"):
            pool.render()
    with make("Inspectable") as pool, refused(OptionError, "make it with render_mode='rgb_array'"):
        pool.render()
    parallel_pool.register(EnvSpec("test/Claims-v0", "test/Count-v0", render_modes=("rgb_array",)))
    with parallel_pool.make("test/Claims-v0", num_envs=1, render_mode="rgb_array") as pool:
        pool.reset()
        with refused(NotOfferedError, "test/Count-v0 cannot be drawn", "pp.render/1"):
            pool.render()


def test_only_python_environments_can_be_asked() -> None:
    with (
        begun(make("Inspectable")) as pool,
        pytest.raises(
            NotOfferedError,
            match=r"inspectable/Inspectable-v0 .*only environments written in Python",
        ),
    ):
        pool._pool.ask(b"question")
