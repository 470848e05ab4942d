"""What all views share: making the native pool, sending, receiving, closing.

Long, because it is one interface: every method that is the same in all views.
"""

from __future__ import annotations

import atexit
import pickle
import weakref
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from parallel_pool import _core
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.configure import make_config
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import EnvError, NotOfferedError
from parallel_pool.rendering.pixels import Painter
from parallel_pool.rendering.renderer_handle import RendererHandle
from parallel_pool.schema.fields import tree_of
from parallel_pool.schema.players import is_multi_player
from parallel_pool.schema.result_tree import Tree
from parallel_pool.schema.running_statistics import RunningStatistics
from parallel_pool.tensors.convert import as_tensors, on_the_cpu
from parallel_pool.tensors.transfer import Cuda, Transfer
from parallel_pool.threads.cpu_budget import warn_of_many_pools
from parallel_pool.threads.thread_pool import open_thread_pools
from parallel_pool.views.player_actions import PlayerActions
from parallel_pool.views.pool_spec import PoolSpec
from parallel_pool.views.reset_arguments import reset_arguments
from parallel_pool.workers.launch import worker_config
from parallel_pool.xla.program import BACKENDS, Calls, Program

# Threads must be gone before the interpreter takes the process apart.
_open: weakref.WeakSet[PoolView] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    _core.shut(workers=False)
    try:
        for view in list(_open):
            view._close_threads()
    finally:
        _core.shut(workers=True)


def _count_threads() -> None:
    """Warns if all pools of this process together have too many threads. Closed pools do not count."""
    try:
        # Threads with a worker sleep while that works.
        own = [
            view._pool.own_threads
            for view in list(_open)
            if view._config.values["isolation"] is None
        ]
        shared = [each.num_threads for each in list(open_thread_pools) if not each.closed]
    except RuntimeError:  # another thread has just made a pool; it will count
        return
    counts = [count for count in own + shared if count > 0]
    warn_of_many_pools(sum(counts), len(counts))


class PoolView:
    """A native pool and its description. Subclasses add the methods of their interface."""

    _pool: _core.Pool
    _config: PoolConfig
    _spec: Any
    _renderer_handle: RendererHandle
    _painter: Painter | None
    # The pool's own, or those of PlayerActions. No methods of this object: it would keep itself alive.
    _step: Callable[[Any, Any], Any]
    _send: Callable[[Any, Any], None]

    def _build(
        self,
        config: PoolConfig,
        *,
        step_tree: Tree,
        reset_tree: Tree,
        painter: Painter | None = None,
        reward32: bool = False,
        dm: bool = False,
        statistics: bool = False,
        flat_players: bool = False,
        infos: bool = False,
        step_begins: bool = False,
    ) -> None:
        """painter: who draws the pictures in the trees; closed with this pool.

        step_begins: the first step of an environment that was never reset resets it (autoreset NextStep).
        infos: whether the trees have infos of Python environments.
        """
        values = config.values
        self._config = config
        self._trees = step_tree, reset_tree
        self._calls: dict[str, Calls] = {}
        self._transfers: dict[str, Transfer] = {}
        self._spec = PoolSpec(config)
        self._renderer_handle = RendererHandle(config)
        self._all_env_ids = np.arange(values["num_envs"], dtype=np.int32)
        isolated = values["isolation"] is not None
        self._painter = painter
        if values["output"] == "torch":
            step_tree, reset_tree = as_tensors(step_tree), as_tensors(reset_tree)
        native = config.native()
        native.reward32 = reward32
        native.dm_columns = dm
        native.statistics = statistics
        native.flat_players = flat_players
        native.step_begins = step_begins and values["autoreset_mode"] == "NextStep"
        self._box: list[Any] = [None]
        with worker_config(config, infos) as isolation:
            self._pool = _core.Pool(
                plugin=config.plugin,
                env_id=config.env.native_id,
                options=config.variants.options,
                config=native,
                isolation=isolation,
                step_tree=step_tree,
                reset_tree=reset_tree,
                action_tree=tree_of(config.fields, "action", lambda number, _: number),
                box=self._box,
            )
        self._use_actions(self._pool.step, self._pool.send)
        if is_multi_player(config.fields):
            players = PlayerActions(self._pool, config.fields)
            self._use_actions(players.step, players.send)
        _open.add(self)
        if not isolated and self._pool.own_threads > 0:
            _count_threads()

    def _use_actions(
        self, step: Callable[[Any, Any], Any], send: Callable[[Any, Any], None]
    ) -> None:
        """What takes the actions of `step` and `send`."""
        if self._config.values["output"] == "torch":
            step, send = on_the_cpu(step), on_the_cpu(send)
        self._step, self._send = step, send

    def _mover(self, device: Any, non_blocking: bool) -> Callable[[Any], Any]:
        """What moves the tensors of a result to a device. Raises OptionError before anything is received."""
        if self._config.values["output"] != "torch":
            raise OptionError(
                f"device is {device!r}, and this pool gives arrays: make(..., output='torch')"
            )
        if str(device) == "cpu":
            return _as_it_is
        transfer = self._transfers.get(str(device))
        if transfer is None:
            transfer = self._transfers[str(device)] = Transfer(Cuda(device), self._pool.block)
        move = transfer.move
        return lambda result: move(result, non_blocking)

    def _received(
        self,
        call: Callable[..., list[Any]],
        arguments: tuple[Any, ...],
        read: Callable[[Any], Any] | None = None,
        read_failed: Callable[[Any], Any] | None = None,
    ) -> Any:
        """The result of a call of the native pool, or what `read` makes of it.

        read_failed: the same for an EnvError's result.

        It has arrived once it is taken out of its box; what a signal interrupts before stays on its way. So
        below the last look into the box nothing may be called: that is where Python looks for signals. Nor
        may callers of this call it as f(*arguments), after which it looks too, up to Python 3.11.
        """
        try:
            box = call(*arguments)
            while True:
                if (result := box[0]) is None:  # a signal handler has received it
                    box = self._pool.recv()
                    continue
                shown = result if read is None else read(result)
                if box[0] is result:
                    break
            box[0] = None
            return shown
        except EnvError as error:
            shown = error.result if read_failed is None else read_failed(error.result)
            error.result = shown
            if self._box[0] is error:
                self._box[0] = None
            raise

    @property
    def config(self) -> dict[str, Any]:
        """All keyword arguments with their effective values.

        `env_options` contains the options in which environments differ, one value per environment.
        """
        return dict(self._config.values)

    @property
    def all_env_ids(self) -> npt.NDArray[np.int32]:
        """0 .. num_envs - 1."""
        return self._all_env_ids.copy()

    @property
    def global_env_ids(self) -> npt.NDArray[np.int64]:
        """The ids of the environments among those of all ranks: rank * num_envs + 0 .. num_envs - 1."""
        return self._all_env_ids + np.int64(len(self)) * (self._config.values["rank"] or 0)

    @property
    def is_async(self) -> bool:
        """Whether batch_size < num_envs."""
        return bool(self._pool.is_async)

    def send(self, action: Any, env_id: Any = None) -> None:
        """Starts a step of the environments `env_id` (None: all) and returns at once.

        action: one row per environment, in the order of env_id. Raises ValueError, TypeError or
        IndexError that name environment and value before any environment is stepped;
        AlreadyPendingError if the last result of an environment was not received.
        """
        self._send(action, env_id)

    def async_reset(
        self, env_id: Any = None, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> None:
        """Starts a reset of the environments `env_id` (None: all) and returns; `recv` returns the results.

        options: arguments of this one reset, for environments that accept them.
        """
        mask, arguments = self._reset_arguments(options, env_id)
        if mask is not None:
            env_id = np.flatnonzero(mask)
        self._begin_returns(env_id)
        self._pool.send_reset(env_id, self._seeds(seed, env_id), arguments)

    def xla(self, backend: str = "ffi", *, narrow: bool = False) -> Program:
        """Returns (handle, recv, send, step) for programs that JAX compiles; see `Program` and docs/jax.md.

        backend: "ffi" runs without Python, on the CPU; "callback" runs anywhere, but slower. narrow: with
        JAX's 64-bit types disabled, observations may become float32 or int32. Raises LibraryError
        without JAX, NotOfferedError if results are not arrays of fixed shape, OptionError if
        observations would silently become narrower.
        """
        if backend not in BACKENDS:
            raise OptionError(f"backend is {backend!r}, expected one of {', '.join(BACKENDS)}")
        calls = self._calls.get(backend)
        if calls is None:
            calls = Calls(self._pool, self._config, self._trees, self._assemblers(), backend)
            self._calls[backend] = calls
        calls.expect_dtypes(narrow)
        return calls.program(self._pool)

    def _assemblers(self) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
        """What makes the view's results of step and reset of what the native pool gives. Not bound to self."""
        return _as_it_is, _as_it_is

    def array_names(self) -> dict[str, tuple[np.dtype[Any], tuple[int, ...], bool]]:
        """The internal arrays that an environment exposes: name -> (dtype, shape, writable).

        Raises NotOfferedError if there are none, ResetNeededError before the first reset.
        """
        return self._pool.describe_arrays([0])

    def read_array(self, name: str, env_ids: Any = None) -> npt.NDArray[Any]:
        """A copy of the array `name` of the environments `env_ids` (None: all), one row for each.

        For debugging and plots, not for training loops. Raises ValueError for an unknown name,
        ResetNeededError before the first reset, AlreadyPendingError if a result is pending.
        """
        return self._pool.read_array(name, env_ids)

    def write_array(self, name: str, values: Any, env_ids: Any = None) -> None:
        """Sets the array `name` of the environments `env_ids` (None: all) to `values`, one row for each.

        The next step continues from these values; earlier observations do not change. Raises the errors of
        `read_array`, and ValueError or TypeError if the array is read-only or the values do not fit.
        """
        self._pool.write_array(name, np.asarray(values), env_ids)

    def get_state(self, env_ids: Any = None) -> list[bytes]:
        """The complete states of the environments `env_ids` (None: all), as bytes.

        Raises AlreadyPendingError if one has a pending result, ResetNeededError if one has failed,
        StateError or NotOfferedError if the environment cannot be saved.
        """
        self._expect_states()
        return self._pool.get_state(env_ids)

    def set_state(self, env_ids: Any, states: Sequence[bytes]) -> None:
        """Restores the states of the environments `env_ids` (None: all), which continue from there exactly.

        A state fits every environment of the same id, plugin version and options, in this process or
        another, whatever the pool's size, threads or view. Failed environments can be used again.
        Raises StateError that names the difference, and then changes nothing; AlreadyPendingError
        if an environment has a pending result; NotOfferedError as `get_state`.
        """
        self._expect_states()
        self._pool.set_state(env_ids, states)
        if self._config.transform is not None:
            self._config.transform.restored(env_ids)

    def _expect_states(self) -> None:
        env = self._config.env
        if env.no_states is not None:
            raise NotOfferedError(f"{env.id} cannot save or restore states: {env.no_states}")

    def clone(self, source: int, targets: Any) -> None:
        """Copies the state of environment `source`, random numbers included, to the environments `targets`."""
        (state,) = self.get_state([source])
        self.set_state(targets, [state] * np.asarray(targets).size)

    @property
    def obs_statistics(self) -> Any:
        """The RunningStatistics of `transform` with normalize_obs, nested like the observation.

        None for parts that are not normalised, and without normalize_obs.
        """
        transform = self._config.transform
        if transform is None or not transform.values["normalize_obs"]:
            return None
        return tree_of(
            self._config.fields, "obs", lambda number, _: transform.obs_statistics(number)
        )

    @property
    def reward_statistics(self) -> RunningStatistics | None:
        """The RunningStatistics of the discounted sums of rewards, with normalize_reward; else None."""
        return None if self._config.transform is None else self._config.transform.reward_statistics

    def stats(self) -> dict[str, Any]:
        """Measurements: threads, shards, batches and their bytes, nanoseconds per step so far."""
        return dict(self._pool.stats())

    def _seeds(self, seed: Any, env_id: Any) -> list[int | None] | None:
        """Seeds for reset(seed=...), one for each environment named; None: all go on as they are."""
        if seed is None:
            return None
        return self._config.spread(seed, len(self) if env_id is None else np.asarray(env_id).size)

    def _frames(self, env_ids: Any, camera: Any = None) -> list[Any]:
        """Pictures or texts of the environments `env_ids` (None: all)."""
        ids = self._all_env_ids if env_ids is None else np.atleast_1d(np.asarray(env_ids))
        return self._renderer_handle.frames(self._pool, ids, camera)

    def _begin_returns(self, env_id: Any) -> None:
        """The sums of rewards of the environments `env_id` (None: all) begin anew, as a reset was asked for."""
        if self._config.transform is not None:
            self._config.transform.begin(env_id)

    def _reset_arguments(
        self, options: dict[str, Any] | None, env_id: Any
    ) -> tuple[npt.NDArray[np.bool_] | None, dict[str, Any] | None]:
        """The reset_mask in the options of `reset`, and the environment's own ones. Changes nothing."""
        return reset_arguments(self._config, options, env_id)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled or copied, a pool is its config: a new pool of the same id, arguments and seeds.

        Threads that it shared with others stay behind; the new pool has its own.
        """
        return _rebuild, (type(self), self._config.task_id, self._config.arguments)

    def pickled(self, *, include_state: bool = False) -> bytes:
        """What `pickle.loads` makes a pool of; with include_state one that goes on where this one is.

        The states of all environments must then be there to be saved: see `get_state`.
        """
        if not include_state:
            return pickle.dumps(_Pickled(self))
        transform = self._config.transform
        known = None if transform is None else transform.known()
        return pickle.dumps(_Pickled(self, self.get_state(), known))

    def __len__(self) -> int:
        return int(self._config.values["num_envs"])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stops the threads and destroys the environments. A second call has no effect."""
        self._renderer_handle.close()
        self._close_threads()

    def _close_threads(self) -> None:
        """Ends all that works for this pool, which cannot be stepped any more."""
        if self._painter is not None:
            self._painter.close()
        self._pool.close()

    def __repr__(self) -> str:
        values = self._config.values
        task_id = self._config.task_id
        ids = [task_id] if isinstance(task_id, str) else list(dict.fromkeys(task_id))
        named = ", ".join(map(repr, ids[:4])) + (f" and {len(ids) - 4} more" if ids[4:] else "")
        threads = values["thread_pool"]
        return (
            f"{type(self).__name__}({named}, num_envs={values['num_envs']}, "
            f"batch_size={values['batch_size']}, "
            + (f"num_threads={values['num_threads']})" if threads is None else f"{threads!r})")
        )


class _Pickled:
    """A pool, and states for it, on the way into a pickle."""

    def __init__(
        self, pool: PoolView, states: list[bytes] | None = None, known: Any = None
    ) -> None:
        self._pool = pool
        self._states = states
        self._known = known

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild, arguments = self._pool.__reduce__()
        return rebuild, (*arguments, self._states, self._known)


def _rebuild(
    view: type[PoolView],
    task_id: str | list[str],
    arguments: dict[str, Any],
    states: list[bytes] | None = None,
    known: Any = None,
) -> PoolView:
    """Pickles name this function: its name and arguments stay."""
    pool: PoolView = view(make_config(task_id, arguments))  # type: ignore[call-arg]
    if states is not None:
        pool.set_state(None, states)
    if known is not None:
        assert pool._config.transform is not None
        pool._config.transform.assign(known)
    return pool


def _as_it_is(result: Any) -> Any:
    return result


def render_metadata(config: PoolConfig) -> dict[str, Any]:
    """The part of Gymnasium's `metadata` that is about pictures."""
    metadata: dict[str, Any] = {"render_modes": list(config.env.render_modes)}
    if config.env.render_modes:
        metadata["render_fps"] = config.env.render_fps or 30
    return metadata


def stacked(frames: list[Any]) -> Any:
    """Pictures of one size as one array; texts, and pictures of several sizes, stay a list."""
    shapes = {getattr(frame, "shape", None) for frame in frames}
    return np.stack(frames) if len(shapes) == 1 and None not in shapes else frames
