"""The machines that programs are built for here: with which compilers, and what runs them."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]


class MissingTool(Exception):
    """A program that this needs is not installed; the text names its package."""


def tool(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise MissingTool(f"{name} is not here. Install it: apt-get install {package}")
    return found


@dataclass(frozen=True)
class Platform:
    name: str
    system: str
    processor: str
    compilers: Sequence[str] = ()
    """For C and C++, as commands; none: this machine's own."""
    package: str = ""
    """Debian's, with the compilers."""
    runner: tuple[str, str] = ("", "")
    """What runs programs, and its Debian package; none: they run as they are."""
    cmake: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def configuration(self) -> list[str]:
        """CMake's arguments. Raises MissingTool."""
        arguments = list(self.cmake)
        if launcher := shutil.which("ccache"):
            arguments += [f"-DCMAKE_{each}_COMPILER_LAUNCHER={launcher}" for each in ("C", "CXX")]
        if not self.compilers:
            return arguments
        # The core's CMake package, which is not where that system's libraries are looked for.
        arguments.append("-DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH")
        for language, compiler in zip(("C", "CXX"), self.compilers, strict=True):
            arguments.append(f"-DCMAKE_{language}_COMPILER={tool(compiler, self.package)}")
        system = [f"-DCMAKE_SYSTEM_NAME={self.system}"]
        return [*arguments, *system, f"-DCMAKE_SYSTEM_PROCESSOR={self.processor}"]

    def command(self, program: Path, *arguments: str) -> list[str]:
        """The command that runs a program of this platform. Raises MissingTool."""
        runner, package = self.runner
        return [*([tool(runner, package)] if runner else []), str(program), *arguments]

    def environ(self, folder: Path) -> dict[str, str]:
        """The environment of its programs; `folder`: where the runner may keep files."""
        return {
            **os.environ,
            **{name: value.format(folder=folder) for name, value in self.environment.items()},
        }


HERE = Platform("here", "", "")
AARCH64 = Platform(
    "linux-aarch64",
    "Linux",
    "aarch64",
    ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++"),
    "g++-aarch64-linux-gnu",
    ("qemu-aarch64", "qemu-user"),
    environment={"QEMU_LD_PREFIX": "/usr/aarch64-linux-gnu"},
)
WINDOWS = Platform(
    "windows-x64",
    "Windows",
    "AMD64",
    ("x86_64-w64-mingw32-gcc-posix", "x86_64-w64-mingw32-g++-posix"),
    "g++-mingw-w64-x86-64-posix",
    ("wine", "wine wine64"),
    cmake=["-DCMAKE_EXE_LINKER_FLAGS=-static", "-DCMAKE_MODULE_LINKER_FLAGS=-static"],
    environment={
        "WINEPREFIX": "{folder}/wine",
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=",  # no questions about what wine could fetch
    },
)
PLATFORMS = (AARCH64, WINDOWS)


def run(command: Sequence[str | Path], **options: object) -> str:
    """What a command says, which has to succeed."""
    done = subprocess.run(
        [str(each) for each in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        **options,  # type: ignore[call-overload]
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return str(done.stdout)
