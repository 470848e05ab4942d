"""A scenario's settings as the text that the library reads; src/scenario_settings.hpp describes the fields."""

from collections.abc import Mapping, Sequence
from typing import Any

Settings = dict[str, Any]
"""By field: a text, a bool, a number, or a list of texts, numbers or tuples of numbers."""


def as_lines(settings: Mapping[str, Any]) -> str:
    """A line `field value` for each value; a list has one for each element."""
    return "".join(
        f"{name} {_as_value(each)}\n"
        for name, value in settings.items()
        for each in (value if isinstance(value, list) else [value])
    )


def _as_value(value: str | float | Sequence[float]) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return " ".join(map(_as_value, value))
    return repr(int(value) if isinstance(value, bool) else value)
