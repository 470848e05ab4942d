"""Debian's Python for aarch64, which qemu runs, with wheels of ours that are built for it here."""

import json
import os
import shutil
import sys
from importlib.metadata import distributions
from pathlib import Path

from platforms import AARCH64, run, tool

VERSION = "{}.{}".format(*sys.version_info)
"""That of the Python which runs this: scikit-build-core names a module after it."""
EXTENSION = f".cpython-{VERSION.replace('.', '')}-aarch64-linux-gnu.so"
PACKAGES = (f"python{VERSION}-minimal", f"libpython{VERSION}-dev", "libstdc++6")
"""Debian's, and apt-get finds what they need: among others headers of the C library and of zlib."""
_APT = """\
Dir::State "{folder}/state";
Dir::State::status "{folder}/state/status";
Dir::Cache "{folder}/cache";
APT::Architecture "arm64";
APT::Architectures {{ "arm64"; }};
APT::Sandbox::User "";
Acquire::Languages "none";
"""
# Python names itself by what it was started as, so that its child processes run under qemu too.
_LAUNCHER = """\
#!/bin/sh
exec '{qemu}' -0 "$0" '{python}' "$@"
"""
_BUILD = """\
import json, sys
from scikit_build_core.build import build_wheel
build_wheel(sys.argv[1], json.loads(sys.argv[2]))
"""


class Aarch64Python:
    """An interpreter with the packages that are installed for it, in one folder."""

    def __init__(self, folder: Path) -> None:
        """Downloads Debian's packages, from where this machine gets its own. Raises MissingTool."""
        self.folder = folder
        self.root = folder / "root"
        self.site = folder / "site"
        self.root.mkdir(parents=True)
        self._unpack(folder / "apt")
        binaries = self.root / "usr/bin"
        self.executable = binaries / "python"
        qemu = tool(*AARCH64.runner)
        self.executable.write_text(
            _LAUNCHER.format(qemu=qemu, python=binaries / f"python{VERSION}")
        )
        self.executable.chmod(0o755)
        pins = sorted({f"{each.name}=={each.version}\n" for each in distributions()})
        ours = "parallel-pool"
        self.pins = folder / "pins.txt"
        self.pins.write_text("".join(pin for pin in pins if not pin.startswith(ours)))

    def _unpack(self, apt: Path) -> None:
        """Debian's packages, without a word to this machine's own package manager."""
        for each in ("state/lists/partial", "cache/archives/partial"):
            (apt / each).mkdir(parents=True)
        (apt / "state/status").touch()  # nothing is installed
        (apt / "apt.conf").write_text(_APT.format(folder=apt))
        environment = {**os.environ, "APT_CONFIG": str(apt / "apt.conf")}
        get = [tool("apt-get", "apt, on Debian"), "-qq"]
        run([*get, "update"], env=environment)
        download = ["install", "--yes", "--download-only", "--no-install-recommends"]
        run([*get, *download, *PACKAGES], env=environment)
        for archive in (apt / "cache/archives").glob("*.deb"):
            run([tool("dpkg", "dpkg"), "-x", archive, self.root])

    def install(self, *requirements: str) -> None:
        """Wheels for aarch64, in the versions that are installed here."""
        uv = os.environ.get("UV") or tool("uv", "pipx, then pipx install uv")
        where = ["--target", str(self.site), "--python-version", VERSION]
        where += ["--python-platform", "aarch64-manylinux_2_28"]
        install = [uv, "pip", "install", "--quiet", "--only-binary", ":all:", "-c", str(self.pins)]
        # In there, where uv finds no versions that this project pins.
        run([*install, *where, *requirements], cwd=self.folder)

    def build(self, source: Path, *cmake: str) -> None:
        """Builds the wheel of a package and installs it without what it requires."""
        flags = [
            *AARCH64.configuration(),
            f"-DCMAKE_SYSROOT={self.root}",
            f"-DPython_INCLUDE_DIR={self.root}/usr/include/python{VERSION}",
            f"-DPYTHON_MODULE_EXTENSION={EXTENSION}",
            "-DPYTHON_IS_DEBUG=0",
            "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF",
            *cmake,
        ]
        dist = self.folder / "dist" / source.name
        settings = {"cmake.args": flags, "build-dir": str(self.folder / "build" / source.name)}
        environment = {
            **os.environ,
            "_PYTHON_HOST_PLATFORM": "linux-aarch64",
            "SETUPTOOLS_EXT_SUFFIX": EXTENSION,
            "CCACHE_BASEDIR": str(self.folder),
        }
        run([sys.executable, "-c", _BUILD, dist, json.dumps(settings)], cwd=source, env=environment)
        (wheel,) = dist.glob("*-linux_aarch64.whl")
        shutil.unpack_archive(wheel, self.site, "zip")

    def run(self, *arguments: str | Path, **environment: str) -> str:
        """What it says when it is run so, which has to succeed."""
        own = {
            "QEMU_LD_PREFIX": str(self.root),
            "PYTHONPATH": str(self.site),
            "PYTHONPYCACHEPREFIX": str(self.folder / "bytecode"),
        }
        inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        env = {**inherited, **own, **environment}
        return run([self.executable, *arguments], env=env, cwd=self.folder)
