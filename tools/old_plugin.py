"""Builds the wheel that an author would have published with an earlier core: for tests that load it today.

    python tools/old_plugin.py FOLDER [--commit COMMIT]

Template, SDK headers and CMake package are those of COMMIT: by default the newest release tag (core-v*), and
while there is none, the first commit that had the template. The compiler is today's, so what this shows is that
yesterday's sources and headers make a library that today's core loads; a wheel out of yesterday's compiler is
on the index once there has been a release.

Needs git with the history of the repository, cmake, scikit-build-core and a compiler. Prints the wheel's path.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = "core/python/parallel_pool/template/cookiecutter.json"
WRITE = """
import contextlib, importlib, pathlib, sys
for package in ("parallel_pool", "parallel_pool.cli", "parallel_pool_author.cli"):  # where it was, and is
    with contextlib.suppress(ImportError):
        write_plugin = importlib.import_module(package + ".scaffold").write_plugin
write_plugin({'family': 'yesterday', 'author': 'Ada'}, pathlib.Path(sys.argv[1]))
"""
BUILD = (
    "from scikit_build_core.build import build_wheel; import sys; print(build_wheel(sys.argv[1]))"
)


def git(*arguments: str) -> str:
    """The output of git in this repository."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def default_commit() -> str:
    """The newest release, or the first commit with the template. Raises SystemExit without history."""
    if tags := git("tag", "--list", "core-v*", "--sort=-version:refname").splitlines():
        return tags[0]
    added = git("log", "--diff-filter=A", "--format=%H", "--", TEMPLATE).splitlines()
    if not added or git("rev-parse", "--is-shallow-repository") == "true":
        raise SystemExit(
            "error: the history is not here (a shallow clone?): git fetch --unshallow --tags"
        )
    return added[-1]


def run(*command: str, cwd: Path, **environment: str) -> None:
    """A quiet command that has to succeed."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"error: {' '.join(command)}\n{done.stdout}")


def build(commit: str, folder: Path) -> Path:
    """The wheel of the plugin that `parallel-pool new yesterday` of that commit writes."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        old = Path(scratch, "old")
        git("worktree", "add", "--detach", str(old), commit)
        try:
            # The headers and the CMake package alone: the old core itself is not needed.
            installed = Path(scratch, "installed")
            configure = ["cmake", "-S", str(old / "core"), "-B", str(Path(scratch, "build"))]
            run(*configure, "-DPP_PYTHON=OFF", f"-DCMAKE_INSTALL_PREFIX={installed}", cwd=old)
            run("cmake", "--install", str(Path(scratch, "build")), cwd=old)
            folders = [old / "core/python", old / "plugins/parallel_pool_author/python"]
            python = os.pathsep.join(map(str, folders))
            # -S: an editable install would put today's package before it.
            run(sys.executable, "-S", "-c", WRITE, scratch, cwd=Path(scratch), PYTHONPATH=python)
            run(
                *(sys.executable, "-c", BUILD, str(folder.resolve())),
                cwd=Path(scratch, "parallel-pool-yesterday"),
                ParallelPool_ROOT=str(installed),
                # Stronger than the hint of the installed core's entry point.
                SKBUILD_CMAKE_DEFINE=f"ParallelPool_DIR={installed}/share/cmake/ParallelPool",
            )
            plugin = Path(scratch, "parallel-pool-yesterday")
            (cache,) = plugin.glob("build/*/CMakeCache.txt")
            if f"{installed}/share/cmake/ParallelPool" not in cache.read_text():
                raise SystemExit(
                    "error: it was built with the core that is installed, not the old one"
                )
        finally:
            git("worktree", "remove", "--force", str(old))
    (wheel,) = folder.glob("parallel_pool_yesterday-*.whl")
    return wheel


def main() -> int:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--commit")
    arguments = parser.parse_args()
    print(build(arguments.commit or default_commit(), arguments.folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
