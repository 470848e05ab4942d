"""Writes into the core which ids the families of this project have, from what their plugins offer.

uv run python tools/first_party_ids.py [--check]

The core names the extra to install for an id of a family that is not there, so it has to know the
ids. --check writes nothing and fails if they are not what they should be. Families that are not
installed keep the ids that they have.
"""

from __future__ import annotations

import re
import sys
import textwrap
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from parallel_pool import ids
from parallel_pool.registry.first_party import FAMILIES

TABLE = Path(__file__).parent.parent / "core/python/parallel_pool/registry/first_party.py"
BEGIN = "# Written from here by tools/first_party_ids.py, from what the installed plugins offer.\n"
END = "# To here.\n"


def main() -> int:
    """1 if --check found another table than there should be."""
    text = TABLE.read_text()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{TABLE} has no lines {BEGIN.strip()!r} and {END.strip()!r}")
    plugins = {plugin.name: plugin for plugin in entry_points(group="parallel_pool")}
    names = {
        family: offered(plugins[family]) if family in plugins else known.names
        for family, known in FAMILIES.items()
    }
    written = before + BEGIN + table(names) + END + after
    if written == text:
        return 0
    if "--check" in sys.argv[1:]:
        for family, known in FAMILIES.items():
            if differing := known.names ^ names[family]:
                print(f"{family}: {', '.join(sorted(differing))}", file=sys.stderr)
        print(
            f"{TABLE.name} is out of date: uv run python tools/first_party_ids.py", file=sys.stderr
        )
        return 1
    TABLE.write_text(written)
    return 0


def offered(plugin: EntryPoint) -> frozenset[str]:
    """The names of its environments, without those that a pattern of the core's table covers."""
    tasks = [
        ids.parse(each)
        for spec in plugin.load().parallel_pool_envs()
        for each in (spec.id, *spec.aliases)
    ]
    pattern = FAMILIES[plugin.name].pattern
    return frozenset(task.name for task in tasks if task and not re.fullmatch(pattern, task.name))


def table(names: dict[str, frozenset[str]]) -> str:
    """As it stands in the file."""
    families = "".join(
        f'    "{family}": _words("""\n{words(some)}\n    """),\n' for family, some in names.items()
    )
    return f"_NAMES = {{\n{families}}}\n"


def words(some: frozenset[str]) -> str:
    """In order, in lines of at most 100 characters."""
    indent = " " * 8
    return textwrap.fill(
        " ".join(sorted(some)),
        width=100,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


if __name__ == "__main__":
    sys.exit(main())
