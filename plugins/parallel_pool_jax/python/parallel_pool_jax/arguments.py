"""Checks the arguments of a program's calls while it is traced: handles, env_id, actions, masks."""

from __future__ import annotations

from typing import Any

import numpy as np
from parallel_pool.pool_api import ActionChecker, spread

from parallel_pool_jax.library import jax

HANDLE_WORDS = 4


def checked_handle(handle: Any) -> Any:
    """A handle as `xla()` and every call give it."""
    if getattr(handle, "shape", None) != (HANDLE_WORDS,) or handle.dtype != np.uint32:
        raise TypeError(
            f"the handle is {_said(handle)}, expected uint32[{HANDLE_WORDS}]: pass on the one that the call "
            "before returned"
        )
    return jax.numpy.asarray(handle)


def checked_env_id(checker: ActionChecker, env_id: Any) -> Any:
    """Ids in one dimension, as the pool takes them. Those that are known while tracing must exist."""
    if not _is_of_jax(env_id):
        return jax.numpy.asarray(checker.ids(env_id))
    ids = jax.numpy.asarray(env_id)
    checker.expect_ids(ids.shape, ids.dtype)
    return jax.numpy.atleast_1d(ids)


def checked_actions(checker: ActionChecker, action: Any, rows: int) -> list[Any]:
    """The arrays of an action in the order of the pool's fields, of the shapes and dtypes that it takes."""
    leaves = []
    for number, (value, dtype) in enumerate(checker.members(action)):
        if _is_of_jax(value) or _is_bfloat16(value):
            array = jax.numpy.asarray(value)
            if dtype.kind == "f" and (array.dtype == np.float16 or _is_bfloat16(array)):
                array = array.astype(np.float32)  # every value is the same there
            checker.expect(number, array.shape, array.dtype, rows)
        else:
            array = jax.numpy.asarray(checker.array(number, value, rows))
        leaves.append(jax.lax.stop_gradient(array))
    return leaves


def _is_of_jax(value: Any) -> bool:
    """Returns True if it is or contains an array of JAX, possibly a traced one without known values."""
    return any(isinstance(leaf, jax.Array) for leaf in jax.tree_util.tree_leaves(value))


def _is_bfloat16(array: Any) -> bool:
    return getattr(getattr(array, "dtype", None), "name", None) == "bfloat16"


def checked_mask(mask: Any, num_envs: int) -> Any:
    """bool, one per environment."""
    mask = jax.numpy.asarray(mask)
    if mask.shape != (num_envs,) or mask.dtype != np.bool_:
        raise TypeError(f"mask is {_said(mask)}, expected bool[{num_envs}]: one per environment")
    return mask


def checked_seeds(seed: Any, num_envs: int) -> Any:
    """uint32[num_envs, 2], the low and the high word of each environment's seed, which such an array is
    already; or of an int s, which gives environment i the seed s + i, or of one integer per environment.
    """
    known = isinstance(seed, int | np.integer) or (
        isinstance(seed, list | tuple | np.ndarray) and np.ndim(seed) == 1
    )
    if known:  # JAX would make 64 bits 32
        seeds = spread(seed, num_envs)
        if None in seeds:
            raise TypeError(f"seed is {seed!r}: give every environment one, or name others by mask")
        return jax.numpy.asarray(_words(np, np.array(seeds, np.uint64)))
    seeds = jax.numpy.asarray(seed)
    if seeds.shape == (num_envs, 2) and seeds.dtype == np.uint32:
        return seeds
    if seeds.dtype.kind not in "iu" or seeds.shape not in ((), (num_envs,)):
        raise TypeError(
            f"seed is {_said(seeds)}, expected an integer, {num_envs} of them, or uint32[{num_envs},2], the "
            "low and the high word of each"
        )
    wide = seeds.dtype.itemsize == 8
    seeds = seeds.astype(np.uint64 if wide else np.uint32)
    each = seeds if seeds.ndim else seeds + jax.numpy.arange(num_envs, dtype=seeds.dtype)
    if wide:
        return _words(jax.numpy, each)
    return jax.numpy.stack([each, (each < seeds).astype(np.uint32)], axis=-1)  # the carry is high


def _words(numpy: Any, wide: Any) -> Any:
    """Returns the low and the high word of each uint64, in numpy or JAX."""
    return numpy.stack([wide & np.uint64(2**32 - 1), wide >> np.uint64(32)], axis=-1).astype(
        np.uint32
    )


def _said(array: Any) -> str:
    if not hasattr(array, "dtype"):
        return repr(array)
    shape = ",".join(map(str, array.shape))
    return f"{array.dtype}[{shape}]"
