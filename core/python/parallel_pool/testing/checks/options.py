"""Options: their defaults, the ends of their ranges, and environments that differ in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from parallel_pool import _core
from parallel_pool.config.options import Declaration
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.errors import OptionError, ParallelPoolError
from parallel_pool.registry import registry
from parallel_pool.schema.fields import Field, tree_of
from parallel_pool.schema.result_tree import FieldColumn
from parallel_pool.testing.checks.declarations import explain
from parallel_pool.testing.env_under_test import EnvUnderTest, Row, first_difference, flatten
from parallel_pool.testing.findings import Finding, Inapplicable

LARGE = 10_000
"""Ends of a range beyond it are there to catch mistakes; nobody wants the memory they may take."""


def options(tested: EnvUnderTest) -> str | None:
    """Defaults given by name change nothing; what the declared range allows is taken or refused by name."""
    declared = tested.config.declarations
    if not declared:
        raise Inapplicable("it has no options")
    effective = {each["name"]: tested.config.values[each["name"]] for each in declared}
    usual = tested.trajectories(2, steps=30, seed=4)
    named = EnvUnderTest(tested.env_id, effective).trajectories(2, steps=30, seed=4)
    for env in range(2):
        if difference := first_difference(usual[env], named[env]):
            raise Finding(
                f"giving every option its default by name changes environment {env}: {difference}"
            )
    for each in declared:
        for end in ("low", "high"):
            value = each[end]
            if value is None or each["kind"] not in ("int", "float"):
                continue
            beyond = value - 1 if end == "low" else value + 1
            if beyond != value:
                _refused(tested, each["name"], beyond)
            _extreme(tested, each["name"], int(value) if each["kind"] == "int" else value)
        for choice in each["choices"]:
            _extreme(tested, each["name"], choice)
    _limits(tested)
    _unread(tested)
    return f"{len(declared)} options"


def _limits(tested: EnvUnderTest) -> None:
    """What describe() says of the options at hand is not said over by the list."""
    config = tested.config
    listed = registry().resolve(tested.env_id).spec.max_episode_steps
    usual = config.variants.distinct[0].description["max_episode_steps"]
    for each in config.declarations if listed is not None else []:
        for value in _others(each, config.values[each["name"]]):
            said = _described(config, {each["name"]: value})
            if said is not None and said["max_episode_steps"] not in (0, usual):
                raise Finding(
                    f"EnvSpec(max_episode_steps={listed}) holds whatever the options are, and with "
                    f"{each['name']}={value!r} describe() says {said['max_episode_steps']}: leave it out of "
                    "the EnvSpec"
                )


def _unread(tested: EnvUnderTest) -> None:
    """An option that nobody looks up and that changes nothing was forgotten, or mistyped where it is read.

    Sets of options as a struct are read as a whole: what is shared by a family may well be of no use to one.
    """
    config = tested.config
    native = config.env.native_id
    for index, each in enumerate(config.declarations):
        name = each["name"]
        if _core._reads_option(config.plugin, native, config.options, index):
            continue
        tried = []
        for value in _others(each, config.values[name], far=True):
            difference = _changes(tested, {name: value})
            if difference is None:
                tried.append(value)
            elif difference:
                break
        else:
            if tried:
                raise Finding(
                    f"option {name!r} changes nothing: the environment plays, describes itself and draws "
                    f"the same with {', '.join(map(repr, tried))} as with {config.values[name]!r}. Read it, or "
                    "leave it out"
                )


def _changes(tested: EnvUnderTest, others: dict[str, Any]) -> bool | None:
    """Whether an environment is another one with these options. None: it is not; False: who can tell."""
    config = tested.config
    described = _described(config, others)
    if described is None:
        return False
    usual = config.variants.distinct[0].description
    for name in ("max_players", "max_episode_steps", "reward_threshold"):
        if repr(described[name]) != repr(usual[name]):  # a threshold may be NaN
            return True
    if _layout(described["fields"]) != _layout(usual["fields"]):
        return True
    other = EnvUnderTest(tested.env_id, {**tested.options, **others}, steps=tested.steps)
    envs = 5
    try:
        if any(other.config.values[name] != value for name, value in others.items()):
            return False  # a hook sets it, whatever users say
        one, two = (_everything(each, envs) for each in (tested, other))
    except (Finding, ParallelPoolError):
        return False
    return True if one != two else None


def _everything(tested: EnvUnderTest, envs: int) -> list[Any]:
    """All that can be seen of a few environments over a trajectory."""
    table = tested.actions(envs)
    seen: list[Any] = []
    modes = registry().resolve(tested.env_id).spec.render_modes
    with tested.pool(
        num_envs=envs, seed=12, **({"render_mode": modes[0]} if modes else {})
    ) as pool:
        results: list[Any] = [pool.reset()]
        for step in range(table.steps):
            results.append(pool.step(table.rows(np.full(envs, step), np.arange(envs))))
        for result in results:
            seen.append({path: rows.tobytes() for path, rows in flatten(result).items()})
        for offered in (pool.get_state, pool.render if modes else pool.get_state):
            try:
                seen.append([np.asarray(each).tobytes() for each in offered()])
            except ParallelPoolError:
                seen.append(None)
    return seen


def _refused(tested: EnvUnderTest, name: str, value: Any) -> None:
    value = int(value) if isinstance(tested.config.values[name], int) else value
    try:
        EnvUnderTest(tested.env_id, {**tested.options, name: value}).config  # noqa: B018
    except OptionError as error:
        if _names(error, name):
            return
        raise Finding(
            f"option {name!r} = {value!r} lies outside of its range, and the error does not name it: "
            f"{explain(error)}"
        ) from error
    except Exception as error:
        raise Finding(
            f"option {name!r} = {value!r} lies outside of its range, and the error is no OptionError that "
            f"says so: {type(error).__name__}: {error}. A hook that translates options leaves alone what it "
            "does not understand"
        ) from error
    raise Finding(
        f"option {name!r} = {value!r} lies outside of its declared range, and is taken: a hook that translates "
        "or completes options leaves refusing them to the host"
    )


def _names(error: Exception, option: str) -> bool:
    """Whether the message has the option's name as a word: "size" is not in "resized"."""
    return (
        re.search(rf"(?<![A-Za-z0-9_]){re.escape(option)}(?![A-Za-z0-9_])", str(error)) is not None
    )


def _extreme(tested: EnvUnderTest, name: str, value: object) -> None:
    tried = EnvUnderTest(tested.env_id, {**tested.options, name: value}, steps=3)
    if isinstance(value, (int, float)) and abs(value) > LARGE:
        return
    try:
        tried.trajectories(1)
    except OptionError:
        return  # refused with a sentence
    except Finding as error:
        raise Finding(
            f"option {name!r} = {value!r} lies within its declared range, but then: {error}"
        ) from error
    except ParallelPoolError as error:
        if not _names(error, name):
            raise Finding(
                f"option {name!r} = {value!r} lies within its declared range, and is refused by an error "
                f"that does not name it: {explain(error)}"
            ) from error


def per_env_options(tested: EnvUnderTest) -> str | None:
    """Environments of one pool with different options play as each would in a pool of its own."""
    sets = _others_that_fit(tested.config)
    usual = _play(tested, dict.fromkeys(range(0, _ENVS, 2), tested.config.options)) if sets else {}
    tried: dict[str, Any] = {}
    findings: list[str] = []
    for others in sets:
        try:
            difference = _parts(tested, others, usual)
        except _Unplayable:
            # Together they may make no sense. Alone, whether they work is for the check `options`.
            sets += _halves(others)
            continue
        tried |= others
        if difference is not None:
            findings.append(
                f"in a pool where every other environment has {_written(others)}, {difference}. Keep "
                "options per lane, not per shard"
            )
            if len(others) == 1:
                break
            sets += [{name: value} for name, value in others.items()]  # to name the one
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
    """Where environments play differently beside some with other options than among their like, which
    `usual` is for those without.
    """
    own = dict(tested.config.options)
    other = {**own, **others}
    try:
        alike = usual | _play(tested, dict.fromkeys(range(1, _ENVS, 2), other))
    except ParallelPoolError as error:
        raise _Unplayable from error
    mixed = _play(tested, {env: own if env in usual else other for env in range(_ENVS)})
    for env in range(_ENVS):
        if difference := first_difference(alike[env], mixed[env]):
            return f"environment {env} plays differently than among its like: {difference}"
    return None


def _halves(options: dict[str, Any]) -> list[dict[str, Any]]:
    """None of one."""
    items = list(options.items())
    middle = len(items) // 2
    return [dict(items[:middle]), dict(items[middle:])] if middle else []


def _others_that_fit(config: PoolConfig) -> list[dict[str, Any]]:
    """For every option another value, with which the spaces are the same, where there is one: as many as
    go together at once, and alone those that do not.
    """
    together: dict[str, Any] = {}
    alone = []
    for each in config.declarations:
        for value in _others(each, config.values[each["name"]]):
            another = {each["name"]: value}
            if _fits(config, together | another):
                together |= another
            elif _fits(config, another):
                alone.append(another)
            else:
                continue
            break
    return ([together] if together else []) + alone


def _fits(config: PoolConfig, others: dict[str, Any]) -> bool:
    description = _described(config, others)
    if description is None:
        return False
    same = description["max_players"] == config.max_players
    return same and _layout(description["fields"]) == _layout(config.fields)


def _written(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def _play(tested: EnvUnderTest, options: dict[int, dict[str, Any]]) -> dict[int, list[Row]]:
    """What environments answer, by number, that have these options; one pool for all."""
    config, envs = tested.config, np.array(list(options))
    tree = {
        str(number): FieldColumn(number)
        for number, field in enumerate(config.fields)
        if field["role"] != "action"
    }
    table = tested.actions(_ENVS, min(60, tested.steps))
    native = _core.PoolConfig()
    native.num_envs, native.num_threads, native.max_episode_steps = len(envs), 1, 0
    native.seeds = envs.tolist()
    pool = _core.Pool(
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


def _described(config: PoolConfig, others: dict[str, Any]) -> dict[str, Any] | None:
    """What the library says of itself with these options; None if it refuses them."""
    try:
        return config.plugin.describe(config.env.native_id, {**config.options, **others})
    except ValueError:
        return None


def _others(declaration: Declaration, current: Any, *, far: bool = False) -> list[Any]:
    """Values near the current one that the declaration allows; far: and those at the ends of its range."""
    kind = declaration["kind"]
    if kind == "bool":
        return [not current]
    if kind == "str":
        return [choice for choice in declaration["choices"] if choice != current]
    if kind not in ("int", "float"):
        return []
    low, high = declaration["low"], declaration["high"]
    step = 1 if kind == "int" else abs(current) / 2 or 0.5
    ends = [end for end in (low, high) if end is not None and abs(end) <= LARGE] if far else []
    near = [current + step, current - step]
    return [
        int(value) if kind == "int" else value
        for value in dict.fromkeys([*near, *ends])
        if (low is None or value >= low) and (high is None or value <= high) and value != current
    ]


def _layout(fields: Sequence[Field]) -> list[tuple[Any, ...]]:
    return [
        (f["role"], f["name"], f["dtype"], f["shape"], str(f["low"]), str(f["high"]))
        for f in fields
    ]
