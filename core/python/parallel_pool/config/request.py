"""Sorts what `make` was called with into arguments of all pools and options of the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parallel_pool.config.arguments import COMMON_DEFAULTS, PoolArguments
from parallel_pool.config.ranks import with_rank
from parallel_pool.errors import OptionError
from parallel_pool.schema.masks import refuse_mask

GYMNASIUM_PREFIX = "gym:"
"""The prefix of ids of Gymnasium's registry."""

PETTINGZOO_PREFIX = "pettingzoo:"
"""The prefix of names of modules, or functions, that make a pettingzoo.ParallelEnv."""


@dataclass(frozen=True)
class Request:
    """What `make` was called with, sorted."""

    task_id: str | Sequence[str]
    arguments: PoolArguments
    """The arguments of all pools, unchecked."""
    options: Mapping[str, Any]
    """The environment's own options, as they were given."""
    rows: Sequence[Mapping[str, Any]] | None
    """env_options, as `rows_of` returns them."""
    given: Mapping[str, Any]
    """All given arguments that can be given again."""
    by_index: bool = False
    """See `make_config`."""


def sort_arguments(
    owner: str, task_id: str | Sequence[str], arguments: Mapping[str, Any]
) -> Request:
    """owner: the id that errors name. Raises OptionError if the numbers of environments do not agree, or if a
    rank is not valid."""
    if "rank" in arguments or "world_size" in arguments:
        arguments = with_rank(owner, arguments)
    rows = rows_of(owner, arguments.get("env_options"))
    given = {
        **{name: value for name, value in arguments.items() if name != "thread_pool"},
        **({} if rows is None else {"env_options": rows}),
        **count_of(owner, None if isinstance(task_id, str) else task_id, rows, arguments),
    }
    of_pool = {name: value for name, value in given.items() if name in COMMON_DEFAULTS}
    of_env = {name: value for name, value in given.items() if name not in COMMON_DEFAULTS}
    common = PoolArguments(**of_pool, thread_pool=arguments.get("thread_pool"))
    return Request(task_id, common, of_env, rows, given)


def count_of(
    env_id: str,
    envs: Sequence[Any] | None,
    rows: Sequence[Any] | None,
    arguments: Mapping[str, Any],
) -> dict[str, int]:
    """`num_envs` as the ids or env_options imply it; empty if neither does.

    Raises OptionError if they do not agree with each other or with the given num_envs.
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


def rows_of(owner: str, given: Any) -> list[dict[str, Any]] | None:
    """`env_options` as one dict per environment; None for None. Raises OptionError for other shapes."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        _expect_names(owner, given)
        return _rows_of_columns(owner, given)
    if not isinstance(given, (list, tuple)) or not given:
        raise _refused(owner, repr(given))
    for env, row in enumerate(given):
        if not isinstance(row, Mapping):
            raise _refused(owner, f"{row!r} for environment {env}")
        _expect_names(owner, row)
    return [dict(row) for row in given]


def _rows_of_columns(owner: str, columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    lengths: dict[str, int] = {}
    for name, column in columns.items():
        refuse_mask(f"{owner}: env_options[{name!r}]", column, OptionError)
        if (
            not isinstance(column, (list, tuple, np.ndarray))
            or np.ndim(column) == 0
            or not len(column)
        ):
            raise OptionError(
                f"{owner}: env_options[{name!r}] is {column!r}, expected one value per environment; "
                f"a value that all have in common is an argument of its own: {name}={column!r}"
            )
        lengths[name] = len(column)
    if not lengths:
        raise _refused(owner, "{}")
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{count} of {name!r}" for name, count in lengths.items())
        raise OptionError(f"{owner}: env_options has different numbers of values: {said}")
    # Copies, because the caller may change these arrays later.
    copies = {
        name: np.array(column) if isinstance(column, np.ndarray) else column
        for name, column in columns.items()
    }
    count = next(iter(lengths.values()))
    return [{name: column[env] for name, column in copies.items()} for env in range(count)]


def _expect_names(owner: str, row: Mapping[Any, Any]) -> None:
    for name in row:
        if not isinstance(name, str):
            raise _refused(owner, f"a dict with the key {name!r}, which is no name of an option")


def _refused(owner: str, what: str) -> OptionError:
    return OptionError(
        f"{owner}: env_options is {what}, expected one dict per environment, [{{'option': value}}, ...], "
        "or one dict of lists, {'option': [value, ...]}"
    )
