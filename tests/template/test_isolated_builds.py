"""A stranger's machine: nothing but what an index has of the core, in a folder outside of the repository.

Everything runs in virtual environments, with caches of their own, as an author of a plugin would type it.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from test_envs.once import once
from test_envs.programs import python

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from families import families, plugins

pytestmark = [
    pytest.mark.slow,  # compiles the core and downloads into empty caches
    pytest.mark.timeout(1500),
]

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "writing-a-plugin.md"
PUBLISHING = ROOT / "docs" / "publishing.md"
SDIST = "from scikit_build_core.build import build_sdist; import sys; build_sdist(sys.argv[1])"

OURS = ("parallel-pool", "parallel-pool-author")
FAMILIES = tuple(families())
PLUGINS = tuple(plugins())


class Machine:
    """A virtual environment, and the folder with packages of ours that its tools look into.

    Caches are those of these tests: wheels that pip or uv built of another state of this repository must not
    come back.
    """

    def __init__(self, folder: Path, links: Path, caches: Path) -> None:
        venv.create(folder / "venv", with_pip=True)
        self.bin = folder / "venv" / "bin"
        kept = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
        self.environment = kept | {
            "PATH": f"{self.bin}{os.pathsep}{kept['PATH']}",
            "PIP_CACHE_DIR": str(caches / "pip"),
            "UV_CACHE_DIR": str(caches / "uv"),
            "PIP_FIND_LINKS": " ".join(filter(None, [str(links), kept.get("PIP_FIND_LINKS")])),
            "UV_FIND_LINKS": ",".join(filter(None, [str(links), kept.get("UV_FIND_LINKS")])),
            "UV_PYTHON": sys.executable,
            "UV_PYTHON_DOWNLOADS": "never",
        }

    def run(self, *command: str, folder: Path) -> str:
        done = subprocess.run(
            command,
            cwd=folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=900,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def caches(shared_folder: Path) -> Path:
    return shared_folder / "caches"


@pytest.fixture(scope="module")
def release(shared_folder: Path, caches: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the index has it after a release: core's sdist and a manylinux wheel, and what authors need.

    The wheels are what pip makes of sdists in isolation, as it does where the index has none for a platform.
    """

    def build(folder: Path) -> None:
        folder.mkdir()
        for source in (ROOT / "core", ROOT / "plugins/parallel_pool_author"):
            subprocess.run([sys.executable, "-c", SDIST, str(folder)], cwd=source, check=True)
        outside = tmp_path_factory.mktemp("outside")
        machine = Machine(outside, folder, caches)
        machine.run(*("pip", "wheel", "-q", "--no-deps", *OURS), folder=outside)
        for wheel in outside.glob("*.whl"):
            shutil.move(wheel, folder)
        wheels("repair", folder, "core")

    return once(shared_folder / "release", build)


def wheels(command: str, dist: Path, *arguments: str) -> str:
    """tools/wheels.py, or what tools/release.py has to say of a folder."""
    tool = "release" if command == "check" else "wheels"
    return python(ROOT / "tools" / f"{tool}.py", command, dist, *arguments, seconds=900)


def new_plugin(machine: Machine, folder: Path) -> Path:
    machine.run("parallel-pool", "new", "lander", "--author", "Ada", folder=folder)
    return folder / "parallel-pool-lander"


def test_a_new_plugin(release: Path, caches: Path, tmp_path: Path) -> None:
    machine = Machine(tmp_path, release, caches)
    machine.run("pip", "install", "-q", *OURS, "build", "pytest", "uv", folder=tmp_path)
    folder = new_plugin(machine, tmp_path)

    # uv: nothing to install by hand, not even parallel-pool.
    said = machine.run("uv", "run", "pytest", folder=folder)
    assert " passed" in said

    # What is published: the sdist, and one wheel for every Python.
    machine.run("python", "-m", "build", folder=folder)
    (archive,) = (folder / "dist").glob("*.tar.gz")
    (wheel,) = (folder / "dist").glob("*.whl")
    assert archive.name == "parallel_pool_lander-0.1.0.tar.gz"
    assert wheel.name.startswith("parallel_pool_lander-0.1.0-py3-none-")
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "parallel_pool_lander/__init__.py",
        "parallel_pool_lander/_plugin.py",
        "parallel_pool_lander/lander.so",
        "parallel_pool_lander-0.1.0.dist-info/entry_points.txt",
        "parallel_pool_lander-0.1.0.dist-info/licenses/LICENSE",
    } <= inside
    with tarfile.open(archive) as members:
        names = {name.partition("/")[2] for name in members.getnames()}
    assert {"CMakeLists.txt", "src/lander.cpp", "tests/test_conformance.py", "LICENSE"} <= names
    assert not [name for name in names if name.startswith(("build/", "dist/", ".venv/"))]
    machine.run("pip", "install", "-q", str(wheel), folder=tmp_path)
    assert " passed" in machine.run("pytest", folder=folder)
    listed = machine.run("parallel-pool", "list", folder=tmp_path)
    assert "lander/Lander-v0" in listed


def test_a_core_that_no_index_has(release: Path, caches: Path, tmp_path: Path) -> None:
    """The commands of that section of the page, with wheels in the place of the clone."""
    (tmp_path / "nothing").mkdir()
    machine = Machine(tmp_path, tmp_path / "nothing", caches)
    core, author = sorted(map(str, release.glob("*.whl")))
    machine.run("pip", "install", "-q", core, author, folder=tmp_path)
    clone = {"parallel-pool/core": core, "parallel-pool/plugins/parallel_pool_author": author}
    folder = new_plugin(machine, tmp_path)
    section = PUBLISHING.read_text().partition("## A core that is not on an index")[2]
    commands = [
        shlex.split(line)
        for block in re.findall(r"```console\n(.*?)```", section, re.DOTALL)
        for line in block.replace("$ ", "").splitlines()
    ]
    assert len(commands) == 4
    for command in commands:
        words = [clone.get(each, each) for each in command]
        machine.run(*words, folder=folder)
        if words[1] == "install" and words[-1] == ".":
            assert "lander/Lander-v0" in machine.run("parallel-pool", "list", folder=tmp_path)
            machine.run("pip", "uninstall", "-q", "-y", "parallel-pool-lander", folder=tmp_path)


def test_the_ten_minutes_as_they_are_written(release: Path, caches: Path, tmp_path: Path) -> None:
    """Every command of the page is typed and every file of it written, in order."""
    machine = Machine(tmp_path, release, caches)
    folder = tmp_path
    tutorial = PAGE.read_text().partition("\n# The parts")[0]
    said = []
    for language, text in re.findall(r"```(console|cpp|python)\n(.*?)```", tutorial, re.DOTALL):
        if language == "console":
            for line in text.splitlines():
                command = shlex.split(line.removeprefix("$ "))
                if command[0] == "cd":
                    folder = folder / command[1]
                else:
                    said.append(machine.run(*command, folder=folder))
        else:
            path = folder / re.split(r"[#/]+ ", text.splitlines()[0])[1]
            assert path.exists(), "the page names a file that the template does not have"
            path.write_text(text)
    assert "walk/Walk-v0" in said[-1]
    assert sum(" passed" in each for each in said) == 4


def test_what_is_released(release: Path, tmp_path: Path) -> None:
    """Core and plugins keep to the limits of their wheels, and work in an empty environment.

    The plugins' wheels are what was built and installed for the other tests: they do not depend on the
    core that they were built with.
    """
    dist = tmp_path / "dist"
    wheels("pack", dist, *PLUGINS)
    wheels("repair", dist)
    (core,) = release.glob("parallel_pool-*.whl")
    shutil.copy(core, dist)
    assert wheels("check", dist, "--unpublished").count(" MB, installed ") == 1 + len(PLUGINS)
    said = wheels(
        "try", dist, "core", *(each for each in PLUGINS if each not in ("jax", "ray"))
    )  # some 100 MB each
    assert "parallel_pool_learning\n" in said
    assert said.count(": 20 steps of 4 environments") == len(FAMILIES)
