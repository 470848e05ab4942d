"""The arguments that every pool takes: each declared once, here.

Defaults, what is allowed, the words of refusals, the members of the native `_core.PoolConfig` and the table of
docs/pool.md follow from ARGUMENTS. The names are EnvPool's and Gymnasium's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from parallel_pool.config.kinds import (
    Choice,
    Elsewhere,
    Flag,
    Kind,
    Member,
    Seconds,
    Text,
    Whole,
)
from parallel_pool.errors import OptionError
from parallel_pool.threads.cpu_budget import MOST_THREADS

MOST_ENVS = 2**24
MOST_STEPS = 2**31 - 1


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


AUTORESET = Member(("NextStep", "SameStep", "Disabled"), "gymnasium.vector.AutoresetMode")

ARGUMENTS: Sequence[Argument] = (
    Argument("num_envs", 1, Whole(1, MOST_ENVS), "environments in the pool", native="num_envs"),
    Argument(
        "batch_size",
        None,
        # EnvPool spells "as many as there are environments" and "as many as can run" as 0.
        Whole(0, MOST_ENVS, optional=True, absent=0),
        "rows per answer; fewer than `num_envs` makes the pool asynchronous",
        "`num_envs`",
        native="batch_size",
    ),
    Argument(
        "batch_order",
        "first",
        Choice(("first", "oldest")),
        "which environments are in the next batch of an asynchronous pool: the first to finish, or "
        '`"oldest"`: in the order in which actions were sent; see [below](#the-order-of-batches)',
        native="batch_order",
    ),
    Argument(
        "num_threads",
        None,
        Whole(0, MOST_THREADS, optional=True, absent=0),
        "limited by the affinity mask, the cgroup quota and `LOCAL_WORLD_SIZE`, and by `batch_size`",
        "as many as can run",
        native="num_threads",
    ),
    Argument(
        "thread_affinity_offset",
        -1,
        Whole(-1, MOST_THREADS),
        "n >= 0 pins worker i to the allowed CPU number n + i",
        native="thread_affinity_offset",
    ),
    Argument(
        "thread_affinity",
        None,
        Elsewhere("threads.placement"),
        "CPU numbers, one per thread: see [placement](threads.md#placement)",
        "anywhere",
    ),
    Argument(
        "numa_node",
        None,
        Elsewhere("threads.placement"),
        "the NUMA node on which threads run",
        "anywhere",
    ),
    Argument(
        "thread_pool",
        None,
        Elsewhere("config.checks"),
        "a `ThreadPool`: several pools [share its threads](threads.md#one-thread-pool-for-several-pools)",
        "none",
    ),
    Argument(
        "seed",
        None,
        Elsewhere("config.seeds"),
        "an int s: environment i gets s + i; or one int per environment; up to 64 bits",
        "random",
    ),
    Argument(
        "rank",
        None,
        Elsewhere("config.ranks"),
        "the number of this process among `world_size` processes, each with a pool of `num_envs` environments; "
        '`"torchrun"`: both as torchrun sets them. Each rank gets [its own seeds](scaling.md#torchrun)',
        "none",
    ),
    Argument("world_size", None, Elsewhere("config.ranks"), "the number of ranks", "none"),
    Argument(
        "max_episode_steps",
        None,
        Whole(1, MOST_STEPS, optional=True),
        "steps after which an episode is truncated",
        "the environment's",
    ),
    Argument(
        "reward_threshold",
        None,
        Elsewhere("nothing: it is for who reads it"),
        "a member of `spec`; has no effect on the pool",
        "the environment's",
    ),
    Argument("max_num_players", 1, Elsewhere("config.checks")),
    Argument(
        "gym_reset_return_info",
        None,
        Flag(),
        "whether `reset` of the `gym` view returns `(obs, info)`; in the other views it cannot be off",
        "on; off in `gym`",
    ),
    Argument(
        "render_mode",
        None,
        Elsewhere("config.render_arguments"),
        '`"rgb_array"`, `"ansi"`: see [pictures](#pictures)',
    ),
    Argument(
        "render_env_id",
        0,
        Whole(0, MOST_ENVS - 1),
        "the environment that `render()` of the `gym` and `dm` views draws by default",
    ),
    Argument("render_width", 0, Whole(0, 2**14), "of pictures, in pixels", "the environment's"),
    Argument("render_height", 0, Whole(0, 2**14), "of pictures, in pixels", "the environment's"),
    Argument(
        "render_camera_id",
        -1,
        Whole(-2, 2**20),
        "the camera, if the environment has several; -2: the free camera",
        "the environment's",
    ),
    Argument("render_camera_name", None, Text(), "the camera by its name"),
    Argument(
        "autoreset_mode",
        None,
        AUTORESET,
        'or `"SameStep"`, `"Disabled"`, or a `gymnasium.vector.AutoresetMode`: see [autoreset](#autoreset)',
        '`"NextStep"`',
        native="autoreset_mode",
    ),
    Argument(
        "episode_statistics",
        None,
        Flag(),
        '`info["episode"]` in rows where an episode ends',
        "off; on in `gym`",
    ),
    Argument(
        "infos",
        "all",
        Choice(("all", "minimal")),
        'or `"minimal"`: `info` without the entries of the environment and `elapsed_step`: '
        "see [below](#fewer-infos)",
    ),
    Argument(
        "transform",
        None,
        Elsewhere("config.transform"),
        'preprocessing of observations and rewards, such as `{"normalize_obs": True}`: '
        "see [transforms](transforms.md)",
        "none",
    ),
    Argument(
        "output",
        "numpy",
        Choice(("numpy", "torch")),
        'or `"torch"`: results are [tensors](torch.md) that share the memory',
    ),
    Argument(
        "isolation",
        None,
        Elsewhere("config.checks"),
        '`"process"`: environments run in worker processes, which may crash: see [isolation](isolation.md). '
        "Python environments always run in [workers](python-environments.md), processes or threads",
    ),
    Argument(
        "env_options",
        None,
        Elsewhere("config.env_options"),
        '[options in which environments differ](options.md): `{"g": [9.8, 1.6]}` or '
        '`[{"g": 9.8}, {"g": 1.6}]`',
        "none",
    ),
    Argument(
        "nan_action",
        "raise",
        Choice(("raise", "clip", "truncate")),
        'for continuous actions that are NaN or infinite: or `"clip"`, `"truncate"`: see '
        "[failures](failures.md#invalid-continuous-actions)",
        native="nan_action",
    ),
    Argument(
        "out_of_bounds_action",
        "pass",
        Choice(("pass", "raise", "clip")),
        'for continuous actions outside of their Box: or `"raise"`, `"clip"`',
        native="out_of_bounds_action",
    ),
    Argument(
        "check_obs",
        "error",
        Choice(("error", "off")),
        'for observations, rewards and flags of Python environments that do not fit their space: or `"off"`: '
        "numpy converts them if it can; see [Python environments](python-environments.md)",
    ),
    Argument(
        "step_timeout",
        None,
        Seconds(),
        'seconds after which an environment\'s step counts as hung; with `isolation="process"` its worker '
        "process is killed",
        "none",
    ),
)
"""In the order of `config`."""

COMMON_DEFAULTS: dict[str, Any] = {each.name: each.default for each in ARGUMENTS}
"""Keyword arguments that every environment takes."""


def table(arguments: Sequence[Argument] = ARGUMENTS, title: str = "argument") -> str:
    """The table of docs/pool.md, or of the page that has these, in Markdown."""

    def shown(argument: Argument) -> str:
        if argument.shown:
            return argument.shown
        if isinstance(argument.default, str):
            return f'`"{argument.default}"`'
        return str(argument.default)

    rows = [f"| `{each.name}` | {shown(each)} | {each.doc} |\n" for each in arguments if each.doc]
    return f"| {title} | default | meaning |\n|---|---|---|\n" + "".join(rows)
