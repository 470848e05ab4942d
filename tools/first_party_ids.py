"""Writes into the core which ids the families of this project have, from what their plugins offer.

uv run python tools/first_party_ids.py [--check]

The core names the extra to install for an id of a family that is not installed, so it has to know the
ids. --check writes nothing and fails if they are out of date. Families that are not installed keep the
ids that they have.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from families import ROOT, Family, families
from parallel_pool import ids

TABLE = ROOT / "core/python/parallel_pool/registry/first_party_ids.json"


def main() -> int:
    """1 if --check found another table than there should be."""
    plugins = {plugin.name: plugin for plugin in entry_points(group="parallel_pool")}
    known = json.loads(TABLE.read_text("utf-8"))
    rows = {
        name: offered(family, plugins[name]) if name in plugins else known[name]
        for name, family in families().items()
        if name in plugins or name in known
    }
    if rows == known:
        return 0
    if "--check" in sys.argv[1:]:
        for name in rows.keys() | known.keys():
            if rows.get(name) != known.get(name):
                print(f"{name}: {known.get(name)} -> {rows.get(name)}", file=sys.stderr)
        print(
            f"{TABLE.name} is out of date: uv run python tools/first_party_ids.py", file=sys.stderr
        )
        return 1
    TABLE.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def offered(family: Family, plugin: EntryPoint) -> dict[str, Any]:
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
    return {
        "names": sorted(names),
        "latest": latest,
        "namespaces": sorted(namespaces),
        "old_names": family.old_names,
    }


if __name__ == "__main__":
    sys.exit(main())
