"""The signatures of the make functions for editors and type checkers: making.pyi, from PoolArguments.

uv run python tools/signatures.py writes it. The functions themselves take `**arguments`, because they must tell
a default from the same value given. tests/typing compares the file.
"""

from __future__ import annotations

import textwrap
from dataclasses import Field, fields
from typing import Any

from families import ROOT
from parallel_pool.config.arguments import PoolArguments

FILE = ROOT / "core/python/parallel_pool/making.pyi"

HEAD = """\
# The make functions as editors and type checkers see them. Written by tools/signatures.py.
# fmt: off

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

from gymnasium.vector import AutoresetMode

from parallel_pool.threads.thread_pool import ThreadPool
from parallel_pool.views.dm import DmPool
from parallel_pool.views.gym import GymPool
from parallel_pool.views.gymnasium import GymnasiumPool
from parallel_pool.views.pool_spec import PoolSpec

ENV_TYPES: tuple[str, ...]
"""

GIVEN = {
    "autoreset_mode": "str | AutoresetMode | None",
    "rank": 'int | Literal["torchrun"] | None',
    "thread_affinity": "Sequence[int] | None",
}
"""Types that an argument takes where its checked value has another."""

OVERLOADS = (
    ('env_type: Literal["gym"]', "GymPool"),
    ('env_type: Literal["dm"]', "DmPool"),
    ('env_type: Literal["gymnasium"] = "gymnasium"', "GymnasiumPool"),
    ("env_type: str", "Any"),
)
"""Of `make`."""


def text() -> str:
    """The file."""
    parts = [HEAD]
    for env_type, view in OVERLOADS:
        parts.append("@overload\n" + _function("make", view, env_type))
    for name, view in (
        ("make_gymnasium", "GymnasiumPool"),
        ("make_gym", "GymPool"),
        ("make_dm", "DmPool"),
        ("make_spec", "PoolSpec"),
    ):
        parts.append(_function(name, view))
    return "\n".join(parts)


def _function(name: str, view: str, env_type: str = "") -> str:
    own = ["task_id: str | Sequence[str]", *([env_type] if env_type else []), "*"]
    words = ", ".join([*own, *_arguments(), "**options: Any"])
    lines = textwrap.fill(
        words.replace(" ", "\0").replace(",\0", ", "), 96, break_long_words=False
    ).replace("\0", " ")
    return f"def {name}(\n{textwrap.indent(lines, '    ')}\n) -> {view}: ...\n"


def _arguments() -> list[str]:
    shown = [each for each in fields(PoolArguments) if each.metadata["doc"]]
    return [f"{each.name}: {_type(each)} = {_default(each)}" for each in shown]


def _type(argument: Field[Any]) -> str:
    if argument.name in GIVEN:
        return GIVEN[argument.name]
    kind = str(argument.type)
    optional = argument.default is None and kind != "Any" and not kind.endswith("None")
    return f"{kind} | None" if optional else kind


def _default(argument: Field[Any]) -> str:
    default = argument.default
    return f'"{default}"' if isinstance(default, str) else repr(default)


if __name__ == "__main__":
    FILE.write_text(text())
