"""What is given to the calls of a program, checked while it is traced: handles, env_id, actions, masks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from parallel_pool.config.seeds import spread
from parallel_pool.schema.fields import Field

HANDLE_WORDS = 4


def checked_handle(jax: Any, handle: Any) -> Any:
    """A handle as `xla()` and every call give it."""
    numpy = jax.numpy
    if getattr(handle, "shape", None) != (HANDLE_WORDS,) or handle.dtype != np.uint32:
        raise TypeError(
            f"the handle is {_said(handle)}, expected uint32[{HANDLE_WORDS}]: pass on the one that the call "
            "before returned"
        )
    return numpy.asarray(handle)


def checked_env_id(jax: Any, env_id: Any, num_envs: int) -> Any:
    """int32 ids, one dimension. Those that are known while tracing must exist."""
    if isinstance(env_id, list | tuple | int | np.ndarray | np.generic):
        known = np.atleast_1d(np.asarray(env_id))
        if (
            known.size
            and known.dtype.kind in "iu"
            and not 0 <= known.min() <= known.max() < num_envs
        ):
            raise IndexError(f"env_id {env_id!r} is not in 0 .. {num_envs - 1}")
        env_id = known
    ids = jax.numpy.asarray(env_id)
    if ids.dtype.kind not in "iu" or ids.ndim != 1 or ids.size == 0:
        raise TypeError(f"env_id is {_said(ids)}, expected integers in one dimension, at least one")
    return ids.astype(np.int32)


def checked_actions(
    jax: Any, tree: Any, fields: Sequence[Field], action: Any, rows: int
) -> list[Any]:
    """The arrays of an action in the order of the pool's fields. tree: `tree_of` of their numbers."""
    leaves: list[Any] = []

    def collect(tree: Any, value: Any, label: str) -> None:
        if isinstance(tree, int):
            leaves.append(_checked_leaf(jax, fields[tree], value, rows, label))
            return
        for key, member in tree.items() if isinstance(tree, Mapping) else enumerate(tree):
            try:
                part = value[key]
            except (KeyError, IndexError, TypeError) as error:
                raise ValueError(
                    f"the action space is nested and {label}[{key!r}] is missing"
                ) from error
            collect(member, part, f"{label}[{key!r}]")

    collect(tree, action, "the action")
    return leaves


def _checked_leaf(jax: Any, field: Field, value: Any, rows: int, label: str) -> Any:
    array = jax.numpy.asarray(value)
    expected = (rows, *field["shape"])
    if array.shape != expected:
        raise ValueError(
            f"{label} is {_said(array)}, expected shape {expected}: one row for each of the {rows} "
            "environments"
        )
    kind = "f" if array.dtype.name == "bfloat16" else array.dtype.kind
    if field["dtype"].kind == "f":
        if kind not in "fiu":
            raise TypeError(
                f"{label} is {_said(array)}, but the action space takes real numbers: "
                "action.astype('float32')"
            )
        if array.dtype.itemsize < 4 and kind == "f":
            array = array.astype(np.float32)  # every value is the same there
    elif kind not in "iu" and not (
        kind == "b" and (field["kind"] == "multi_binary" or field["dtype"].kind == "b")
    ):
        raise TypeError(
            f"{label} is {_said(array)}, but the action space takes integers: convert it yourself if that is "
            "what you mean, action.astype('int32')"
        )
    return jax.lax.stop_gradient(array)


def checked_mask(jax: Any, mask: Any, num_envs: int) -> Any:
    """bool, one per environment."""
    mask = jax.numpy.asarray(mask)
    if mask.shape != (num_envs,) or mask.dtype != np.bool_:
        raise TypeError(f"mask is {_said(mask)}, expected bool[{num_envs}]: one per environment")
    return mask


def checked_seeds(jax: Any, seed: Any, num_envs: int) -> Any:
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
    return jax.numpy.stack([each, (each < seeds).astype(np.uint32)], axis=-1)  # what went over


def _words(numpy: Any, wide: Any) -> Any:
    """Of uint64s, in numpy or JAX, the low and the high word each."""
    return numpy.stack([wide & np.uint64(2**32 - 1), wide >> np.uint64(32)], axis=-1).astype(
        np.uint32
    )


def _said(array: Any) -> str:
    if not hasattr(array, "dtype"):
        return repr(array)
    shape = ",".join(map(str, array.shape))
    return f"{array.dtype}[{shape}]"
