"""`xla()`: the functions of a pool for compiled programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from parallel_pool import NotOfferedError
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import (
    Field,
    NativePool,
    PoolConfig,
    bounds,
    expect_array_fields,
    is_multi_player,
    map_tree,
)
from parallel_pool.pool_api import result_tree as nodes

from parallel_pool_jax.arguments import (
    HANDLE_WORDS,
    checked_actions,
    checked_env_id,
    checked_handle,
    checked_mask,
    checked_seeds,
)
from parallel_pool_jax.calls import Backend, Callback, Ffi
from parallel_pool_jax.library import jax, refuse_manual_axes
from parallel_pool_jax.platforms import expect_platform, register_targets, set_apart
from parallel_pool_jax.program_tree import Place, columns_of, mapped, picked, program_tree
from parallel_pool_jax.signature import signature

BACKENDS = ("ffi", "callback")


@dataclass(frozen=True)
class _Result:
    """The result of a call."""

    tree: Any
    columns: Sequence[nodes.Node]
    arrays: Sequence[tuple[np.dtype[Any], tuple[int, ...]]]
    """dtype and shape of a row, of each column."""
    assemble: Callable[[Any], Any]

    @property
    def described(self) -> dict[nodes.Node, tuple[np.dtype[Any], tuple[int, ...]]]:
        """dtype and shape of a row, by column."""
        return dict(zip(self.columns, self.arrays, strict=True))

    def of(self, arrays: Sequence[Any]) -> Any:
        """The columns as the view has them."""
        by_column = dict(zip(self.columns, arrays, strict=True))
        return self.assemble(mapped(self.tree, by_column.__getitem__))


class Program(tuple[Any, Callable[..., Any], Callable[..., Any], Callable[..., Any]]):
    """(handle, recv, send, step), and beside them `reset`. They keep no pool alive.

    A handle, uint32[4], goes into a call and comes out of it for the next one. `rows` is batch_size, or how
    many environments are named.

    - `handle = send(handle, action, env_id=None)`
    - `handle, result = recv(handle, rows=batch_size)`: what the pool's `recv` gives, rows known while tracing
    - `handle, result = step(handle, action, env_id=None)`
    - `handle, result = reset(handle, mask=None, last=None, seed=None)`: what `reset` of the pool gives. mask:
      bool[num_envs], the environments to reset; the other rows are those of `last`, a result of reset or
      step. seed: an int s of up to 64 bits (environment i gets s + i), integers[num_envs], or
      uint32[num_envs, 2] (the low and the high word).
    """

    reset: Callable[..., Any]

    @property
    def handle(self) -> Any:
        """For the next call."""
        return self[0]

    @property
    def recv(self) -> Callable[..., Any]:
        """See above."""
        return self[1]

    @property
    def send(self) -> Callable[..., Any]:
        """See above."""
        return self[2]

    @property
    def step(self) -> Callable[..., Any]:
        """See above."""
        return self[3]


class Calls:
    """The functions for pools of one definition. The handle names the pool."""

    def __init__(
        self,
        pool: NativePool,
        config: PoolConfig,
        trees: tuple[nodes.Tree, nodes.Tree],
        assemble: tuple[Callable[[Any], Any], Callable[[Any], Any]],
        backend: str,
    ) -> None:
        if backend not in BACKENDS:
            raise OptionError(f"backend is {backend!r}, expected one of {', '.join(BACKENDS)}")
        _expect_arrays(config)
        self._id = config.env.id
        self._num_envs: int = config.arguments.num_envs
        self._rows: int = config.arguments.batch_size
        self._fields: Sequence[Field] = config.fields
        self._checker = pool.action_checker()
        self._step, self._reset = (
            _result(pool, tree, assembler) for tree, assembler in zip(trees, assemble, strict=True)
        )
        results = {
            "step(...)": (self._step.tree, self._step.described),
            "reset(...)": (self._reset.tree, self._reset.described),
        }
        common = signature(config, results)
        pool.xla(self._step.columns, self._reset.columns, common)
        self._backend: Backend
        if backend == "callback":
            step, reset = self._step.tree, self._reset.tree
            self._backend = Callback(pool, common, step, reset, config.action_tree)
        else:
            expect_platform()
            register_targets()
            self._backend = Ffi(common)

    def _expect_dtypes(self) -> None:
        """Raises OptionError where JAX would silently make observations narrower than they are."""
        for column in [*self._step.columns, *self._reset.columns]:
            if not isinstance(column, nodes.FieldColumn | nodes.FinalColumn):
                continue
            field = self._fields[column.number]
            if field["role"] == "obs" and not _fits_32_bits(field):
                name = f"observations ({field['name']})" if field["name"] else "observations"
                raise OptionError(
                    f"{name} of {self._id} are {field['dtype']}, and JAX's 64-bit types are off: call "
                    "jax.config.update('jax_enable_x64', True) first, or xla(narrow=True) for "
                    f"{jax.dtypes.canonicalize_dtype(field['dtype'])}"
                )

    def program(self, pool: NativePool, *, narrow: bool) -> Program:
        """With the pool's current handle. narrow: observations may have fewer bits than the pool's."""
        if not (narrow or jax.config.jax_enable_x64):
            self._expect_dtypes()
        handle = jax.numpy.array(pool.xla([], [], ""), np.uint32)
        made = Program((handle, self.recv, self.send, self.step))
        made.reset = self.reset
        return made

    def send(self, handle: Any, action: Any, env_id: Any = None) -> Any:
        """Starts a step; the handle."""
        arguments, _ = self._asked(action, env_id)
        return self._call("send", handle, arguments)[0]

    def recv(self, handle: Any, rows: int | None = None) -> tuple[Any, Any]:
        """The next batch."""
        return self._answer("recv", handle, [], self._step, self._rows if rows is None else rows)

    def step(self, handle: Any, action: Any, env_id: Any = None) -> tuple[Any, Any]:
        """send and recv."""
        arguments, rows = self._asked(action, env_id)
        if self._rows < self._num_envs:
            rows = self._rows
        return self._answer("step", handle, arguments, self._step, rows)

    def reset(
        self, handle: Any, mask: Any = None, last: Any = None, seed: Any = None
    ) -> tuple[Any, Any]:
        """Resets all, or those of the mask."""
        result = self._reset
        seeds = [] if seed is None else [checked_seeds(seed, self._num_envs)]
        if mask is None:
            return self._answer("reset", handle, seeds, result, self._rows)
        if self._rows < self._num_envs:
            raise OptionError(
                "an asynchronous pool takes no mask: use async_reset(env_id) of the pool"
            )
        if last is None:
            raise ValueError(
                "reset(handle, mask, last): `last` has the rows of the others: what reset or step returned"
            )
        places = result.assemble(map_tree(Place, result.tree))
        given = picked(places, self._like_a_reset(last), "last")
        shapes = self._shapes(result, self._num_envs)
        before = []
        for column, shape in zip(result.columns, shapes, strict=True):
            if column not in given:  # the view does not show it
                before.append(jax.numpy.zeros(shape.shape, shape.dtype))
                continue
            array = jax.numpy.asarray(given[column])
            if array.shape != shape.shape:
                raise ValueError(
                    f"last has an array of shape {array.shape}, expected {shape.shape}"
                )
            before.append(array.astype(shape.dtype))
        arguments = [checked_mask(mask, self._num_envs), *before, *seeds]
        aliases = {2 + i: 1 + i for i in range(len(before))}
        return self._answer("reset", handle, arguments, result, self._num_envs, aliases)

    def _like_a_reset(self, last: Any) -> Any:
        """(obs, info) of what step returned; what reset returned as it is."""
        tree = self._reset.tree
        if isinstance(tree, tuple) and len(tree) == 2 and len(last) > 2:
            return (last[0], last[-1])
        if not isinstance(tree, tuple) and isinstance(last, tuple):
            return last[0]
        return last

    def _asked(self, action: Any, env_id: Any) -> tuple[list[Any], int]:
        """The arguments after the handle, and how many environments are named."""
        ids = [] if env_id is None else [checked_env_id(self._checker, env_id)]
        rows = ids[0].shape[0] if ids else self._num_envs
        return [*ids, *checked_actions(self._checker, action, rows)], rows

    def _shapes(self, result: _Result, rows: int) -> list[Any]:
        """jax.ShapeDtypeStructs of its columns. With JAX's 64-bit types off they have 32."""
        return [
            jax.ShapeDtypeStruct((rows, *shape), jax.dtypes.canonicalize_dtype(dtype))
            for dtype, shape in result.arrays
        ]

    def _answer(
        self,
        name: str,
        handle: Any,
        arguments: Sequence[Any],
        result: _Result,
        rows: int,
        aliases: dict[int, int] | None = None,
    ) -> tuple[Any, Any]:
        answer = self._call(name, handle, arguments, self._shapes(result, rows), aliases)
        return answer[0], result.of(answer[1:])

    def _call(
        self,
        name: str,
        handle: Any,
        arguments: Sequence[Any],
        shapes: Sequence[Any] = (),
        aliases: dict[int, int] | None = None,
    ) -> Sequence[Any]:
        refuse_manual_axes()
        results = [jax.ShapeDtypeStruct((HANDLE_WORDS,), np.uint32), *shapes]

        def made(*given: Any) -> Any:
            shared = {0: 0, **(aliases or {})}
            return tuple(set_apart(self._backend.call(name, results, set_apart(given), shared)))

        call = jax.custom_batching.custom_vmap(made)
        call.def_vmap(_refuse_vmap)
        answer: Sequence[Any] = call(checked_handle(handle), *arguments)
        return answer


def _result(pool: NativePool, tree: nodes.Tree, assemble: Callable[[Any], Any]) -> _Result:
    shown = program_tree(tree)
    columns = columns_of(shown)
    return _Result(shown, columns, pool.columns(columns), assemble)


def _refuse_vmap(*_: Any) -> Any:
    raise NotImplementedError(
        "vmap of a pool's calls: the environments of a pool are its batch already. Make a pool with more of "
        "them, and call it outside of vmap"
    )


def _expect_arrays(config: PoolConfig) -> None:
    if is_multi_player(config.fields):
        raise NotOfferedError(
            f"xla() is not offered for environments with several players, as {config.env.id} is: call step "
            "from Python"
        )
    if config.python is not None and config.has_infos:
        raise NotOfferedError(
            f"xla() has no place for the infos of {config.env.id}, which are Python objects: make the pool "
            "with infos='minimal'"
        )
    expect_array_fields(config.fields, config.env.id, "xla()", NotOfferedError)


def _fits_32_bits(field: Field) -> bool:
    if field["dtype"].itemsize < 8:
        return True
    low, high = bounds(field)
    limits = np.iinfo(np.int32 if field["dtype"].kind == "i" else np.uint32)
    return (
        field["dtype"].kind != "f"
        and bool((low >= limits.min).all())
        and bool((high <= limits.max).all())
    )
