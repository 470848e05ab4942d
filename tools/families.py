"""The families and libraries of this repository: folders of plugins/, described by their pyproject.toml.

    python tools/families.py [--check]

Tools, tests, the site and the release learn here which families there are. `[tool.parallel-pool]` of a plugin's
pyproject.toml has what they need to know; every key has a default (docs/architecture.md#families). The command
writes the lists of families that are read as they are: the extras of core, the workspace, and lists in pages.
--check writes nothing and fails if a list is out of date.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MARKS = re.compile(
    r"(?s)([^\n]*Written from here by tools/families\.py\.[^\n]*\n).*?([^\n]*\bTo here\.)"
)
NOT_IN_THE_TABLE = {"name", "folder", "licence", "built_with"}


@dataclass(frozen=True)
class Family:
    """One folder of plugins/: a family, or a library."""

    name: str
    """The name of the entry point, and of the folder: plugins/parallel_pool_NAME."""
    folder: Path
    title: str
    """Its name on pages."""
    library: bool = False
    """A wheel without environments, in Python alone: no family."""
    demo: str | None = None
    """The environment that a fresh installation steps; None: the first in the list."""
    systems: tuple[str, ...] = ()
    """The values of sys.platform where it can be built; none: all of them."""
    wheel_megabytes: float = 0.6
    """The limit of its wheel, in 10^6 bytes."""
    licence: str = "MIT"
    """The wheel's, as SPDX writes it."""
    built_in: tuple[tuple[str, str], ...] = ()
    """The parts of others that are compiled into the wheel, each with its SPDX licence."""
    picture_options: Mapping[str, Any] = field(default_factory=dict)
    """Options of `make` for the pictures of the site."""
    ids_alone: bool = False
    """True if the site shows every id by itself: those that differ in a version are different levels."""
    built_with: tuple[str, ...] = ()
    """The other folders that it is built with, or needs when it runs."""
    old_names: str = ""
    """A pattern of names that other packages use for its environments; {name} is any name of its own."""

    @property
    def distribution(self) -> str:
        """Its name on package indexes."""
        return f"parallel-pool-{self.name}"

    @property
    def requirement(self) -> str:
        """The distribution, where it can be built."""
        systems = " or ".join(f"sys_platform == '{system}'" for system in self.systems)
        return self.distribution + (f"; {systems}" if systems else "")

    def can_be_built(self, system: str = sys.platform) -> bool:
        """True if the family has a wheel for that value of sys.platform."""
        return not self.systems or system in self.systems


def families(root: Path = ROOT) -> dict[str, Family]:
    """The families of a checkout by name, in order."""
    return {name: each for name, each in plugins(root).items() if not each.library}


def plugins(root: Path = ROOT) -> dict[str, Family]:
    """All folders of plugins/ by name, in order. Raises SystemExit for a key that means nothing."""
    found = {}
    for path in sorted(root.glob("plugins/parallel_pool_*/pyproject.toml")):
        name = path.parent.name.removeprefix("parallel_pool_")
        table = tomllib.loads(path.read_text("utf-8"))
        about = table["tool"].get("parallel-pool", {})
        keys = {key.replace("-", "_"): value for key, value in about.items()}
        if unknown := keys.keys() - (Family.__annotations__.keys() - NOT_IN_THE_TABLE):
            raise SystemExit(f"error: {path}: [tool.parallel-pool] has no key {min(unknown)!r}")
        if "systems" in keys:
            keys["systems"] = tuple(keys["systems"])
        if "built_in" in keys:
            keys["built_in"] = tuple((part, licence) for part, licence in keys["built_in"])
        keys["licence"] = table.get("project", {}).get("license", "MIT")
        keys["built_with"] = required(table)
        keys.setdefault("title", name.replace("_", " ").capitalize())
        found[name] = Family(name, path.parent, **keys)
    return found


def required(pyproject: Mapping[str, Any]) -> tuple[str, ...]:
    """The folders of plugins/ that a wheel is built with, or needs when it runs."""
    project = pyproject.get("project", {})
    named = [*pyproject["build-system"]["requires"], *project.get("dependencies", [])]
    found = (re.match(r"parallel-pool-([\w-]+)", each) for each in named)
    return tuple(dict.fromkeys(each[1].replace("-", "_") for each in found if each))


def packages(root: Path = ROOT) -> dict[str, Path]:
    """The folders of all packages by name: core first, and each after those that it needs."""
    known = plugins(root)
    order = TopologicalSorter(
        {each.name: each.built_with for each in known.values()}
    ).static_order()
    return {"core": root / "core"} | {name: known[name].folder for name in order if name in known}


# ---- lists in files that other programs read ------------------------------------------------------


def core_extras(known: Iterable[Family]) -> list[str]:
    """Lines of core/pyproject.toml: an extra for each family, and one for all of them."""
    known = [each for each in known if not each.library]
    lines = ["all = [", *(f'  "{each.requirement}",' for each in known), "]"]
    return lines + [f'{each.name} = ["{each.distribution}"]' for each in known]


def workspace_sources(known: Iterable[Family]) -> list[str]:
    """Lines of the root's pyproject.toml: where each wheel is."""
    return [f"{each.distribution} = {{ workspace = true }}" for each in known]


def _page(each: Family) -> str:
    """The page of a family: docs/FAMILY.md if there is one, else its README."""
    root = each.folder.parents[1]
    own = root / f"docs/{each.name}.md"
    return (own if own.is_file() else each.folder / "README.md").relative_to(root).as_posix()


def links(known: Iterable[Family]) -> list[str]:
    """Lines of the README: a link to each family's page."""
    found = [f"[{each.title}]({_page(each)})" for each in known if not each.library]
    return [f"  {link}," for link in found[:-1]] + [f"  {link}" for link in found[-1:]]


def names(known: Iterable[Family]) -> list[str]:
    """Lines of docs/first-steps.md: the extra of each family, and its page."""
    known = [each for each in known if not each.library]
    pages = [os.path.relpath(_page(each), "docs").replace(os.sep, "/") for each in known]
    rows = [
        f"| `{each.name}` | [{each.title}]({page}) |"
        for each, page in zip(known, pages, strict=True)
    ]
    return ["", "| family | environments |", "|---|---|", *rows, ""]


def notices(known: Iterable[Family]) -> list[str]:
    """Lines of THIRD_PARTY_NOTICES.md: what each wheel has in it of others."""
    rows = []
    for each in known:
        folder = f"parallel_pool_{each.name}"
        where = f"`{folder}/licenses`"
        if (each.folder / "NOTICE.md").is_file():
            where += f"; [NOTICE](plugins/{folder}/NOTICE.md)"
        parts = [f"{part} | {licence} | {where}" for part, licence in each.built_in]
        rows += [
            f"| {each.distribution} | {each.licence} | {part} |"
            for part in parts or ["nothing | |"]
        ]
    head = "| wheel | its licence | contains | licence | its text, in the wheel |"
    return ["", head, "|---|---|---|---|---|", *rows, ""]


LISTS: Mapping[str, Callable[[Iterable[Family]], list[str]]] = {
    "core/pyproject.toml": core_extras,
    "pyproject.toml": workspace_sources,
    "README.md": links,
    "THIRD_PARTY_NOTICES.md": notices,
    "docs/first-steps.md": names,
}
"""By file: the lines between its marks."""


def with_list(text: str, lines: Iterable[str]) -> str:
    """The text with other lines between its marks. Raises ValueError if it has none."""
    inside = "".join(f"{line}\n" for line in lines)
    changed, count = MARKS.subn(lambda marks: marks[1] + inside + marks[2], text)
    if count != 1:
        raise ValueError("no lines 'Written from here by tools/families.py.' and 'To here.'")
    return changed


def out_of_date(root: Path = ROOT) -> dict[Path, str]:
    """The files whose lists are not those of the folders, and what they should have."""
    known = plugins(root).values()
    wanted = {
        root / name: with_list((root / name).read_text("utf-8"), lines(known))
        for name, lines in LISTS.items()
    }
    return {path: text for path, text in wanted.items() if text != path.read_text("utf-8")}


def main() -> int:
    """1 if --check found a list that is out of date."""
    found = out_of_date()
    for path, text in found.items():
        if "--check" in sys.argv[1:]:
            print(
                f"{path.relative_to(ROOT)} is out of date: python tools/families.py",
                file=sys.stderr,
            )
        else:
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} written")
    return int(bool(found) and "--check" in sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
