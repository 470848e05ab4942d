"""What `make` was called with, sorted into the arguments of all pools and the environment's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parallel_pool.config.arguments import COMMON_DEFAULTS
from parallel_pool.config.env_options import rows_of
from parallel_pool.config.ranks import with_rank
from parallel_pool.errors import OptionError

GYMNASIUM_PREFIX = "gym:"
"""Before an id of Gymnasium's registry."""


@dataclass(frozen=True)
class Request:
    """What `make` was called with, sorted."""

    task_id: str | Sequence[str]
    common: dict[str, Any]
    """The arguments of COMMON_DEFAULTS, given or not."""
    options: dict[str, Any]
    """The environment's own, as they were given."""
    rows: Sequence[Mapping[str, Any]] | None
    """What `rows_of` makes of env_options."""
    arguments: dict[str, Any]
    """All that can be given again."""


def sort_arguments(
    owner: str, task_id: str | Sequence[str], arguments: Mapping[str, Any]
) -> Request:
    """owner: the id that errors name. Raises OptionError where the numbers of environments do not agree,
    or a rank is none."""
    arguments = with_rank(owner, arguments)
    rows = rows_of(owner, arguments.get("env_options"))
    threads = arguments.get("thread_pool")
    arguments = {
        **{name: value for name, value in arguments.items() if name != "thread_pool"},
        **({} if rows is None else {"env_options": rows}),
        **count_of(owner, None if isinstance(task_id, str) else task_id, rows, arguments),
    }
    common = {name: arguments.get(name, default) for name, default in COMMON_DEFAULTS.items()}
    common["thread_pool"] = threads
    options = {name: value for name, value in arguments.items() if name not in COMMON_DEFAULTS}
    return Request(task_id, common, options, rows, arguments)


def count_of(
    env_id: str,
    envs: Sequence[Any] | None,
    rows: Sequence[Any] | None,
    arguments: Mapping[str, Any],
) -> dict[str, int]:
    """`num_envs` as several ids, or env_options, have it; nothing where neither says.

    Raises OptionError where they do not agree with each other, or with what was given.
    """
    said = {
        name: len(each)
        for name, each in (("task ids", envs), ("entries of env_options", rows))
        if each is not None
    }
    for name, count in said.items():
        if arguments.get("num_envs", count) != count:
            raise OptionError(
                f"{env_id}: there are {count} {name}, and num_envs is {arguments['num_envs']!r}: "
                f"one per environment, so leave num_envs out or pass {count}"
            )
    if len(set(said.values())) > 1:
        text = " and ".join(f"{count} {name}" for name, count in said.items())
        raise OptionError(f"{env_id}: there are {text}; expected one per environment of each")
    return {"num_envs": next(iter(said.values()))} if said else {}
