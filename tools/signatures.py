"""The signatures of the make functions for editors and type checkers: making.pyi.

uv run python tools/signatures.py writes it from PoolArguments. The functions themselves take `**arguments`,
because they must tell a default from the same value given. tests/typing compares the file.
"""

from __future__ import annotations

import textwrap
from dataclasses import Field, fields
from typing import Any

from families import ROOT
from parallel_pool.config.arguments import PoolArguments

FILE = ROOT / "core/python/parallel_pool/making.pyi"

TEXT = """\
# The make functions as editors and type checkers see them. Written by tools/signatures.py.
# fmt: off

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar, overload

from gymnasium.vector import AutoresetMode

from parallel_pool.ids import Ids
from parallel_pool.threads.thread_pool import ThreadPool
from parallel_pool.views.dm import DmPool
from parallel_pool.views.gym import GymPool
from parallel_pool.views.gymnasium import GymnasiumPool
from parallel_pool.views.pool_spec import PoolSpec

ENV_TYPES: tuple[str, ...]

_Made = TypeVar("_Made", covariant=True)

class _Make(Protocol[_Made]):
    \"""The arguments of all pools; further ones are options of the environment: `parallel-pool info ID`.\"""

    def __call__(
        self, task_id: Ids, *,
{arguments}
    ) -> _Made: ...

@overload
def make(task_id: Ids, env_type: Literal["gym"], **arguments: Any) -> GymPool: ...
@overload
def make(task_id: Ids, env_type: Literal["dm"], **arguments: Any) -> DmPool: ...
@overload
def make(
        task_id: Ids, env_type: Literal["gymnasium"] = "gymnasium", *,
{arguments}
) -> GymnasiumPool: ...
@overload
def make(task_id: Ids, env_type: str, **arguments: Any) -> Any: ...

make_gymnasium: _Make[GymnasiumPool]
make_gym: _Make[GymPool]
make_dm: _Make[DmPool]
make_spec: _Make[PoolSpec]
"""

GIVEN = {
    "autoreset_mode": "str | AutoresetMode | None",
    "rank": 'int | Literal["torchrun"] | None',
    "thread_affinity": "Sequence[int] | None",
}
"""Types that an argument takes where its checked value has another."""


def text() -> str:
    """The file."""
    shown = [each for each in fields(PoolArguments) if each.metadata["doc"]]
    words = [f"{each.name}: {_type(each)} = {_default(each)}" for each in shown]
    line = ", ".join([*words, "**options: Any"]).replace(" ", "\0").replace(",\0", ", ")
    lines = textwrap.fill(line, 96, break_long_words=False).replace("\0", " ")
    return TEXT.format(arguments=textwrap.indent(lines, "        "))


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
