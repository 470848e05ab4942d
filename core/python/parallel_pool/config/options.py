"""Checks option values against what a library declares, before anything is built."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np

from parallel_pool.config.synonyms import meant_by
from parallel_pool.errors import OptionError, UnknownArgumentError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry.described import shortened
from parallel_pool.schema.masks import refuse_mask

Declaration = Mapping[str, Any]
"""One option as `_core.Plugin.declaration` lists it: name, kind, default, doc, low, high, choices."""


def is_internal(declaration: Declaration) -> bool:
    """Whether an option is set by its plugin and hidden from users: its text is or begins with "internal"."""
    return str(declaration["doc"]).partition(":")[0] == "internal"


def python_options(spec: EnvSpec) -> list[Declaration]:
    """The options that only the plugin's Python has, declared as a library's."""
    free: Declaration = {"doc": "", "low": None, "high": None, "choices": ()}
    found: list[Declaration] = []
    for name, default in spec.python_options.items():
        kind = type(default).__name__
        if kind not in ("bool", "int", "float", "str"):
            kind, default = "array", np.asarray(default, np.float64)
        found.append({"name": name, "kind": kind, "default": default, **free})
    return found


MOST_NAMED = 5
"""So many options an error names."""


def check_options(
    owner: str,
    declarations: Iterable[Declaration],
    values: Mapping[str, Any],
    common: Iterable[str] = (),
) -> dict[str, Any]:
    """The values as int, float, bool, str or float64 array, ready for the library.

    For a text, None is the empty text, and a list has its lines, as Gymnasium writes a map.

    `owner`: the id, also with what follows it in errors: ", environment 3", ": reset".
    `common`: names every environment takes, for suggestions only. Raises OptionError naming the option,
    the value and what is allowed; UnknownArgumentError for an unknown name.
    """
    declared = {each["name"]: each for each in declarations}
    own = [name for name, declaration in declared.items() if not is_internal(declaration)]
    if wrong := [
        _unknown(owner, name, own, list(common)) for name in values if name not in declared
    ]:
        raise UnknownArgumentError("\n".join(wrong))
    return {name: _check(owner, declared[name], value) for name, value in values.items()}


def _unknown(owner: str, name: str, own: list[str], common: list[str]) -> str:
    known = [*own, *common]
    env_id = owner.split(", ")[0].split(": ")[0]
    command = f"`parallel-pool info {env_id}`"
    if meant := meant_by(name, known):
        hint = meant
    elif near := difflib.get_close_matches(name, known, n=1):
        hint = f"Did you mean {near[0]!r}?"
    elif 0 < len(own) <= MOST_NAMED:
        hint = f"It has {', '.join(own)}: {command}."
    else:
        closest = difflib.get_close_matches(name, own or known, n=MOST_NAMED, cutoff=0.0)
        hint = f"The nearest are {', '.join(closest)}; {command} lists its own."
    return f"{owner} has no option {name!r} (unexpected keyword argument {name!r}). {hint}"


def _check(owner: str, declaration: Declaration, value: Any) -> Any:
    name, kind = declaration["name"], declaration["kind"]
    refuse_mask(f"{owner}: option {name!r}", value, OptionError)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()

    def refuse(expected: str) -> OptionError:
        return OptionError(f"{owner}: option {name!r} is {shortened(value)}, expected {expected}")

    result: Any
    if kind == "bool":
        if not isinstance(value, (bool, np.bool_)):
            raise refuse("True or False" + _one_each(name, value))
        return bool(value)
    if kind == "int":
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        fits = whole and -(2**63) <= int(value) < 2**63 and _inside(declaration, int(value))
        if not fits:
            raise refuse("an integer" + _range(declaration) + _one_each(name, value))
        return int(value)
    if kind == "float":
        if not isinstance(value, Real) or isinstance(value, bool):
            raise refuse("a number" + _range(declaration) + _one_each(name, value))
        try:
            result = float(value)
        except OverflowError:
            raise refuse("a number" + _range(declaration)) from None
        if np.isnan(result) or not _inside(declaration, result):
            raise refuse("a number" + _range(declaration))
        return result
    if kind == "str":
        if value is None:
            value = ""
        elif isinstance(value, (list, tuple)) and not declaration["choices"]:
            value = "\n".join(value) if all(isinstance(row, str) for row in value) else value
        if not isinstance(value, (str, os.PathLike)):
            raise refuse("a text" + _choices(declaration) + _one_each(name, value))
        result = os.fsdecode(value)
        if "\0" in result:
            raise refuse("a text without zero bytes")
        if any("\ud800" <= character <= "\udfff" for character in result):
            raise refuse("a text that is Unicode: plugins take UTF-8, which has no lone surrogates")
        if declaration["choices"] and result not in declaration["choices"]:
            raise refuse("one of " + _choices(declaration))
        return result
    try:
        result = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise refuse("numbers") from None
    if result.ndim != 1:
        raise refuse("a one-dimensional array of numbers")
    if np.isnan(result).any() or not all(_inside(declaration, each) for each in result):
        raise refuse("numbers" + _range(declaration))
    return result


def _one_each(name: str, value: Any) -> str:
    """A hint for an error: several values were given for an option that has one."""
    if not isinstance(value, (list, tuple, np.ndarray)):
        return ""
    return f"; for one per environment: env_options={{{name!r}: [...]}}"


def _inside(declaration: Declaration, value: float) -> bool:
    low, high = declaration["low"], declaration["high"]
    return (low is None or value >= low) and (high is None or value <= high)


def _range(declaration: Declaration) -> str:
    low, high = declaration["low"], declaration["high"]
    if low is None and high is None:
        return ""
    if high is None:
        return f" of at least {exact(low)}"
    if low is None:
        return f" of at most {exact(high)}"
    return f" in {exact(low)} .. {exact(high)}"


def exact(limit: float) -> str:
    """A limit with all of its digits: beside a rounded limit, a wrong value could look right."""
    texts = f"{limit:g}", f"{limit:.15g}", repr(float(limit))
    return next(text for text in texts if float(text) == limit)


def _choices(declaration: Declaration) -> str:
    return ", ".join(repr(choice) for choice in declaration["choices"])
