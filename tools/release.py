"""The steps of a release (RELEASING.md): versions, the changelog, checks of wheels, and a bill of materials.

python tools/release.py version 1.2.3 | urls ADDRESS | changelog 1.2.3 | tag TAG | folder NAME |
    check DIST [--unpublished] | sbom DIST
"""

from __future__ import annotations

import argparse
import email
import hashlib
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from datetime import date
from email.message import Message
from pathlib import Path
from typing import Any

from families import ROOT, families, packages, plugins

FAMILIES = families()
PLUGINS = plugins()
FOLDERS = packages()
FRAGMENTS = ROOT / "changelog.d"
LIMITS = {"core": 1.5} | {each.name: each.wheel_megabytes for each in PLUGINS.values()}
"""Megabytes (10^6 bytes) that a wheel may have."""

PYTHONS = "cp311-* cp312-* cp313-* cp314-* cp314t-*"
"""The core has a wheel for each, in cibuildwheel's names; a plugin has one for all, built with the first."""

BUILT_IN = {"core": (("pybind11", "BSD-3-Clause"),)} | {
    each.name: each.built_in for each in PLUGINS.values()
}
"""By package: what is compiled into its wheel beside its own sources and the compiler's runtime; licences."""


# ---- versions -----------------------------------------------------------------------------------


def project(name: str) -> dict[str, Any]:
    """The `project` table of a package."""
    table: dict[str, Any] = tomllib.loads((FOLDERS[name] / "pyproject.toml").read_text())
    return dict(table["project"])


def version_lines() -> Iterator[tuple[Path, str]]:
    """Every file that states the version, and the pattern of its line; group 2 is the version.

    The first of them, core/pyproject.toml, is where it comes from.
    """
    for folder in FOLDERS.values():
        yield folder / "pyproject.toml", r'(?m)^(version = ")([^"]+)(")$'
    yield ROOT / "core/python/parallel_pool/__init__.py", r'(?m)^(__version__ = ")([^"]+)(")$'
    yield ROOT / "CITATION.cff", r"(?m)^(version: )(\S+)()$"
    yield ROOT / "core/CMakeLists.txt", r"(set\(SKBUILD_PROJECT_VERSION )([^)]+)(\))"


def stated_versions() -> dict[str, str]:
    """By file: the version that it states."""
    found = {}
    for path, pattern in version_lines():
        ((_, version, _),) = re.findall(pattern, path.read_text())
        found[str(path.relative_to(ROOT))] = version
    return found


def set_version(version: str) -> None:
    """Writes the version to every place. Raises SystemExit if it is none."""
    if not re.fullmatch(r"\d+\.\d+\.\d+(rc\d+)?", version):
        raise SystemExit(f"error: {version!r} is no version such as 1.2.3 or 1.2.3rc1")
    for path, pattern in version_lines():
        # CMake knows numbers alone.
        number = version.partition("rc")[0] if path.name == "CMakeLists.txt" else version
        path.write_text(re.sub(pattern, rf"\g<1>{number}\g<3>", path.read_text()))


# ---- the address of the repository ----------------------------------------------------------------

_URLS = re.compile(r"\n\[project\.urls\]\n(?:[^\n\[]+\n)+")
_CODE = re.compile(r"(?m)^repository-code: .*\n")


def address() -> str:
    """The repository's address, as the core states it; empty before `set_urls`."""
    return str(project("core").get("urls", {}).get("Source", ""))


def with_urls(text: str, new: str) -> str:
    """A pyproject.toml with the links that an index shows."""
    links = {
        "Source": new,
        "Documentation": f"{new}/tree/main/docs",
        "Changelog": f"{new}/blob/main/CHANGELOG.md",
        "Issues": f"{new}/issues",
    }
    table = "\n[project.urls]\n" + "".join(f'{key} = "{url}"\n' for key, url in links.items())
    before, mark, after = _URLS.sub("", text).partition('\n[project.entry-points."')
    return f"{before}{table}{mark}{after}"


def with_address(new: str) -> dict[Path, str]:
    """By file that repeats the address: its text with this one."""
    found = {}
    for folder in FOLDERS.values():
        path = folder / "pyproject.toml"
        found[path] = with_urls(path.read_text(), new)
    citation = ROOT / "CITATION.cff"
    rest = _CODE.sub("", citation.read_text())
    found[citation] = rest.replace("\nlicense:", f"\nrepository-code: {new}\nlicense:")
    return found


def set_urls(new: str) -> None:
    """Writes the address to every place. Raises SystemExit if it is none."""
    if not re.fullmatch(r"https://[\w.-]+(/[\w.-]+)+", new):
        raise SystemExit(f"error: {new!r} is no address such as https://HOST/OWNER/NAME")
    for path, text in with_address(new).items():
        path.write_text(text)


def check_tag(tag: str) -> None:
    """Raises SystemExit if it is not v1.2.3 of the version that the packages state."""
    if tag != f"v{(version := project('core')['version'])}":
        raise SystemExit(f"error: the tag is {tag}, the version {version}")


def about_building(name: str) -> dict[str, str]:
    """For a workflow: the folder, the Pythons to build with, what there is to build on this system.

    Raises SystemExit if there is no such package.
    """
    if name not in FOLDERS:
        raise SystemExit(f"error: {name!r} is none of {', '.join(FOLDERS)}")
    plugin = PLUGINS.get(name)
    pure = plugin is not None and plugin.library
    here = not pure and (plugin is None or plugin.can_be_built())
    return {
        "folder": FOLDERS[name].relative_to(ROOT).as_posix(),
        "pythons": PYTHONS if name == "core" else PYTHONS.partition(" ")[0],
        "here": str(here).lower(),
        "pure": str(pure).lower(),
    }


# ---- changelog ----------------------------------------------------------------------------------


def without_unreleased(text: str, version: str) -> str:
    """The changelog, where the unreleased section of that version, if any, becomes part of the one to come."""
    return text.replace(f"## {version} (unreleased)\n", "### Before\n")


def assemble_changelog(version: str) -> None:
    """Makes of the unreleased section and of the fragments of changelog.d a section with today's date.

    Raises SystemExit if the version is not the one that the packages state, or there is neither.
    """
    if version != (stated := project("core")["version"]):
        raise SystemExit(f"error: the packages state version {stated}, not {version}")
    changelog = ROOT / "CHANGELOG.md"
    text = changelog.read_text()
    if any(FRAGMENTS.glob("*.*.md")):
        changelog.write_text(without_unreleased(text, version))
        command = [sys.executable, "-m", "towncrier", "build", "--yes", "--version", version]
        subprocess.run(command, cwd=ROOT, check=True)
    elif (unreleased := f"## {version} (unreleased)") in text:
        changelog.write_text(text.replace(unreleased, f"## {version} ({date.today()})"))
    else:
        raise SystemExit(f"error: {FRAGMENTS.name} has no fragments, CHANGELOG.md no {unreleased}")


# ---- wheels -------------------------------------------------------------------------------------


def stem(name: str) -> str:
    """How the files of a package begin."""
    return "parallel_pool" if name == "core" else f"parallel_pool_{name}"


def all_wheels(dist: Path) -> Iterator[tuple[str, Path]]:
    """Packages and their wheels in a folder, of all platforms; the oldest of a package first."""
    for name in FOLDERS:
        files = dist.glob(f"{stem(name)}-*.whl")
        for wheel in sorted(files, key=lambda path: path.stat().st_mtime):
            yield name, wheel


def wheels(dist: Path) -> dict[str, Path]:
    """By package: the newest of its wheels in a folder."""
    return dict(all_wheels(dist))


def metadata(wheel: Path) -> Message:
    """The metadata of a wheel."""
    archive = zipfile.ZipFile(wheel)
    (path,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
    return email.message_from_bytes(archive.read(path))


def findings(name: str, wheel: Path, *, needs_address: bool = True) -> Iterator[str]:
    """Sentences on what is wrong with a wheel. One that is published also needs the repository's address."""
    size = wheel.stat().st_size / 1e6
    if size > LIMITS[name]:
        yield f"{wheel.name} has {size:.2f} MB; the limit is {LIMITS[name]}"
    if "-linux_" in wheel.name:
        yield f"{wheel.name} is for this machine alone; auditwheel repair makes it manylinux"
    if name != "core" and "-py3-none-" not in wheel.name:
        yield f"{wheel.name} is for one Python; plugins are for all"
    inside = zipfile.ZipFile(wheel).namelist()
    if not any("/licenses/" in file for file in inside):
        yield f"{wheel.name} has no licence in it"
    if needs_address and not metadata(wheel).get_all("Project-URL"):
        yield (
            f"{wheel.name} names no repository: run `python tools/release.py urls "
            "https://HOST/OWNER/NAME`, commit, and build again"
        )
    if any(
        file.endswith((".cpp", ".o", ".a", ".whl")) for file in inside if "template" not in file
    ):
        yield f"{wheel.name} has files that only its build needs"


def check(dist: Path, *, needs_address: bool) -> None:
    """Says sizes; raises SystemExit with what is wrong."""
    found = list(all_wheels(dist))
    wrong = [
        line for name, wheel in found for line in findings(name, wheel, needs_address=needs_address)
    ]
    for name, wheel in found:
        members = zipfile.ZipFile(wheel).infolist()
        unpacked = sum(each.file_size for each in members) / 1e6
        print(
            f"{name:8} {wheel.stat().st_size / 1e6:5.2f} MB, installed {unpacked:5.2f} MB  {wheel.name}"
        )
    if wrong:
        raise SystemExit("\n".join(f"error: {line}" for line in wrong))


def sbom(dist: Path) -> dict[str, Any]:
    """A bill of materials (CycloneDX 1.6) of the wheels in a folder."""
    components: list[dict[str, Any]] = []
    for name, wheel in all_wheels(dist):
        about = metadata(wheel)
        inside = [
            {"type": "library", "name": part, "licenses": [{"license": {"id": licence}}]}
            for part, licence in BUILT_IN[name]
        ]
        components.append(
            {
                "type": "library",
                "name": about["Name"],
                "version": about["Version"],
                "purl": f"pkg:pypi/{about['Name']}@{about['Version']}",
                "licenses": [{"expression": about["License-Expression"]}],
                "hashes": [
                    {"alg": "SHA-256", "content": hashlib.sha256(wheel.read_bytes()).hexdigest()}
                ],
                "properties": [
                    {"name": "requires", "value": each}
                    for each in about.get_all("Requires-Dist", [])
                ],
                "components": inside,
            }
        )
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components}


def main() -> int:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "command", choices=("version", "urls", "changelog", "tag", "folder", "check", "sbom")
    )
    parser.add_argument("argument", help="a version, a tag, a package, or a folder for wheels")
    parser.add_argument(
        "--unpublished", action="store_true", help="check: wheels may name no repository"
    )
    asked = parser.parse_args()
    if asked.command == "version":
        set_version(asked.argument)
    elif asked.command == "urls":
        set_urls(asked.argument)
    elif asked.command == "changelog":
        assemble_changelog(asked.argument)
    elif asked.command == "tag":
        check_tag(asked.argument)
    elif asked.command == "folder":
        for key, value in about_building(asked.argument).items():
            print(f"{key}={value}")
    elif asked.command == "check":
        check(Path(asked.argument), needs_address=not asked.unpublished)
    else:
        print(json.dumps(sbom(Path(asked.argument)), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
