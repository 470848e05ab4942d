"""The families of this repository: each is a folder of plugins/, described by its pyproject.toml.

    python tools/families.py [--check]

Tools, tests, the site and the release learn here which families there are. `[tool.parallel-pool]` of a plugin's
pyproject.toml has what they need to know; every key has a default (docs/architecture.md#families). The command
writes the lists of families that other programs read as they are: the extras of core and the workspace. --check
writes nothing and fails if a list is out of date.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BEGIN = "# Written from here by tools/families.py."
END = "# To here."
NOT_IN_THE_TABLE = {"name", "folder", "built_with"}


@dataclass(frozen=True)
class Family:
    """One folder of plugins/."""

    name: str
    """Of the entry point, and of the folder: plugins/parallel_pool_NAME."""
    folder: Path
    title: str
    """As pages call it."""
    demo: str | None = None
    """The environment that a fresh installation steps; None: the first in the list."""
    systems: tuple[str, ...] = ()
    """The values of sys.platform where it can be built; none: all of them."""
    python_below: str = ""
    """The extra `all` has the family for older Pythons only: what it needs has no wheel for this one."""
    wheel_megabytes: float = 0.6
    """The limit of its wheel, in 10^6 bytes."""
    built_in: tuple[tuple[str, str], ...] = ()
    """What is compiled into the wheel beside the plugin's own sources, with its SPDX licence."""
    picture_options: Mapping[str, Any] = field(default_factory=dict)
    """Options of `make` for the pictures of the site."""
    ids_alone: bool = False
    """Whether the site shows every id by itself: those that differ in a version are different levels."""
    built_with: tuple[str, ...] = ()
    """The families that are libraries of its build."""
    old_names: str = ""
    """A pattern of names that other packages use for its environments; {name} is any name of its own."""
    other_option_names: tuple[str, ...] = ()
    """Names of options that its plugin translates from other packages' spelling."""

    @property
    def distribution(self) -> str:
        """As package indexes have it."""
        return f"parallel-pool-{self.name}"

    @property
    def requirement(self) -> str:
        """The distribution, where it can be built and installed."""
        systems = " or ".join(f"sys_platform == '{system}'" for system in self.systems)
        python = self.python_below and f"python_version < '{self.python_below}'"
        marker = " and ".join(
            filter(None, (f"({systems})" if python and systems else systems, python))
        )
        return self.distribution + (f"; {marker}" if marker else "")

    def can_be_built(self, system: str = sys.platform) -> bool:
        """Whether the family has a wheel for that value of sys.platform."""
        return not self.systems or system in self.systems


def families(root: Path = ROOT) -> dict[str, Family]:
    """All families of a checkout by name, in order. Raises SystemExit for a key that means nothing."""
    found = {}
    for path in sorted(root.glob("plugins/parallel_pool_*/pyproject.toml")):
        name = path.parent.name.removeprefix("parallel_pool_")
        table = tomllib.loads(path.read_text("utf-8"))
        about = table["tool"].get("parallel-pool", {})
        keys = {key.replace("-", "_"): value for key, value in about.items()}
        if unknown := keys.keys() - (Family.__annotations__.keys() - NOT_IN_THE_TABLE):
            raise SystemExit(f"error: {path}: [tool.parallel-pool] has no key {min(unknown)!r}")
        for each in ("systems", "other_option_names"):
            if each in keys:
                keys[each] = tuple(keys[each])
        if "built_in" in keys:
            keys["built_in"] = tuple((part, licence) for part, licence in keys["built_in"])
        keys["built_with"] = libraries(table["build-system"]["requires"])
        keys.setdefault("title", name.replace("_", " ").capitalize())
        found[name] = Family(name, path.parent, **keys)
    return found


def libraries(requirements: Iterable[str]) -> tuple[str, ...]:
    """The families among the requirements of a build."""
    found = (re.match(r"parallel-pool-([\w-]+)", each) for each in requirements)
    return tuple(each[1].replace("-", "_") for each in found if each)


def packages(root: Path = ROOT) -> dict[str, Path]:
    """The folders of all packages by name: core first, and a family after those that it is built with."""
    known = families(root)
    order = TopologicalSorter(
        {each.name: each.built_with for each in known.values()}
    ).static_order()
    return {"core": root / "core"} | {name: known[name].folder for name in order if name in known}


# ---- lists in files that other programs read ------------------------------------------------------


def core_extras(known: Iterable[Family]) -> list[str]:
    """Lines of core/pyproject.toml: an extra for each family, and one for all of them."""
    known = list(known)
    lines = ["all = [", *(f'  "{each.requirement}",' for each in known), "]"]
    return lines + [f'{each.name} = ["{each.distribution}"]' for each in known]


def workspace_sources(known: Iterable[Family]) -> list[str]:
    """Lines of the root's pyproject.toml."""
    return [f"{each.distribution} = {{ workspace = true }}" for each in known]


LISTS = {"core/pyproject.toml": core_extras, "pyproject.toml": workspace_sources}
"""By file: the lines between its marks."""


def with_list(text: str, lines: Iterable[str]) -> str:
    """The text with other lines between its marks. Raises ValueError if it has none."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"no lines {BEGIN!r} and {END!r}")
    return before + begin + "\n" + "".join(f"{line}\n" for line in lines) + end + after


def out_of_date(root: Path = ROOT) -> dict[Path, str]:
    """The files whose lists are not those of the folders, and what they should have."""
    known = families(root).values()
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
