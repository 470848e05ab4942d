"""The folder of a plugin, as `parallel-pool dev` and `check --sanitize` need it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution, entry_points
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from parallel_pool.errors import OptionError


@dataclass(frozen=True)
class Project:
    """A plugin's sources, as described by its pyproject.toml. Paths are absolute."""

    folder: Path
    family: str
    entry: str
    """The value of the entry point: the module with the hooks."""
    distribution: str
    version: str
    """ "0" where pyproject.toml leaves it to the build."""
    sources: Path
    """The folder with CMakeLists.txt."""
    package: Path
    """The Python package."""
    install_dir: str
    """The folder in site-packages for the library."""
    defines: tuple[str, ...]
    """Arguments that the plugin's own build passes to CMake: `-DNAME=VALUE`."""


def find_project(word: str) -> Project:
    """The plugin in the folder `word`, or the plugin of that name.

    A name is searched in the current folder, in the folder that `parallel-pool new` would write here, and
    among editable installs. Raises OptionError if there is none.
    """
    if (Path(word) / "pyproject.toml").is_file():
        return read_project(Path(word))
    if Path(word).is_dir():
        raise OptionError(_not_a_plugin(Path(word), "it has no pyproject.toml"))
    for folder in _candidates(word):
        if (folder / "pyproject.toml").is_file() and word in _entries(_table(folder)):
            return read_project(folder)
    raise OptionError(
        f"there is no plugin {word!r} here: neither this folder nor {_folder_name(word)} is it, and no "
        f"editable install names its sources. Give its folder; `parallel-pool new {word}` writes a new one"
    )


def read_project(folder: Path) -> Project:
    """The plugin in a folder. Raises OptionError that names what is missing."""
    folder = folder.resolve()
    table = _table(folder)
    entries = _entries(table)
    if not entries:
        reason = 'pyproject.toml has no [project.entry-points."parallel_pool"]'
        raise OptionError(_not_a_plugin(folder, reason))
    if len(entries) > 1:
        raise OptionError(
            f"{folder} has the families {', '.join(entries)}: a plugin that is built here is of one family"
        )
    ((family, entry),) = entries.items()
    module = entry.partition(":")[0].partition(".")[0]
    settings = table.get("tool", {}).get("scikit-build", {})
    sources = folder / settings.get("cmake", {}).get("source-dir", ".")
    if not (sources / "CMakeLists.txt").is_file():
        raise OptionError(_not_a_plugin(folder, f"{sources} has no CMakeLists.txt"))
    wheel = settings.get("wheel", {})
    packages = [folder / each for each in wheel.get("packages", ())]
    packages += [folder / parent / module for parent in ("python", "src", ".")]
    package = next((each for each in packages if each.name == module and each.is_dir()), None)
    if package is None:
        raise OptionError(
            f"{folder} has no Python package {module}, which its entry point {family} = {entry!r} names"
        )
    project = table["project"]
    return Project(
        folder=folder,
        family=family,
        entry=entry,
        distribution=project["name"],
        version=project.get("version", "0"),
        sources=sources,
        package=package,
        install_dir=wheel.get("install-dir") or ".",
        defines=tuple(_defines(settings.get("cmake", {}))),
    )


def _table(folder: Path) -> dict[str, Any]:
    path = folder / "pyproject.toml"
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{path} cannot be read: {error}") from error


def _entries(table: Mapping[str, Any]) -> dict[str, str]:
    """By family: the module with its hooks."""
    points = table.get("project", {}).get("entry-points", {})
    return dict(points.get("parallel_pool", {}))


def _defines(cmake: Mapping[str, Any]) -> Iterator[str]:
    yield from cmake.get("args", ())
    for name, value in cmake.get("define", {}).items():
        if isinstance(value, bool):
            yield f"-D{name}={'ON' if value else 'OFF'}"
        elif isinstance(value, list):
            yield f"-D{name}={';'.join(map(str, value))}"
        elif not isinstance(
            value, dict
        ):  # one from the environment, which has a default of its own
            yield f"-D{name}={value}"


def _candidates(word: str) -> Iterator[Path]:
    yield Path()
    yield Path(_folder_name(word))
    try:
        found = distribution(_folder_name(word))
    except (PackageNotFoundError, ValueError):
        return
    if (folder := _editable_sources(found)) is not None:
        yield folder


def installed(family: str, apart_from: Path) -> Iterator[str]:
    """Plugins of the family that were not built from sources in place, but for that in this folder."""
    for point in entry_points(group="parallel_pool", name=family):
        found = point.dist
        if found is None or _editable_sources(found) is not None:
            continue
        if Path(str(found.locate_file(""))).resolve() != apart_from:
            yield f"{found.name} {found.version}"


def _editable_sources(found: Distribution) -> Path | None:
    """The folder of an editable install."""
    about = json.loads(found.read_text("direct_url.json") or "{}")
    if about.get("dir_info", {}).get("editable"):
        return Path(url2pathname(urlsplit(about["url"]).path))
    return None


def _folder_name(word: str) -> str:
    return f"parallel-pool-{word.replace('_', '-')}"


def _not_a_plugin(folder: Path, reason: str) -> str:
    return (
        f"{folder.resolve()} is not the folder of a plugin: {reason}. `parallel-pool new NAME` writes one, and "
        "`parallel-pool dev FOLDER` takes it"
    )
