"""Options: their defaults, the ends of their ranges, and whether they are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from parallel_pool import native_checks
from parallel_pool.errors import OptionError, ParallelPoolError
from parallel_pool.pool_api import Declaration, Field, PoolConfig

from parallel_pool_author.testing.checks.declarations import explain
from parallel_pool_author.testing.env_under_test import EnvUnderTest, Row, first_difference
from parallel_pool_author.testing.findings import Finding, Inapplicable

LARGE = 10_000
"""Ends of a range beyond it are there to catch mistakes; they may take more memory than there is."""


def options(tested: EnvUnderTest) -> str | None:
    """Defaults given by name change nothing; what the declared range allows is taken or refused by name."""
    declared = tested.config.declarations
    _reset_options(tested)
    if not declared:
        if tested.config.reset_declarations:
            return "of resets only"
        raise Inapplicable("it has no options")
    effective = tested.config.variants.effective(0)
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


def _reset_options(tested: EnvUnderTest) -> None:
    """Arguments of a reset change that reset, and none that follows."""
    for each in tested.config.reset_declarations:
        name = each["name"]
        values = other_values(each, each["default"], far=True)
        tried: list[Any] = []
        for value in values:
            try:
                usual, changed, after = _begun(tested, {name: value})
            except (Finding, ParallelPoolError, ValueError):
                tried = []  # beside others only, it may be
                break
            if difference := first_difference(usual, after):
                raise Finding(
                    f"a reset without options, after one with options={{{name!r}: {value!r}}}, differs from "
                    f"one that had none before it: {difference}. set_reset_options() is called with the "
                    "defaults after each reset with options, and has to take them"
                )
            if first_difference(usual, changed):
                break
            tried.append(value)
        else:
            if tried:
                raise Finding(
                    f"reset(options={{{name!r}: ...}}) changes nothing: an environment plays the same with "
                    f"{', '.join(map(repr, tried))} as without. Keep in set_reset_options() what reset() then "
                    "reads, or leave the option out"
                )


def _begun(tested: EnvUnderTest, given: dict[str, Any]) -> list[list[Row]]:
    """A trajectory after a reset without options, with these, and without again; all with the same seed."""
    table = tested.actions(2, 30)
    with tested.pool(num_envs=2, seed=4) as pool:
        return [table.play(pool, seed=[4, 5], options=each) for each in (None, given, None)]


def _limits(tested: EnvUnderTest) -> None:
    """Raises Finding if the list fixes max_episode_steps where describe() makes it depend on options."""
    config = tested.config
    listed = tested.spec.max_episode_steps
    usual = config.variants.distinct[0].description["max_episode_steps"]
    effective = config.variants.effective(0)
    for each in config.declarations if listed is not None else []:
        for value in other_values(each, effective[each["name"]]):
            said = described(config, {each["name"]: value})
            if said is not None and said["max_episode_steps"] not in (0, usual):
                raise Finding(
                    f"EnvSpec(max_episode_steps={listed}) holds whatever the options are, and with "
                    f"{each['name']}={value!r} describe() says {said['max_episode_steps']}: leave it out of "
                    "the EnvSpec"
                )


def _unread(tested: EnvUnderTest) -> None:
    """An option that is not looked up and that changes nothing was forgotten, or mistyped where it is read.

    Sets of options as a struct are read as a whole: what is shared by a family may well be of no use to one.
    """
    config = tested.config
    effective = config.variants.effective(0)
    for index, each in enumerate(config.declarations):
        name = each["name"]
        if name in tested.spec.python_options or native_checks.reads_option(*tested.native, index):
            continue
        tried = []
        for value in other_values(each, effective[name], far=True):
            difference = _changes(tested, {name: value})
            if difference is None:
                tried.append(value)
            elif difference:
                break
        else:
            if tried:
                raise Finding(
                    f"option {name!r} changes nothing: the environment plays, describes itself and draws "
                    f"the same with {', '.join(map(repr, tried))} as with {effective[name]!r}. Read it, or "
                    "leave it out"
                )


def _changes(tested: EnvUnderTest, others: dict[str, Any]) -> bool | None:
    """Returns True if these options make another environment; None: they do not; False: unknown."""
    config = tested.config
    description = described(config, others)
    if description is None:
        return False
    usual = config.variants.distinct[0].description
    for name in ("max_players", "max_episode_steps", "reward_threshold"):
        if repr(description[name]) != repr(usual[name]):  # a threshold may be NaN
            return True
    if layout(description["fields"]) != layout(usual["fields"]):
        return True
    other = EnvUnderTest(tested.env_id, {**tested.options, **others}, steps=tested.steps)
    envs = 5
    try:
        effective = other.config.variants.effective(0)
        if any(effective[name] != value for name, value in others.items()):
            return False  # a hook sets it, whatever users say
        one, two = (_everything(each, envs) for each in (tested, other))
    except (Finding, ParallelPoolError):
        return False
    return True if one != two else None


def _everything(tested: EnvUnderTest, envs: int) -> list[Any]:
    """All that can be seen of a few environments over a trajectory."""
    table = tested.actions(envs)
    seen: list[Any] = []
    modes = tested.spec.render_modes
    with tested.pool(
        num_envs=envs, seed=12, **({"render_mode": modes[0]} if modes else {})
    ) as pool:
        for answer in table.play(pool):
            seen.append({path: rows.tobytes() for path, rows in answer.items()})
        for offered in (pool.get_state, pool.render if modes else pool.get_state):
            try:
                seen.append([np.asarray(each).tobytes() for each in offered()])
            except ParallelPoolError:
                seen.append(None)
    return seen


def _refused(tested: EnvUnderTest, name: str, value: Any) -> None:
    value = int(value) if isinstance(tested.config.variants.effective(0)[name], int) else value
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
    """Returns True if the message has the option's name as a word: "size" is not in "resized"."""
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


def described(config: PoolConfig, others: dict[str, Any]) -> dict[str, Any] | None:
    """Returns what the library says of itself with these options; None if it refuses them."""
    try:
        return config.plugin.describe(config.env.native_id, {**config.options, **others})
    except ValueError:
        return None


def other_values(declaration: Declaration, current: Any, *, far: bool = False) -> list[Any]:
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


def layout(fields: Sequence[Field]) -> list[tuple[Any, ...]]:
    """Returns the parts of the fields that rows depend on."""
    return [
        (f["role"], f["name"], f["kind"], f["dtype"], f["shape"], str(f["low"]), str(f["high"]))
        for f in fields
    ]
