"""A command line for a config: `--num-envs 16` for its field `num_envs`."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields, replace
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
    for field in fields(first):
        default = getattr(first, field.name)
        how: dict[str, Any] = {"type": type(default)}
        if isinstance(default, bool):
            how = {"action": argparse.BooleanOptionalAction}
        elif isinstance(default, dict):
            how = {"type": json.loads, "metavar": "JSON"}
        elif isinstance(default, tuple):
            how = {"type": int, "nargs": "*"}
        elif default is None:
            how = {"type": int}
        values = dict.fromkeys(str(getattr(preset, field.name)) for preset in presets.values())
        how["help"] = " or ".join(values).replace("%", "%%")
        name = "--" + field.name.replace("_", "-")
        parser.add_argument(name, default=argparse.SUPPRESS, **how)
    given = vars(parser.parse_args())
    preset = presets[given.pop("preset")]
    for name, value in given.items():
        if isinstance(value, list):
            given[name] = tuple(value)
    return replace(preset, **given)
