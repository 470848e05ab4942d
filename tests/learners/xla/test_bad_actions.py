"""Programs refuse what their pool refuses, in the same words: while they are traced, or when they run."""

from typing import Any

import jax
import numpy as np
import parallel_pool
import pytest
from learners.xla.programs import jitted
from test_envs.bad_actions import BAD, NESTED, Bad, told
from test_envs.pools import begun


def as_arrays(action: Any) -> Any:
    if action is None:
        return None
    if isinstance(action, dict):
        return {name: as_arrays(each) for name, each in action.items()}
    if isinstance(action, tuple):
        return tuple(map(as_arrays, action))
    return np.asarray(action)


def ran(call: Any, *arguments: Any) -> Any:
    return jax.block_until_ready(jax.jit(call)(*arguments))


def traced(call: Any, handle: Any, *written: Any) -> None:
    """Traces a program in which all but the handle is written."""
    jax.jit(lambda handle: call(handle, *written)).lower(handle)


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_the_words_are_the_pools(bad: Bad, backend: str) -> None:
    infos = {"infos": "minimal"} if bad.task_id == NESTED else {}
    pool = parallel_pool.make(bad.task_id, **bad.arguments, **infos)
    with jax.enable_x64(True), begun(pool):
        theirs = told(pool.step, bad.action, bad.env_id)
        program = pool.xla(backend)
        for call in (program.step, program.send):
            if bad.traced:
                assert told(traced, call, program.handle, bad.action, bad.env_id) == theirs
                continue
            kind, said = told(
                ran, call, program.handle, as_arrays(bad.action), as_arrays(bad.env_id)
            )
            assert issubclass(kind, RuntimeError)
            assert theirs[1] in said
        assert np.array_equal(pool.xla(backend).handle, program.handle)  # is still good
        with pytest.raises(parallel_pool.NothingPendingError):
            pool.recv()


def _numeric(value: Any) -> bool:
    try:
        return np.asarray(value).dtype.kind in "biufc"
    except ValueError:  # no array
        return False


ARRAYS = [
    bad
    for bad in BAD
    if bad.traced and bad.task_id != NESTED and _numeric(bad.action)
    if bad.env_id is None or _numeric(bad.env_id)
]


@pytest.mark.parametrize("bad", ARRAYS, ids=range(len(ARRAYS)))
def test_arrays_whose_values_are_not_known_are_refused_in_the_same_words(bad: Bad) -> None:
    with jax.enable_x64(True), begun(parallel_pool.make(bad.task_id, **bad.arguments)) as pool:
        action, env_id = as_arrays(bad.action), as_arrays(bad.env_id)
        theirs = told(pool.step, action, env_id)
        program = pool.xla()
        kind, said = told(ran, program.step, program.handle, action, env_id)
        assert theirs[1] in said
        assert kind is theirs[0] or issubclass(kind, RuntimeError)


@pytest.mark.parametrize("dtype", ["u1", "i2", "u4", "i8", "u8"])
def test_ids_keep_their_dtype(dtype: str) -> None:
    with jax.enable_x64(True), begun(parallel_pool.make("CartPole-v1", num_envs=4)) as pool:
        handle, step = jitted(pool)
        handle, result = step(handle, np.zeros(2, int), np.array([2, 1], dtype))
        assert result[4]["env_id"].tolist() == [2, 1]
        most = np.iinfo(dtype).max
        with pytest.raises(RuntimeError, match=rf"env_id {most} is not in 0 .. 3"):
            jax.block_until_ready(step(handle, np.zeros(2, int), np.array([2, most], dtype)))


def test_lists_of_traced_numbers_are_actions_and_ids() -> None:
    with begun(parallel_pool.make("CartPole-v1", num_envs=4)) as pool:
        handle, _, _, step = pool.xla()  # as it is: a program of its own would trace the 0
        _, result = jax.jit(lambda h, a, i: step(h, [a, a], [i, 0]))(handle, 1, 3)
        assert result[4]["env_id"].tolist() == [3, 0]
