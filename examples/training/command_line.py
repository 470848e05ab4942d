"""A command line for a config: `--num-envs 16` for its field `num_envs`."""

from __future__ import annotations

import argparse
import ast
import inspect
import json
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from typing import Any


def from_command_line(**presets: Any) -> Any:
    """One of the presets, which are instances of one dataclass, with the fields that the command line names.

    With several presets the command line begins with the name of one. Dicts are written as JSON.
    """
    first = next(iter(presets.values()))
    parser = argparse.ArgumentParser(description=type(first).__doc__)
    if len(presets) > 1:
        parser.add_argument("preset", choices=presets)
    else:
        parser.set_defaults(preset=next(iter(presets)))
    meanings = meanings_of(type(first))
    for field in fields(first):
        default = getattr(first, field.name)
        how: dict[str, Any] = {"type": type(default)}
        if "bool" in str(field.type):
            how = {"action": argparse.BooleanOptionalAction}
        elif isinstance(default, dict):
            how = {"type": json.loads, "metavar": "JSON"}
        elif isinstance(default, tuple):
            how = {"type": int, "nargs": "*"}
        elif default is None:
            how = {"type": int}
        values = {name: str(getattr(preset, field.name)) for name, preset in presets.items()}
        if len(set(values.values())) > 1:
            said = ", ".join(f"{name} {value}" for name, value in values.items())
        else:
            said = str(default)
        how["help"] = (
            " ".join([meanings.get(field.name, ""), f"({said})"]).strip().replace("%", "%%")
        )
        name = "--" + field.name.replace("_", "-")
        parser.add_argument(name, default=argparse.SUPPRESS, **how)
    given = vars(parser.parse_args())
    preset = presets[given.pop("preset")]
    for name, value in given.items():
        if isinstance(value, list):
            given[name] = tuple(value)
    return replace(preset, **given)


def meanings_of(config: type[Any]) -> dict[str, str]:
    """The text below each field of a config."""
    found = {}
    for kind in filter(is_dataclass, reversed(config.__mro__)):
        (definition,) = ast.parse(inspect.getsource(kind)).body
        assert isinstance(definition, ast.ClassDef)
        for field, below in pairwise(definition.body):
            match field, below:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                    found[name] = " ".join(text.split())
    return found
