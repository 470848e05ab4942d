"""The programs of programs.py tell if a quirk of the machine is wrong.

Each mistake of mistakes.toml is made in the machine, which is compiled and run against ALE. It has to be found
by the programs made for it.
"""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from atari_engine import find_driver
from programs import PROGRAMS
from test_envs.programs import ran

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src"
COMPILER = os.environ.get("CXX", "c++")
WRITTEN = tomllib.loads((HERE / "mistakes.toml").read_text())
MISTAKES = [
    {**mistake, "file": file, "units": WRITTEN["units"].get(file, [file])}
    for file, mistakes in WRITTEN["mistakes"].items()
    for mistake in mistakes
]

slow = pytest.mark.slow  # five minutes: dozens of builds
pytestmark = pytest.mark.timeout(900)  # on a busy machine


def build_folder() -> Path:
    driver = find_driver()
    assert driver is not None, "no atari_test_driver library"
    return driver.parent


def run(*command: object) -> None:
    done = subprocess.run(list(map(str, command)), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-3000:]


def compile_(source: Path, tree: Path, target: Path) -> Path:
    built = build_folder()
    ale = next(built.glob("_sdist/ale_py-*/src"))
    # Compiling takes longer than running, so nothing is optimised.
    flags = ["-std=c++20", "-O0", "-fPIC", "-w", f"-I{tree}", f"-I{ale}", f"-I{built}/_ale/src/ale"]
    run(COMPILER, *flags, "-c", source, "-o", target)
    return target


@pytest.fixture(scope="session")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rig's object file, which no mistake changes."""
    return compile_(HERE / "rig_driver.cpp", SOURCE, tmp_path_factory.mktemp("rig") / "rig.o")


def build(folder: Path, rig: Path, mistake: dict[str, Any] | None) -> Path:
    objects = [rig]
    if mistake is not None:
        tree = folder / "src"
        shutil.copytree(SOURCE, tree)
        path = tree / "vcs" / mistake["file"]
        path.write_text(path.read_text().replace(mistake["before"], mistake["after"]))
        for unit in mistake["units"]:
            source = tree / "vcs" / unit
            for unity in build_folder().glob("CMakeFiles/atari_engine.dir/Unity/*.cxx"):
                text = unity.read_text()
                if f"/{unit}" in text:  # the archive has its other files there too
                    source = folder / unity.name
                    source.write_text(text.replace(str(SOURCE), str(tree)))
            objects.append(compile_(source, tree, folder / f"{source.stem}.o"))
    library = folder / "mutant.so"
    built = build_folder()
    # The archive's members are taken for what is still missing only.
    archives = (built / "libatari_engine.a", built / "_ale/src/ale/libale.a")
    run(COMPILER, "-shared", "-o", library, *objects, *archives, "-lz")
    return library


def difference(library: Path, *programs: str) -> str:
    done = ran(HERE / "programs.py", library, *programs, seconds=900)
    # A mistake may end the process as well; that is found, too.
    return done.stdout.partition("difference: ")[2].strip() if done.returncode == 0 else "it died"


def test_each_mistake_has_its_place_and_its_programs() -> None:
    for each in MISTAKES:
        text = (SOURCE / "vcs" / each["file"]).read_text()
        assert text.count(each["before"]) == 1, each
        assert each["told_by"] in PROGRAMS, each


@slow
def test_the_machine_without_a_mistake_passes(tmp_path: Path, rig: Path) -> None:
    assert difference(build(tmp_path, rig, None)) == ""


@slow
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: each["name"].replace(" ", "-"))
def test_a_mistake_is_found(tmp_path: Path, rig: Path, mistake: dict[str, Any]) -> None:
    assert difference(build(tmp_path, rig, mistake), mistake["told_by"]) != ""
