"""The signatures of the make functions for editors and type checkers: making.pyi.

uv run python tools/signatures.py writes it, from PoolArguments and the options that the families' libraries
declare. All families have to be installed. The functions themselves take `**arguments`, because they must tell
a default from the same value given. tests/typing compares the file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import Field, fields
from typing import Any

from families import ROOT, families
from parallel_pool import _core
from parallel_pool.config.arguments import PoolArguments
from parallel_pool.config.options import is_internal
from parallel_pool.registry import registry

FILE = ROOT / "core/python/parallel_pool/making.pyi"

HEAD = """\
# The make functions as editors and type checkers see them. Written by tools/signatures.py.
# fmt: off

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack, overload

from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike

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


OPTIONS = """\
class EnvOptions(TypedDict, total=False):
    \"""The options of this project's environments; `parallel-pool info ID` has those of one, with their ranges.

    Others, say a third party's, come from a dict: `options: dict[str, Any] = {...}`, `make(..., **options)`.
    \"""

"""

KINDS = {"bool": "bool", "int": "int", "float": "float", "array": "ArrayLike"}
"""Types of options by their kind. Plugins take more than a text for some texts, so these are Any."""


def not_installed() -> list[str]:
    """The families whose options cannot be known here."""
    installed = {plugin.family for plugin in registry().plugins if plugin.status == "ok"}
    return sorted(families().keys() - installed)


def text() -> str:
    """The file."""
    parts = [HEAD, OPTIONS + "".join(_options())]
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
    words = ", ".join([*own, *_arguments(), "**options: Unpack[EnvOptions]"])
    lines = textwrap.fill(
        words.replace(" ", "\0").replace(",\0", ", "), 96, break_long_words=False
    ).replace("\0", " ")
    return f"def {name}(\n{textwrap.indent(lines, '    ')}\n) -> {view}: ...\n"


def _options() -> Iterator[str]:
    """The lines of each option, sorted: its type, and what it means to which families."""
    found: dict[str, dict[str, dict[str, None]]] = {}  # by option and meaning: families
    kinds: dict[str, set[str]] = {}
    for family, name, kind, meaning in _declared():
        kinds.setdefault(name, set()).add(kind)
        found.setdefault(name, {}).setdefault(meaning, {})[family] = None
    for family in families().values():
        for name in set(family.other_option_names) - kinds.keys():
            found.setdefault(name, {}).setdefault("as in other packages", {})[family.name] = None
    for name in sorted(found):
        kind = " | ".join(sorted(kinds.get(name, {"Any"})))
        doc = "; ".join(f"{', '.join(those)}: {meaning}" for meaning, those in found[name].items())
        yield f"    {name}: {'Any' if 'Any' in kind else kind}\n"
        yield textwrap.indent(textwrap.fill(f'"""{doc}"""', 96), "    ") + "\n"


def _declared() -> Iterator[tuple[str, str, str, str]]:
    """Family, option, type and meaning, of each environment of the libraries."""
    for family in families():
        plugin = _core.Plugin(str(registry().library_path(family)))
        specs = registry().specs(family, hidden=True)
        for native in sorted({spec.native_id for spec in specs}):
            for option in plugin.declaration(native)["options"]:
                if not is_internal(option):
                    kind = "str" if option["choices"] else KINDS.get(option["kind"], "Any")
                    yield family, option["name"], kind, option["doc"]
        for spec in specs:
            for name, ids in spec.variants.items():
                kind = " | ".join(sorted({type(value).__name__ for value in ids}))
                yield family, name, kind, "which of the ids is meant"


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
    if missing := not_installed():
        raise SystemExit(f"error: not installed: {', '.join(missing)}")
    FILE.write_text(text())
