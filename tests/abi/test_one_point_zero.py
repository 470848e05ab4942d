"""A rehearsal of ABI 1.0: hosts and plugins of 1.0, of 1.1 with a longer pp_env, and of today, in all pairs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from test_envs.compiling import SOURCES, compile_plugin, once

pytestmark = pytest.mark.slow  # compiles the pool twice

CORE = Path(__file__).parents[2] / "core"
LAST = "const void* (*get_extension)(const char* id); /* [any] may be NULL */\n} pp_env;"
GROWN = LAST.replace("} pp_env", "void (*later)(void);\n} pp_env")


def headers(version: str, folder: Path) -> Path:
    """Today's headers with the numbers of `version`."""
    include = folder / f"include-{version}"
    if version == "today":
        return CORE / "include"

    def write(new: Path) -> None:
        shutil.copytree(CORE / "include", new)
        major, minor = version.split(".")
        header = new / "parallel_pool" / "abi.h"
        text = header.read_text()
        for old, number in (("PP_ABI_MAJOR 0u", major), ("PP_ABI_MINOR 1u", minor)):
            assert text.count(f"#define {old}") == 1
            text = text.replace(f"#define {old}", f"#define {old[:-3]} {number}u")
        # The first minor of a new major is 0, and what is in it asks for no more.
        text = text.replace("#define PP_ABI_MIN_HOST 1u", "#define PP_ABI_MIN_HOST 0u")
        if version == "1.1":
            assert text.count(LAST) == 1
            text = text.replace(LAST, GROWN)
        header.write_text(text)

    return once(include, write)


def host(version: str, folder: Path) -> Path:
    include = headers(version, folder)
    command = [os.environ.get("CXX", "c++"), "-std=c++17", "-O0", f"-I{include}", "-pthread"]
    source = str(CORE / "tests/plugins/rollouts.cpp")

    def build(new: Path) -> None:
        subprocess.run([*command, source, "-o", str(new), "-ldl"], check=True)

    return once(folder / f"host-{version}", build)


def plugin(version: str, folder: Path) -> Path:
    include = headers(version, folder)
    flags = ["-Wno-missing-field-initializers"]  # it knows nothing of the member that came later

    def build(new: Path) -> None:
        compile_plugin(SOURCES / "plain.c", new, include=str(include), flags=flags)

    return once(folder / f"plugin-{version}.so", build)


def play(
    host_version: str, plugin_version: str, shared: Path, out: Path
) -> subprocess.CompletedProcess[str]:
    program, library = host(host_version, shared), plugin(plugin_version, shared)
    command = [str(program), str(library), str(out), "plain/Plain-v0"]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("plugin_version", ["1.0", "1.1"])
@pytest.mark.parametrize("host_version", ["1.0", "1.1"])
def test_within_the_major_everything_works(
    host_version: str, plugin_version: str, shared_folder: Path, tmp_path: Path
) -> None:
    rows = tmp_path / "rows", tmp_path / "expected"
    done = play(host_version, plugin_version, shared_folder, rows[0])
    assert done.returncode == 0, done.stderr
    assert play("1.0", "1.0", shared_folder, rows[1]).returncode == 0
    assert rows[0].stat().st_size > 10_000
    assert rows[0].read_bytes() == rows[1].read_bytes()


@pytest.mark.parametrize("host_version", ["1.0", "1.1"])
def test_plugins_of_today_are_refused(
    host_version: str, shared_folder: Path, tmp_path: Path
) -> None:
    done = play(host_version, "today", shared_folder, tmp_path / "rows")
    assert done.returncode == 1
    assert f"was built for plugin ABI 0.1; this parallel-pool speaks {host_version}" in done.stderr
    assert "Upgrade it: pip install -U parallel-pool-plain" in done.stderr


def test_who_needs_a_newer_host_says_so(shared_folder: Path, tmp_path: Path) -> None:
    needs = compile_plugin(
        SOURCES / "plain.c",
        tmp_path / "needs.so",
        "HEAD_MIN_HOST=1",
        include=str(headers("1.1", shared_folder)),
        flags=["-Wno-missing-field-initializers"],
    )
    command = [host("1.0", shared_folder), needs, tmp_path / "rows", "plain/Plain-v0"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "needs plugin ABI 1.1 or newer" in done.stderr
    assert "pip install -U parallel-pool" in done.stderr
