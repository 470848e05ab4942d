"""The arguments that every pool takes: each declared once, as a member of PoolArguments.

Types, defaults, ranges, error texts, the members of the native `_core.PoolConfig` and the table of docs/pool.md
are made from it. The names are EnvPool's and Gymnasium's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Self

from parallel_pool.config.kinds import (
    CheckedElsewhere,
    Choice,
    Flag,
    IntRange,
    Kind,
    Member,
    Nullable,
    Seconds,
    Text,
)
from parallel_pool.errors import OptionError
from parallel_pool.threads.cpu_budget import MOST_THREADS

if TYPE_CHECKING:
    from parallel_pool.threads.thread_pool import ThreadPool

MOST_ENVS = 2**24
MOST_STEPS = 2**31 - 1
MOST_CHUNK = 2**16 - 1


@dataclass(frozen=True)
class Argument:
    """One argument of `make`, or one member of an argument that is a dict."""

    name: str
    default: Any
    kind: Kind
    doc: str = ""
    """Its meaning, for the table of its page; "": explained elsewhere."""
    shown: str = ""
    """The default in that table; "": as Python writes it."""
    native: str = field(default="", kw_only=True)
    """The member of `_core.PoolConfig` that its effective value goes into; "": none, or not as it is."""

    def check(self, owner: str, value: Any, of: str = "") -> Any:
        """The value as it is used. Raises OptionError naming owner, argument, value and what is expected.

        of: the argument that this is a member of.
        """
        try:
            return self.kind.accept(value)
        except ValueError as error:
            name = f"{self.name} of {of}" if of else self.name
            raise OptionError(f"{owner}: {name} is {value!r}, expected {error}") from None


def argument(default: Any, kind: Kind, doc: str = "", shown: str = "", *, native: str = "") -> Any:
    """Declares a member of a dataclass as an argument; see Argument."""
    about = {"kind": kind, "doc": doc, "shown": shown, "native": native}
    return field(default=default, metadata=about)


def declared_in(arguments: type[Any]) -> tuple[Argument, ...]:
    """The arguments that a dataclass declares, in its order."""
    return tuple(Argument(each.name, each.default, **each.metadata) for each in fields(arguments))


AUTORESET = Member(("NextStep", "SameStep", "Disabled"), "gymnasium.vector.AutoresetMode")


@dataclass(frozen=True)
class PoolArguments:
    """The arguments of all pools, in the order of `config`.

    The annotations are the types of checked values: `checked` makes them of those that were given.
    """

    num_envs: int = argument(
        1, IntRange(1, MOST_ENVS), "environments in the pool", native="num_envs"
    )
    batch_size: int = argument(
        None,
        # EnvPool spells "as many as there are environments" and "as many as can run" as 0.
        Nullable(IntRange(0, MOST_ENVS), absent=0),
        "rows per answer; fewer than `num_envs` makes the pool asynchronous",
        "`num_envs`",
        native="batch_size",
    )
    batch_order: str = argument(
        "first",
        Choice(("first", "oldest")),
        "which environments are in the next batch of an asynchronous pool: the first to finish, or "
        '`"oldest"`: in the order in which actions were sent; see [below](#the-order-of-batches)',
        native="batch_order",
    )
    num_threads: int = argument(
        None,
        Nullable(IntRange(0, MOST_THREADS), absent=0),
        "limited by the affinity mask, the cgroup quota and `LOCAL_WORLD_SIZE`, and by `batch_size`",
        "as many as can run",
        native="num_threads",
    )
    thread_affinity_offset: int = argument(
        -1,
        IntRange(-1, MOST_THREADS),
        "n >= 0 pins worker i to the allowed CPU number n + i",
        native="thread_affinity_offset",
    )
    thread_affinity: list[int] | None = argument(
        None,
        CheckedElsewhere("threads.placement"),
        "CPU numbers, one per thread: see [placement](threads.md#placement)",
        "anywhere",
    )
    numa_node: int | None = argument(
        None,
        CheckedElsewhere("threads.placement"),
        "the NUMA node on which threads run",
        "anywhere",
    )
    thread_pool: ThreadPool | None = argument(
        None,
        CheckedElsewhere("config.checks"),
        "a `ThreadPool`: several pools [share its threads](threads.md#one-thread-pool-for-several-pools)",
        "none",
    )
    seed: Any = argument(
        None,
        CheckedElsewhere("config.seeds"),
        "an int s: environment i gets s + i; or one int per environment; up to 64 bits",
        "random",
    )
    episode_seeds: Sequence[int] | None = argument(
        None,
        CheckedElsewhere("config.seeds"),
        "ints, such as `range(200)`: each episode has one of these seeds: see [levels](levels.md)",
        "none",
    )
    episode_order: str = argument(
        "random",
        Choice(("random", "turns")),
        'how they follow each other: drawn, or `"turns"`: environment i has number i, i + `num_envs`, ...',
    )
    rank: int | None = argument(
        None,
        CheckedElsewhere("config.ranks"),
        "the number of this process among `world_size` processes, each with a pool of `num_envs` environments; "
        '`"torchrun"`: both as torchrun sets them. Each rank gets [its own seeds](scaling.md#torchrun)',
        "none",
    )
    world_size: int | None = argument(
        None, CheckedElsewhere("config.ranks"), "the number of ranks", "none"
    )
    max_episode_steps: int | None = argument(
        None,
        Nullable(IntRange(1, MOST_STEPS)),
        "steps after which an episode is truncated",
        "the environment's",
    )
    reward_threshold: float | None = argument(
        None,
        CheckedElsewhere("nothing: it is information for the reader"),
        "a member of `spec`; has no effect on the pool",
        "the environment's",
    )
    max_num_players: int = argument(1, CheckedElsewhere("config.checks"))
    gym_reset_return_info: bool | None = argument(
        None,
        Flag(),
        "whether `reset` of the `gym` view returns `(obs, info)`; in the other views it cannot be off",
        "on; off in `gym`",
    )
    render_mode: str | None = argument(
        None,
        CheckedElsewhere("config.checks"),
        '`"rgb_array"`, `"ansi"`: see [pictures](#pictures)',
    )
    render_env_id: int = argument(
        0,
        CheckedElsewhere("config.resolve"),
        "the environment that `render()` of the `gym` and `dm` views draws by default",
    )
    render_width: int = argument(
        0, IntRange(0, 2**14), "of pictures, in pixels", "the environment's"
    )
    render_height: int = argument(
        0, IntRange(0, 2**14), "of pictures, in pixels", "the environment's"
    )
    render_camera_id: int = argument(
        -1,
        IntRange(-2, 2**20),
        "the camera, if the environment has several; -2: the free camera",
        "the environment's",
    )
    render_camera_name: str | None = argument(None, Text(), "the camera by its name")
    autoreset_mode: str = argument(
        None,
        AUTORESET,
        'or `"SameStep"`, `"Disabled"`, or a `gymnasium.vector.AutoresetMode`: see [autoreset](#autoreset)',
        '`"NextStep"`',
        native="autoreset_mode",
    )
    episode_statistics: bool | str | None = argument(
        None,
        Flag(("life",)),
        '`info["episode"]` in rows where an episode ends; where the environment has a score, of whole games; '
        'or `"life"`: of episodes there too: see [episode statistics](#episode-statistics)',
        "off; on in `gym`",
    )
    infos: str = argument(
        "all",
        Choice(("all", "minimal")),
        'or `"minimal"`: `info` without the entries of the environment and `elapsed_step`: '
        "see [below](#fewer-infos)",
    )
    texts: str = argument(
        "str",
        Choice(("str", "bytes")),
        'or `"bytes"`: [texts](#texts) are arrays of bytes, padded with zeros',
    )
    copy: bool = argument(
        True,
        Flag(optional=False),
        "off: each answer with all environments is in the same arrays, which the next call overwrites: see "
        "[returned arrays](#returned-arrays)",
    )
    transform: Mapping[str, Any] | None = argument(
        None,
        CheckedElsewhere("config.transform"),
        'preprocessing of observations and rewards, such as `{"normalize_obs": True}`: '
        "see [transforms](transforms.md)",
        "none",
    )
    output: str = argument(
        "numpy",
        Choice(("numpy", "torch")),
        'or `"torch"`: results are [tensors](torch.md) that share the memory',
    )
    device: str | None = argument(
        None,
        CheckedElsewhere("config.checks"),
        'with `output="torch"`: the [device](torch.md#gpu) of the tensors, such as `"cuda"` or `"cuda:1"`',
        "the CPU",
    )
    isolation: str | None = argument(
        None,
        CheckedElsewhere("config.checks"),
        '`"process"`: environments run in worker processes, which may crash: see [isolation](isolation.md). '
        "Python environments always run in [workers](python-environments.md), processes or threads",
    )
    env_options: Any = argument(
        None,
        CheckedElsewhere("config.env_options"),
        '[options in which environments differ](options.md): `{"g": [9.8, 1.6]}` or '
        '`[{"g": 9.8}, {"g": 1.6}]`',
        "none",
    )
    nan_action: str = argument(
        "raise",
        Choice(("raise", "clip", "truncate")),
        'for continuous actions that are NaN or infinite: or `"clip"`, `"truncate"`: see '
        "[failures](failures.md#invalid-continuous-actions)",
        native="nan_action",
    )
    out_of_bounds_action: str = argument(
        "pass",
        Choice(("pass", "raise", "clip")),
        'for continuous actions outside of their Box: or `"raise"`, `"clip"`',
        native="out_of_bounds_action",
    )
    action_chunk: int | None = argument(
        None,
        Nullable(IntRange(1, MOST_CHUNK)),
        "actions of each environment in one call, which are played one by one: see "
        "[chunks of actions](#chunks-of-actions)",
        "one, without an axis",
    )
    chunk_rewards: bool = argument(
        False,
        Flag(optional=False),
        'with `action_chunk`: whether `info["chunk_rewards"]` has the reward of each step',
    )
    check_obs: str = argument(
        "error",
        Choice(("error", "off")),
        'for observations, rewards and flags of Python environments that do not fit their space: or `"off"`: '
        "numpy converts them if it can; see [Python environments](python-environments.md)",
    )
    seed_globals: bool | None = argument(
        None,
        Flag(),
        "for Python environments: `random` and `numpy.random` have seeds of each environment too: see "
        "[seeds](python-environments.md#seeds)",
        "off",
    )
    step_timeout: float | None = argument(
        None,
        Seconds(),
        'seconds after which an environment\'s step counts as hung; with `isolation="process"` its worker '
        "process is killed",
        "none",
    )
    memory_check: bool = argument(
        True,
        Flag(optional=False),
        "whether a pool that cannot fit in memory is refused: see [memory](#memory)",
        native="memory_check",
    )

    def checked(self, owner: str) -> Self:
        """A copy with checked values; see Argument.check."""
        return replace(
            self, **{each.name: each.check(owner, getattr(self, each.name)) for each in ARGUMENTS}
        )


ARGUMENTS: Sequence[Argument] = declared_in(PoolArguments)

COMMON_DEFAULTS: dict[str, Any] = {each.name: each.default for each in ARGUMENTS}
"""Keyword arguments that every environment takes."""


def table(arguments: Sequence[Argument] = ARGUMENTS, title: str = "argument") -> str:
    """The Markdown table of these arguments, as docs/pool.md has it."""

    def shown(each: Argument) -> str:
        if each.shown:
            return each.shown
        return f'`"{each.default}"`' if isinstance(each.default, str) else str(each.default)

    rows = [f"| `{each.name}` | {shown(each)} | {each.doc} |\n" for each in arguments if each.doc]
    return f"| {title} | default | meaning |\n|---|---|---|\n" + "".join(rows)
