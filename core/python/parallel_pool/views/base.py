"""What all views share: making the native pool, sending, receiving, closing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from parallel_pool import _core
from parallel_pool.computed_once import computed_once
from parallel_pool.config.pool_config import Columns, PoolConfig
from parallel_pool.config.seeds import weights_of
from parallel_pool.configure import make_config
from parallel_pool.errors import OptionError
from parallel_pool.imports.libraries import imported
from parallel_pool.rendering.pixels import PixelObservations
from parallel_pool.rendering.renderer_handle import RendererHandle
from parallel_pool.schema.fields import tree_of
from parallel_pool.schema.players import is_multi_player
from parallel_pool.schema.result_tree import Tree
from parallel_pool.schema.running_statistics import RunningStatistics
from parallel_pool.schema.texts import expect_array_fields
from parallel_pool.tensors.convert import on_the_cpu
from parallel_pool.tensors.output import TensorOutput
from parallel_pool.threads.cpu_waits import run_and_waited, warn_once
from parallel_pool.views.env_states import EnvStates
from parallel_pool.views.open_pools import opened, waits_for_cpus
from parallel_pool.views.player_actions import PlayerActions
from parallel_pool.views.pool_spec import PoolSpec
from parallel_pool.views.reset_arguments import ResetOptions, own_options, reset_arguments
from parallel_pool.views.result_trees import PoolParts
from parallel_pool.workers.launch import worker_config
from parallel_pool.workers.python_envs.action_objects import ActionObjects

if TYPE_CHECKING:
    from parallel_pool_jax import Calls, Program


class PoolView(EnvStates):
    """A native pool and its description. Subclasses add the methods of their interface."""

    unlisted: ClassVar[tuple[str, ...]] = (
        *("call_of", "close_extras", "play_apart", "set_attr_of", "unlisted", "use_actions"),
        *("frames", "reset_handle", "step_handle", "recv_handle", "flag_columns"),
        "time_limit_info",
    )
    """Public names that `dir` leaves out, because only packages around pools need them."""
    _spec: Any
    _pictures: PixelObservations | None
    # The pool's own, or those of PlayerActions. No methods of this object: it would keep itself alive.
    # Handles: a method that returns a result returns `handle.result`.
    reset_handle: Callable[..., _core.ResultHandle]
    step_handle: Callable[[Any, Any], _core.ResultHandle]
    recv_handle: Callable[..., _core.ResultHandle]
    _send: Callable[[Any, Any], None]

    def _build(
        self,
        parts: PoolParts,
        *,
        step_tree: Tree,
        reset_tree: Tree,
        columns: Columns,
        infos: bool = False,
        keeps_latest: bool = False,
        read_failed: Callable[[Any], Any] | None = None,
    ) -> None:
        """parts: what the trees were made of. infos: whether the trees have infos of Python environments.

        keeps_latest: whether `_pool.latest` is used. read_failed: makes the result of an EnvError
        from that of the tree; not a method of this object.
        """
        config = self._config = parts.config
        arguments = config.arguments
        self._pictures, self._transform = parts.pictures, parts.transform
        self._trees = step_tree, reset_tree
        self._calls: dict[str, Calls] = {}
        self._tensors: TensorOutput | None = None
        self._spec = PoolSpec(config)
        self._all_env_ids = np.arange(arguments.num_envs, dtype=np.int32)
        if arguments.output == "torch":
            observed = [field for field in config.fields if field["role"] == "obs"]
            expect_array_fields(observed, config.env.id, "output='torch'")
            self._tensors = TensorOutput(arguments.device)
            read_failed = _one_after_the_other(self._tensors.on_the_cpu, read_failed)
        objects = None
        if config.python is not None and config.python.objects("action"):
            objects = ActionObjects(config.python.action_space, arguments.num_envs)
        isolated = arguments.isolation is not None
        with worker_config(config, infos, objects) if isolated else nullcontext() as workers:
            self._pool = _core.Pool(
                plugin=config.plugin,
                env_id=config.variants.natives,
                options=config.variants.options,
                config=config.native(columns),
                workers=workers,
                step_tree=step_tree,
                reset_tree=reset_tree,
                action_tree=config.action_tree,
                handles=True,
                keeps_latest=keeps_latest,
                read_failed=read_failed,
            )
        if self._tensors is not None:
            self._tensors.blocks = self._pool.block
        self.reset_handle = self._converted(self._pool.reset)
        self.recv_handle = self._converted(self._pool.recv)
        if objects is None:
            self.use_actions(self._pool.step, self._pool.send)
        else:
            objects.pool = self._pool
            self.use_actions(objects.step, objects.send)
        if is_multi_player(config.fields):
            players = PlayerActions(self._pool, config.fields)
            self.use_actions(players.step, players.send)
        opened(self)

    def use_actions(
        self, step: Callable[[Any, Any], _core.ResultHandle], send: Callable[[Any, Any], None]
    ) -> None:
        """Sets the functions that take the actions of `step` and `send`."""
        if self._tensors is not None:
            step, send = on_the_cpu(step), on_the_cpu(send)
        self.step_handle, self._send = self._converted(step), send

    def _converted(
        self, call: Callable[..., _core.ResultHandle]
    ) -> Callable[..., _core.ResultHandle]:
        """The call with results of the pool's output."""
        if self._tensors is None:
            return call
        convert = self._tensors.converter()
        return lambda *arguments: call(*arguments).map(convert)

    def _received(
        self, timeout: float | None, device: Any, non_blocking: bool
    ) -> _core.ResultHandle:
        """The next batch, of the pool's output, or on a device. Raises OptionError before it is received."""
        if device is None:
            return self.recv_handle(timeout)
        convert = self._converter(device, non_blocking)
        assert convert is not None  # or it has raised
        return self._pool.recv(timeout).map(convert)

    def _converter(self, device: Any, non_blocking: bool) -> Callable[[Any], Any] | None:
        if self._tensors is not None:
            return self._tensors.converter(device, device is None or non_blocking)
        if device is None:
            return None
        raise OptionError(
            f"device is {device!r}, and this pool gives arrays: make(..., output='torch')"
        )

    @property
    def config(self) -> dict[str, Any]:
        """All keyword arguments with their effective values.

        `env_options` contains the options in which environments differ, one value per environment.
        """
        return dict(self._config.values)

    @property
    def definition(self) -> PoolConfig:
        """What the pool was built from: typed, complete and frozen. `config` shows its arguments as a dict."""
        return self._config

    @property
    def all_env_ids(self) -> npt.NDArray[np.int32]:
        """0 .. num_envs - 1."""
        return self._all_env_ids.copy()

    @property
    def global_env_ids(self) -> npt.NDArray[np.int64]:
        """The ids of the environments among those of all ranks: rank * num_envs + 0 .. num_envs - 1."""
        return self._all_env_ids + np.int64(len(self)) * (self._config.arguments.rank or 0)

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
        self, env_id: Any = None, *, seed: Any = None, options: ResetOptions = None
    ) -> None:
        """Starts a reset of the environments `env_id` (None: all) and returns; `recv` returns the results.

        seed: an int gives environment i the seed `seed + i`, whichever are reset; a list has one seed for each
        of them. options: arguments of this one reset, for environments that accept them: a dict for all, or a
        list with one for each.
        """
        self._reset_by(self._pool.send_reset, env_id, seed, options)

    def set_reset_options(self, options: ResetOptions, env_id: Any = None) -> None:
        """Sets arguments of all resets of environments `env_id` (None: all) from now on, of automatic ones too.

        options: a dict for all of them, or a list with one for each; None or an empty dict: none. A reset with
        options of its own has only those. They are neither part of states nor of pickles. Raises the errors of
        `reset`; AlreadyPendingError.
        """
        if options is None or options == {}:
            options = [None] * len(_core.env_ids(env_id, num_envs=len(self)))
        self._pool.keep_reset_options(own_options(self._config, options), env_id)

    def seed_next(self, env_ids: Any, seeds: Any) -> None:
        """Gives the environments `env_ids` (None: all) the seeds of their next episodes, and resets nothing.

        The next reset takes it, in each autoreset mode, unless `reset(seed=...)` brings a seed of its own and
        forgets this one; of two such calls the later one counts. Where an option cuts games into lives
        (`episodic_life`), it is the seed of the next game. A part of states.

        seeds: uint64, as `reset` takes them: an int s gives environment i the seed `s + i`, a sequence has one
        for each, None: unchanged. Raises OptionError for other seeds, IndexError for other ids,
        AlreadyPendingError; then nothing has changed.
        """
        self._pool.seed_next(env_ids, self._config.spread(seeds, env_ids))

    def set_level_weights(self, weights: Any) -> None:
        """Sets how often each of the `episode_seeds` is drawn beside the others, for a curriculum.

        weights: a finite number, 0 or more, for each seed of the list; not all of them 0. Episodes have them
        from the next but one on: the seed of the next is known already. Not a part of states or pickles. Raises
        OptionError, also where seeds are not drawn (`episode_order="turns"`, or no `episode_seeds`).
        """
        arguments = self._config.arguments
        self._pool.set_seed_weights(
            weights_of(weights, arguments.episode_seeds, arguments.episode_order)
        )

    def xla(self, backend: str = "ffi", *, narrow: bool = False) -> Program:
        """Returns (handle, recv, send, step) for programs that JAX compiles; see `Program` and docs/jax.md.

        backend: "ffi" runs without Python, on the CPU and CUDA; "callback" runs anywhere, but slower.
        narrow: with JAX's 64-bit types disabled, observations may become float32 or int32. Raises
        LibraryError without JAX or the wheel parallel-pool-jax, NotOfferedError if results are not arrays
        of fixed shape, OptionError if observations would silently become narrower.
        """
        calls: Calls | None = self._calls.get(backend)
        if calls is None:
            wheel = imported("parallel_pool_jax", "0", "xla()", extra="jax")
            calls = wheel.Calls(self._pool, self._config, self._trees, self._assemblers(), backend)
            self._calls[backend] = calls
        return calls.program(self._pool, narrow=narrow)

    def _assemblers(self) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
        """Functions from the native results of step and reset to those of the view. Not bound to self."""
        return as_it_is, as_it_is

    @property
    def obs_statistics(self) -> Any:
        """The RunningStatistics of `transform` with normalize_obs, nested like the observation.

        None for parts that are not normalised, and without normalize_obs.
        """
        state = self._transform
        if state is None or not state.normalizes_obs:
            return None
        return tree_of(self._config.fields, "obs", lambda number, _: state.obs_statistics(number))

    @property
    def reward_statistics(self) -> RunningStatistics | None:
        """The RunningStatistics of the discounted sums of rewards, with normalize_reward; else None."""
        return None if self._transform is None else self._transform.reward_statistics

    def stats(self) -> dict[str, Any]:
        """Measurements: threads, shards, batches and their bytes, nanoseconds per step so far."""
        stats = dict(self._pool.stats())
        times = run_and_waited(stats["thread_ids"])
        return stats | {"seconds_waited_for_cpus": [waited for _, waited in times]}

    def frames(self, env_ids: Any, camera: Any = None) -> list[Any]:
        """Pictures or texts of the environments `env_ids` (None: all)."""
        ids = self._all_env_ids if env_ids is None else np.atleast_1d(np.asarray(env_ids))
        return self._renderer_handle.frames(self._pool, ids, camera)

    @computed_once
    def _renderer_handle(self) -> RendererHandle:
        return RendererHandle(self._config)

    def _reset_by(
        self, call: Callable[..., Any], env_id: Any, seed: Any, options: ResetOptions
    ) -> Any:
        """What `call` of the native pool resets: `env_id`, or the reset_mask in the options."""
        mask, own = reset_arguments(self._config, options, env_id)
        return self._begun(call, env_id if mask is None else np.flatnonzero(mask), seed, own)

    def _begun(self, call: Callable[..., Any], env_id: Any, seed: Any, own: ResetOptions) -> Any:
        """Resets `env_id` (None: all) by `call` of the native pool. Their sums of rewards begin anew.

        own: options of the environments, in the form of the native pool. Without a seed generators continue.
        """
        seeds = None if seed is None else self._config.spread(seed, env_id)
        if self._transform is None:
            return call(env_id, seeds, own)
        with self._transform.beginning(_core.env_ids(env_id, num_envs=len(self))):
            return call(env_id, seeds, own)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled or copied, a pool is its config: a new pool of the same id, arguments and seeds.

        Threads that it shared with others stay behind; the new pool has its own.
        """
        return _rebuild, (type(self), self._config.task_id, self._config.again)

    def __len__(self) -> int:
        return int(self._config.arguments.num_envs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stops the threads and destroys the environments. A second call has no effect."""
        waits = waits_for_cpus(self)
        if "_renderer_handle" in vars(self):
            self._renderer_handle.close()
        self._close_threads()
        warn_once(waits)

    def _running_threads(self) -> int:
        """The number of its own threads. With workers 0: the threads sleep while workers step."""
        return self._pool.own_threads if self._config.arguments.isolation is None else 0

    def _close_threads(self) -> None:
        """Ends all threads and workers of this pool, which cannot be stepped any more."""
        if self._pictures is not None:
            self._pictures.close()
        if self._spare is not None:
            self._spare.close()
        self._pool.close()

    def __dir__(self) -> list[str]:
        """The names that users need, for completion."""
        names = super().__dir__()
        hidden = self.unlisted
        return [name for name in names if name not in hidden and not is_private(name)]

    def __repr__(self) -> str:
        arguments = self._config.arguments
        task_id = self._config.task_id
        ids = [task_id] if isinstance(task_id, str) else list(dict.fromkeys(task_id))
        named = ", ".join(map(repr, ids[:4])) + (f" and {len(ids) - 4} more" if ids[4:] else "")
        threads = arguments.thread_pool
        return (
            f"{type(self).__name__}({named}, num_envs={arguments.num_envs}, "
            f"batch_size={arguments.batch_size}, "
            + (f"num_threads={arguments.num_threads})" if threads is None else f"{threads!r})")
        )


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
        assert pool._transform is not None
        pool._transform.load_state_dict(known)
    return pool


def is_private(name: str) -> bool:
    """Whether a name begins with one underscore."""
    return name.startswith("_") and not name.startswith("__")


def as_it_is(result: Any) -> Any:
    """The result."""
    return result


def _one_after_the_other(
    first: Callable[[Any], Any], then: Callable[[Any], Any] | None
) -> Callable[[Any], Any]:
    return first if then is None else lambda result: then(first(result))


def stacked(frames: list[Any]) -> Any:
    """Pictures of one size as one array; texts, and pictures of several sizes, stay a list."""
    shapes = {getattr(frame, "shape", None) for frame in frames}
    return np.stack(frames) if len(shapes) == 1 and None not in shapes else frames
