"""`parallel-pool check --sanitize`: a plugin is built with the compiler's sanitizers, and checked."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from parallel_pool.cli import main
from parallel_pool.errors import LibraryError
from parallel_pool.registry import hooks, registry
from parallel_pool_author.cli import sanitize
from test_envs.programs import ran

from .conftest import edit

OWN_FLAGS = """
cmake_minimum_required(VERSION 3.20)
project(lander LANGUAGES CXX)
set(CMAKE_CXX_FLAGS_RELEASE "")
file(WRITE ${CMAKE_BINARY_DIR}/empty.cpp "")
add_library(lander MODULE ${CMAKE_BINARY_DIR}/empty.cpp)
install(TARGETS lander DESTINATION .)
"""
LOW = """struct Low : Lander {
  static constexpr const char* id = "lander/Low-v0";
  explicit Low(const Options& options) : Lander(options) { reach = 0.5; }
};

}  // namespace
"""
needs_gcc = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="works on Linux only")
Said = Callable[..., str]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    def call(*words: str) -> str:
        assert main(["check", *words]) == 1
        return capsys.readouterr().err

    return call


def run(plugin: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ("-m", "parallel_pool.cli", "check", "--sanitize", "lander")
    return ran(*command, *arguments, folder=plugin.parent, seconds=280)


@needs_gcc
def test_a_table_read_past_its_end(plugin: Path) -> None:
    """Where a craft comes to that rises for long."""
    source = plugin / "src" / "lander.cpp"
    edit(source, "double fuel_ = 0;", "double fuel_ = ;")
    done = run(plugin)
    assert done.returncode == 1
    assert "error: lander does not build\n" in done.stderr
    assert re.search(r"lander\.cpp:\d+:\d+: error: expected", done.stderr)

    edit(source, "double fuel_ = ;", "double fuel_ = 0;\n  double wind_[10] = {};")
    edit(source, "speed_ += (", "speed_ += wind_[static_cast<int>(height_ * reach / 10)] + (")
    edit(source, "struct Lander {", "struct Lander {\n  double reach = 1;")
    edit(source, "}  // namespace\n", LOW)
    edit(source, "pp::scalar<Lander>()", "pp::scalar<Lander>(), pp::scalar<Low>()")
    listing = plugin / "python" / "parallel_pool_lander" / "_plugin.py"
    edit(listing, "    return [", '    return [\n        EnvSpec("lander/Low-v0"),')
    (line,) = (i for i, each in enumerate(source.read_text().splitlines(), 1) if "wind_[s" in each)
    both = ("--env", "lander/Lander-v0", "--env", "lander/Low-v0")
    checks = ("--only", "rows", "--only", "statics", "--only", "lifetime")
    done = run(plugin, *both, *checks, "--json")
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"builds {plugin} with the address and undefined-behaviour sanitizers" in done.stderr
    results = json.loads(done.stdout)
    (said,) = (each["text"] for each in results if each["outcome"] == "failed")
    assert re.search(
        rf"src/lander\.cpp:{line}:\d+: runtime error: index 10 out of bounds .* The whole report: "
        r"add --only rows --env lander/Lander-v0 --in-process$",
        said,
    ), said
    found = {x["check"]: x["outcome"] for x in results if x["subject"] == "lander/Low-v0"}
    # What these two look at is the sanitizer's own.
    assert found == {"rows": "passed", "statics": "inapplicable", "lifetime": "inapplicable"}


@needs_gcc
def test_a_build_with_flags_of_its_own(plugin: Path, said: Said) -> None:
    (plugin / "CMakeLists.txt").write_text(OWN_FLAGS)
    words = "lander was built without the sanitizers: its CMakeLists"
    assert words in said("--sanitize", str(plugin))


def test_another_system(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sanitize, "sys", SimpleNamespace(platform="win32"))
    assert "error: --sanitize works on Linux only: elsewhere" in said("--sanitize", "lander")


def test_sources_that_are_not_here(said: Said) -> None:
    assert "there is no plugin 'nobody' here" in said("--sanitize", "nobody")


def compiler(folder: Path, *, macros: str, library: Path) -> str:
    path = folder / "c++"
    path.write_text(f'#!/bin/sh\ncase $1 in -dM) echo "{macros}";; *) echo "{library}";; esac\n')
    path.chmod(0o755)
    return str(path)


@needs_gcc
def test_compilers_without_what_it_takes(tmp_path: Path) -> None:
    gcc = "#define __GNUC__ 12"
    clang = compiler(tmp_path, macros=f"{gcc}\n#define __clang__ 1", library=tmp_path)
    with pytest.raises(LibraryError, match=r"needs GCC, and CMake chose .*/c\+\+"):
        list(sanitize.preloaded(clang))
    bare = compiler(tmp_path, macros=gcc, library=Path("libasan.so"))
    with pytest.raises(
        LibraryError, match=r"needs the address sanitizer, and GCC has no libasan\.so here"
    ):
        list(sanitize.preloaded(bare))
    with pytest.raises(LibraryError, match="nowhere does not answer"):
        list(sanitize.preloaded(str(tmp_path / "nowhere")))


@needs_gcc
def test_a_script_for_the_linker(tmp_path: Path) -> None:
    """As some distributions have in place of the library."""
    real = tmp_path / "libasan.so.8"
    real.write_bytes(sanitize.ELF)
    script = tmp_path / "libasan.so"
    script.write_text(f"INPUT ( {real} )\n")
    asked = compiler(tmp_path, macros="#define __GNUC__ 12", library=script)
    assert list(sanitize.preloaded(asked)) == [real, real]


def test_another_build_of_the_library(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = registry().plugin("classic")
    monkeypatch.setattr(plugin, "library", None)  # put back at the end
    installed = hooks.library_path(registry().plugin("classic"))
    other = tmp_path / installed.name
    os.symlink(installed, other)
    for path in (other, tmp_path):
        assert main(["check", "classic", "--library", str(path), "--only", "lightness"]) == 0
        assert hooks.library_path(registry().plugin("classic")) == other.resolve()
        plugin.library = None
    assert "error: --library: there is no file" in said("classic", "--library", "nowhere.so")
