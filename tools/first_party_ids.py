"""Writes into the core which ids the families of this project have, from what their plugins offer.

uv run python tools/first_party_ids.py [--check]

The core names the extra to install for an id of a family that is not installed, so it has to know the
ids. --check writes nothing and fails if they are out of date. Families that are not installed keep the
ids that they have.
"""

from __future__ import annotations

import re
import sys
import textwrap
from importlib.metadata import EntryPoint, entry_points

from families import ROOT, Family, families
from parallel_pool import ids
from parallel_pool.registry.first_party_ids import IDS

TABLE = ROOT / "core/python/parallel_pool/registry/first_party_ids.py"
HEAD = '''"""Ids of first-party families. Written by tools/first_party_ids.py from what the plugins offer."""

IDS: dict[str, tuple[str, int, tuple[str, ...], str]] = {
'''
COMMENT = '''"""By family: names, latest version, namespaces of aliases, other packages' names (a pattern)."""
'''

Row = tuple[str, int, tuple[str, ...], str]


def main() -> int:
    """1 if --check found another table than there should be."""
    plugins = {plugin.name: plugin for plugin in entry_points(group="parallel_pool")}
    rows = {
        name: offered(family, plugins[name]) if name in plugins else IDS[name]
        for name, family in families().items()
        if name in plugins or name in IDS
    }
    written = HEAD + "".join(entry(name, row) for name, row in rows.items()) + "}\n" + COMMENT
    if written == TABLE.read_text("utf-8"):
        return 0
    if "--check" in sys.argv[1:]:
        for name in rows.keys() | IDS.keys():
            if rows.get(name) != IDS.get(name):
                print(f"{name}: {IDS.get(name)} -> {rows.get(name)}", file=sys.stderr)
        print(
            f"{TABLE.name} is out of date: uv run python tools/first_party_ids.py", file=sys.stderr
        )
        return 1
    TABLE.write_text(written, encoding="utf-8")
    return 0


def offered(family: Family, plugin: EntryPoint) -> Row:
    """The row of a family; names that its pattern covers are left out."""
    tasks = [
        task
        for spec in plugin.load().parallel_pool_envs()
        for each in (spec.id, *spec.aliases)
        if (task := ids.parse(each))
    ]
    # No name of its own stands for {name} here: these are the names.
    pattern = family.old_names.replace("{name}", "(?!)")
    names = {task.name for task in tasks if not re.fullmatch(pattern, task.name)}
    latest = max(task.version for task in tasks if task.version is not None)
    namespaces = {task.namespace for task in tasks if task.namespace is not None} - {family.name}
    return (
        " ".join(sorted(names)),
        latest,
        tuple(sorted(namespaces)),
        family.old_names,
    )


def entry(name: str, row: Row) -> str:
    """The lines of a family."""
    names, latest, namespaces, old_names = row
    lines = [f'    "{name}": (\n        """\n', wrapped(names), '\n        """,\n']
    for value in (latest, namespaces, old_names):
        lines.append(f"        {literal(value)},\n")
    return "".join(lines) + "    ),\n"


def literal(value: int | tuple[str, ...] | str) -> str:
    """As ruff formats it."""
    if isinstance(value, str):
        quoted = value.replace('"', '\\"')
        return f'r"{quoted}"' if "\\" in value else f'"{quoted}"'
    return repr(value).replace("'", '"')


def wrapped(names: str) -> str:
    """In lines of at most 100 characters."""
    indent = " " * 8
    return textwrap.fill(
        names,
        width=100,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


if __name__ == "__main__":
    sys.exit(main())
