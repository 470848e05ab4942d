"""The binary layout of abi.h is frozen: what was built years ago still fits."""

import os
import re
import struct
import subprocess
from pathlib import Path

import parallel_pool
import pytest

HERE = Path(__file__).parent
HEADER = Path(parallel_pool.get_include(), "parallel_pool", "abi.h")
FROZEN = sorted(HERE.glob("frozen_abi/*/abi.h"))


def compiles(source: Path, language: str, standard: str) -> subprocess.CompletedProcess[str]:
    compiler = os.environ.get("CC", "cc") if language == "c" else os.environ.get("CXX", "c++")
    flags = ["-fsyntax-only", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"]
    flags += ["-Wno-unused-local-typedefs", f"-I{parallel_pool.get_include()}"]
    return subprocess.run(
        [compiler, "-x", language, f"-std={standard}", *flags, str(source)],
        capture_output=True,
        text=True,
    )


@pytest.mark.skipif(struct.calcsize("P") != 8, reason="the table is for 64-bit machines")
@pytest.mark.parametrize(
    ("language", "standard"), [("c", "c99"), ("c", "c11"), ("c++", "c++17"), ("c++", "c++20")]
)
def test_every_member_is_where_it_was(tmp_path: Path, language: str, standard: str) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text(f'#include "{HERE / "layout.h"}"\n')
    done = compiles(unit, language, standard)
    assert done.returncode == 0, done.stderr


def test_the_check_of_the_layout_can_fail(tmp_path: Path) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text(f'#include "{HERE / "layout.h"}"\nAT(pp_field, role, 8, 4);\n')
    assert compiles(unit, "c", "c99").returncode != 0


def members(header: Path) -> dict[str, list[str]]:
    """The members of every struct, in order."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
    found = {}
    for name, body in re.findall(r"typedef struct (pp_\w+) \{(.*?)\n\} \1;", text, flags=re.DOTALL):
        found[name] = [
            match[1] or match[2]
            for match in re.finditer(r"(?:\(\*(\w+)\)\s*\([^;]*|\b(\w+)(?:\[\w+\])?)\s*;", body)
        ]
    return found


def test_every_member_is_in_the_table() -> None:
    table = (HERE / "layout.h").read_text()
    declared = members(HEADER)
    assert len(declared) == 9
    for name, names in declared.items():
        assert re.findall(rf"^AT\({name}, (\w+),", table, re.MULTILINE) == names
        assert f"HOLDS(sizeof({name}) == " in table


@pytest.mark.parametrize("old", FROZEN, ids=lambda path: path.parent.name)
def test_structs_only_grow_at_their_end(old: Path) -> None:
    major = re.compile(r"#define PP_ABI_MAJOR (\w+)")
    if major.search(old.read_text())[1] != major.search(HEADER.read_text())[1]:  # type: ignore[index]
        pytest.skip("another major")
    now = members(HEADER)
    for name, names in members(old).items():
        assert now[name][: len(names)] == names


def test_the_frozen_copy_has_the_header_of_this_version() -> None:
    """Released headers stay as they were; the newest copy is today's."""
    assert FROZEN[-1].read_bytes() == HEADER.read_bytes()


def test_the_header_needs_nothing_but_two_standard_headers() -> None:
    includes = re.findall(r"#include (.*)", HEADER.read_text())
    assert includes == ["<stddef.h>", "<stdint.h>"]
