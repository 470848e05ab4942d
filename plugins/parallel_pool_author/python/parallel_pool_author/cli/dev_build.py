"""Building a plugin's folder for `parallel-pool dev` and `check --sanitize`: CMake in a folder of its own,
which builds only what changed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import parallel_pool
from parallel_pool.errors import LibraryError

from parallel_pool_author.cli.dev_project import Project

COMPILER_HINT = "apt-get install g++, or xcode-select --install, or Visual Studio's Build Tools"


class BuildError(Exception):
    """The plugin does not compile. The text is the output of CMake or the compiler."""


@dataclass(frozen=True)
class Kind:
    """A way to build a plugin."""

    folder: str
    """In the plugin's folder `build`."""
    flags: str | None
    """The compiler's, in place of those of CMake's build type Release."""
    defines: tuple[str, ...]


AGAIN_AND_AGAIN = ("-DPP_PRECOMPILE_SDK=ON",)
# Half of the time of a release; what floating-point numbers come out is the same.
QUICK = Kind("dev", "-O1", AGAIN_AND_AGAIN)
RELEASE = Kind("dev", None, AGAIN_AND_AGAIN)


class Build:
    """The build folder of a plugin, beside its sources.

    Its folder `site` has the files that an installation would put into site-packages. A process with `site`
    on its path finds the plugin.
    """

    def __init__(self, project: Project, kind: Kind) -> None:
        self._project = project
        self._kind = kind
        self._root = project.folder / "build" / kind.folder
        self.site = self._root / "site"
        self._tree = self._root / "cmake"
        self._configured = self._root / "configured.json"
        """The command that configured the tree; absent while it is not."""

    def run(self) -> str:
        """Builds what changed since the last time and installs it into `site`. Returns the compiler's warnings.

        Raises BuildError, and LibraryError if CMake, a compiler or a build tool is missing.
        """
        self.configure()
        cmake = _tool("cmake")
        done = _run([cmake, "--build", str(self._tree), "--config", "Release"])
        output = "\n".join(_interesting(done.stdout))
        if done.returncode != 0:
            raise BuildError(output or done.stdout)
        self._put(cmake)
        return output

    def configure(self) -> None:
        """Configures the build folder, if that was not done or was done otherwise. Raises as `run` does."""
        self._root.mkdir(parents=True, exist_ok=True)
        (self._root / ".gitignore").write_text("*\n", "utf-8")
        project, kind = self._project, self._kind
        cmake = _tool("cmake")
        command = [
            cmake,
            *("-S", str(project.sources), "-B", str(self._tree), "--no-warn-unused-cli"),
            f"-DParallelPool_DIR={parallel_pool.get_cmake_dir()}",
            *_cmake_roots(),
            "-DCMAKE_BUILD_TYPE=Release",
            *(
                f"-DCMAKE_{language}_FLAGS_RELEASE={kind.flags}"
                for language in ("CXX", "C")
                if kind.flags is not None
            ),
            *kind.defines,
            f"-DCMAKE_COLOR_DIAGNOSTICS={'ON' if sys.stdout.isatty() else 'OFF'}",
            f"-DPython_EXECUTABLE={sys.executable}",
            # scikit-build-core gives these to CMake, too.
            f"-DSKBUILD_PROJECT_NAME={project.distribution}",
            f"-DSKBUILD_PROJECT_VERSION={_numbers(project.version)}",
            f"-DSKBUILD_PROJECT_VERSION_FULL={project.version}",
            *project.defines,
        ]
        if ninja := _found("ninja"):
            command += ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
        before = self._configured.read_text("utf-8") if self._configured.is_file() else ""
        if before == json.dumps(command):
            return  # the build itself configures again where a CMakeLists.txt changed
        self._configured.unlink(missing_ok=True)
        shutil.rmtree(self._tree, ignore_errors=True)
        done = _run(command)
        if done.returncode != 0:
            if "CMAKE_CXX_COMPILER" in done.stdout:
                raise LibraryError(f"there is no C++20 compiler here: {COMPILER_HINT}")
            if "CMAKE_MAKE_PROGRAM" in done.stdout:
                raise LibraryError("there is neither Ninja nor make here: pip install ninja")
            raise BuildError(done.stdout.strip())
        self._configured.write_text(json.dumps(command), "utf-8")

    def setting(self, name: str) -> str:
        """Returns the value that CMake keeps under this name, "" for none. Call `configure` first."""
        cache = (self._tree / "CMakeCache.txt").read_text("utf-8", "replace")
        found = re.search(rf"^{name}:\w+=(.*)$", cache, re.MULTILINE)
        return found[1] if found else ""

    def _put(self, cmake: str) -> None:
        """Copies all files to where a process looks for them."""
        project = self._project
        prefix = self.site / project.install_dir
        done = _run([cmake, "--install", str(self._tree), "--prefix", str(prefix)])
        if done.returncode != 0:
            raise BuildError(done.stdout.strip())
        shutil.copytree(
            project.package,
            self.site / project.package.name,
            ignore=shutil.ignore_patterns("__pycache__"),
            dirs_exist_ok=True,
        )
        name = re.sub(r"[-_.]+", "_", project.distribution)
        about = self.site / f"{name}-{project.version}.dist-info"
        for other in self.site.glob("*.dist-info"):
            if other != about:
                shutil.rmtree(other)
        about.mkdir(exist_ok=True)
        files = {
            "METADATA": f"Metadata-Version: 2.1\nName: {project.distribution}\nVersion: {project.version}\n",
            "entry_points.txt": f"[parallel_pool]\n{project.family} = {project.entry}\n",
            "INSTALLER": "parallel-pool dev\n",
        }
        for file, text in files.items():
            (about / file).write_text(text, "utf-8")


def _cmake_roots() -> Iterator[str]:
    """Yields the folders of libraries for plugins, as scikit-build-core tells them to CMake."""
    for point in entry_points(group="cmake.root"):
        if point.name != "ParallelPool" and (spec := find_spec(point.value)) is not None:
            yield f"-D{point.name}_ROOT={';'.join(spec.submodule_search_locations or ())}"


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def _found(name: str) -> str | None:
    """The path of a tool, also beside this Python: its virtual environment may not be active."""
    beside = os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])
    return shutil.which(name, path=beside)


def _tool(name: str) -> str:
    found = _found(name)
    if found is None:
        raise LibraryError(
            f"plugins are built with CMake, which is not here: pip install {name} ninja"
        )
    return found


def _numbers(version: str) -> str:
    """The version in CMake's form: 1.0 for 1.0rc1."""
    match = re.match(r"\d+(\.\d+)*", version)
    return match[0] if match else "0"


def _interesting(output: str) -> Iterator[str]:
    """The compiler's lines, without the progress lines of Ninja and make."""
    command_follows = False
    for line in output.splitlines():
        if command_follows:
            command_follows = False
            continue
        if line.startswith("FAILED:"):
            command_follows = True  # it has some thousand characters
            continue
        if re.match(r"\[ *\d+[/%]|ninja: |(g?make)(\[\d+\])?: |-- |Consolidate|Scanning dep", line):
            continue
        if line.strip():
            yield line
