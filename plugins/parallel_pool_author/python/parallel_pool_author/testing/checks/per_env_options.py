"""Environments of one pool that differ in their options."""

from __future__ import annotations

from typing import Any

import numpy as np
from parallel_pool import native_checks
from parallel_pool.errors import ParallelPoolError
from parallel_pool.pool_api import NativePool, PoolConfig, result_tree, tree_of

from parallel_pool_author.testing.checks.options import described, layout, other_values
from parallel_pool_author.testing.env_under_test import EnvUnderTest, Row, first_difference
from parallel_pool_author.testing.findings import Finding, Inapplicable

Group = dict[str, Any]
"""Options with which the spaces are the same: one, or several that need each other for that."""


def per_env_options(tested: EnvUnderTest) -> str | None:
    """Environments of one pool with different options play as each would in a pool of its own."""
    sets = _sets_that_fit(tested.config)
    usual = _play(tested, dict.fromkeys(range(0, _ENVS, 2), tested.config.options)) if sets else {}
    tried: dict[str, Any] = {}
    findings: list[str] = []
    for groups in sets:
        others = _union(groups)
        try:
            difference = _parts(tested, others, usual)
        except _Unplayable:
            # Together they may make no sense. Alone, whether they work is for the check `options`.
            sets += _halves(groups)
            continue
        tried |= others
        if difference is not None:
            findings.append(
                f"in a pool where every other environment has {_written(others)}, {difference}. Keep "
                "options per lane, not per shard"
            )
            if len(groups) == 1:
                break
            sets += [[group] for group in groups]  # to name the one
    if findings:
        raise Finding(findings[-1])
    if not tried:
        raise Inapplicable("no option leaves the spaces as they are")
    return f"{_written(tried)} beside the default"


class _Unplayable(Exception):
    """Environments with these options cannot even be played among their like."""


_ENVS = 6
"""In a pool in which every other one has other options."""


def _parts(tested: EnvUnderTest, others: dict[str, Any], usual: dict[int, list[Row]]) -> str | None:
    """Says where environments play differently beside some with other options than among their like, which
    `usual` is for those without.
    """
    own = dict(tested.config.options)
    other = {**own, **others}
    if not _fits(tested.config, others):
        raise _Unplayable
    try:
        alike = usual | _play(tested, dict.fromkeys(range(1, _ENVS, 2), other))
    except ParallelPoolError as error:
        raise _Unplayable from error
    mixed = _play(tested, {env: own if env in usual else other for env in range(_ENVS)})
    for env in range(_ENVS):
        if difference := first_difference(alike[env], mixed[env]):
            return f"environment {env} plays differently than among its like: {difference}"
    return None


def _halves(groups: list[Group]) -> list[list[Group]]:
    """None of one."""
    middle = len(groups) // 2
    return [groups[:middle], groups[middle:]] if middle else []


def _union(groups: list[Group]) -> dict[str, Any]:
    return {name: value for group in groups for name, value in group.items()}


def _sets_that_fit(config: PoolConfig) -> list[list[Group]]:
    """For every option another value, with which the spaces are the same, where there is one: as many as
    go together at once, and alone those that do not.
    """
    together: list[Group] = []
    alone: list[list[Group]] = []
    effective = config.variants.effective(0)
    for each in config.declarations:
        for value in other_values(each, effective[each["name"]]):
            another = {each["name"]: value}
            fits = _fits(config, another)
            if _fits(config, _union(together) | another):
                together.append(another if fits else _needed(config, together, another))
            elif fits:
                alone.append([another])
            else:
                continue
            break
    return ([together] if together else []) + alone


def _needed(config: PoolConfig, together: list[Group], another: Group) -> Group:
    """The option with as few as possible of the others, beside which alone it fits."""
    needed = _union(together) | another
    for name in _union(together):
        fewer = {other: value for other, value in needed.items() if other != name}
        if _fits(config, fewer):
            needed = fewer
    return needed


def _fits(config: PoolConfig, others: dict[str, Any]) -> bool:
    description = described(config, others)
    if description is None:
        return False
    same = description["max_players"] == config.max_players
    return same and layout(description["fields"]) == layout(config.fields)


def _written(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def _play(tested: EnvUnderTest, options: dict[int, dict[str, Any]]) -> dict[int, list[Row]]:
    """Returns the answers of environments that have these options, by number; one pool plays all."""
    config, envs = tested.config, np.array(list(options))
    tree = {
        str(number): result_tree.FieldColumn(number)
        for number, field in enumerate(config.fields)
        if field["role"] != "action"
    }
    table = tested.actions(_ENVS, min(60, tested.steps))
    native = native_checks.NativeConfig(
        num_envs=len(envs), num_threads=1, max_episode_steps=0, seeds=envs.tolist()
    )
    pool: Any = NativePool(
        plugin=config.plugin,
        env_id=config.env.native_id,
        options=list(options.values()),
        config=native,
        step_tree=tree,
        reset_tree=tree,
        action_tree=tree_of(config.fields, "action", lambda number, _: number),
    )
    try:
        results = [pool.reset()]
        for step in range(table.steps):
            results.append(pool.step(table.rows(np.full(len(envs), step), envs)))
    finally:
        pool.close()
    return {
        env: [{path: rows[row] for path, rows in result.items()} for result in results]
        for row, env in enumerate(options)
    }
