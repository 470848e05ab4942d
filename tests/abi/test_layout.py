"""The binary layout of abi.h and of its extensions is frozen: what was built years ago still fits.

Within a major, members and constants are only added, at the end.
"""

import os
import re
import struct
from pathlib import Path

import parallel_pool
import pytest
from test_envs.compiling import check_text

FOLDER = Path(parallel_pool.get_include(), "parallel_pool")
HEADERS = [FOLDER / "abi.h", *sorted(FOLDER.glob("ext/*.h"))]
RELEASED = sorted(Path(__file__).parent.glob("frozen_abi/*/abi.h"))

MEMBERS = {
    "pp_field": "struct_size:4 role:4 kind:4 dtype:4 flags:4 ndim:4 shape:64 name:8 low:8 high:8 n_low:4 "
    "n_high:4",
    "pp_value": "kind:4 dtype:4 count:8 i:8 f:8 s:8 data:8",
    "pp_option": "struct_size:4 flags:4 name:8 doc:8 value:48 low:8 high:8 choices:8 n_choices:4 reserved:4",
    "pp_host": "struct_size:4 abi_major:4 abi_minor:4 reserved:4 version:8 set_error:8 log:8 get_extension:8",
    "pp_spec": "struct_size:4 n_field:4 field:8 max_players:4 reserved:4 max_episode_steps:8 "
    "reward_threshold:8",
    "pp_shard": "struct_size:4 count:4 option:8",
    "pp_lanes": "struct_size:4 first:4 count:4 flags:4 mask:8 seed:8 field:8 claim_rows:8 host_data:8 "
    "next_seed:8 has_next_seed:8",
    "pp_env": "struct_size:4 flags:4 preferred_lanes:4 n_option:4 id:8 summary:8 option:8 describe:8 "
    "release_spec:8 create:8 destroy:8 reset:8 step:8 get_extension:8",
    "pp_plugin": "magic:4 abi_major:4 abi_minor:4 min_host_minor:4 name:8 version:8 struct_size:4 n_env:4 "
    "env:8",
    "pp_arrays": "struct_size:4 reserved:4 count:8 describe:8 read:8 write:8",
    "pp_array": "struct_size:4 flags:4 dtype:4 ndim:4 shape:64 name:8",
    "pp_early_resets": "struct_size:4 flags:4 begin:8",
    "pp_notes": "struct_size:4 reserved:4 set_note:8",
    "pp_patience": "struct_size:4 reserved:4 is_wanted:8",
    "pp_render": "struct_size:4 reserved:4 size:8 draw:8",
    "pp_reset_options": "struct_size:4 n_option:4 option:8 check:8 set:8",
    "pp_state": "struct_size:4 n_local_option:4 local_option:8 size:8 save:8 load:8 load_seeded:8 copy:8",
}
"""The members of every struct on LP64, with their bytes, one right behind the other."""

NUMBERED = {
    "PP_": "BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 FLOAT32 FLOAT64",
    "PP_ROLE_": "OBS INFO ACTION REWARD TERMINATED TRUNCATED DISCOUNT PLAYERS SCORE CONTINUES",
    "PP_KIND_": "BOX DISCRETE MULTI_DISCRETE MULTI_BINARY TEXT",
    "PP_OPTION_": "INT FLOAT BOOL STRING ARRAY",
}
"""Constants that cross, numbered from 1."""
CONSTANTS = {
    f"{prefix}{name}": number
    for prefix, names in NUMBERED.items()
    for number, name in enumerate(names.split(), 1)
} | {
    **{"PP_ABI_MAGIC": 0x4C4F4F50, "PP_ABI_MAJOR": 0, "PP_ALL_LANES": 0xFFFFFFFF, "PP_MAX_DIMS": 8},
    **{"PP_FIELD_PER_PLAYER": 1, "PP_PLAYS_ON": 3, "PP_OPTION_HAS_LOW": 1, "PP_OPTION_HAS_HIGH": 2},
    **{"PP_LOG_DEBUG": 0, "PP_LOG_INFO": 1, "PP_LOG_WARNING": 2, "PP_LOG_ERROR": 3},
    **{
        "PP_ENV_EXCLUSIVE": 1,
        "PP_ENV_LATE_ROWS": 2,
        "PP_ENV_RESETS_WAIT": 4,
        "PP_ENV_STEPS_WAIT": 8,
    },
    **{"PP_ARRAY_WRITABLE": 1, "PP_STEP_LEFT": -2, "PP_EARLY_RESETS_TAKE_SEEDS": 1},
}


def table(name: str) -> list[tuple[str, int]]:
    """The members of a struct and their bytes."""
    return [(each.split(":")[0], int(each.split(":")[1])) for each in MEMBERS[name].split()]


def unit(wrong: str = "1") -> str:
    """A source that compiles where all is as the tables say, and `wrong` is not 0."""
    facts = [wrong]
    for name in MEMBERS:
        offset = 0
        for member, size in table(name):
            facts.append(f"offsetof({name}, {member}) == {offset}")
            facts.append(f"sizeof((({name}*)0)->{member}) == {size}")
            offset += size
        facts.append(f"sizeof({name}) == {offset}")
    facts += [f"{name} == {value}" for name, value in CONSTANTS.items()]
    includes = "".join(f'#include "{header}"\n' for header in HEADERS)
    # An array of negative size is an error in every dialect.
    return includes + "".join(
        f"typedef char holds_{number}[({fact}) ? 1 : -1];\n" for number, fact in enumerate(facts)
    )


def compiles(text: str, language: str, standard: str, folder: Path) -> str:
    compiler = os.environ.get("CC", "cc") if language == "c" else os.environ.get("CXX", "c++")
    command = [compiler, "-x", language, f"-std={standard}", f"-I{parallel_pool.get_include()}"]
    command += ["-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-Wno-unused-local-typedefs"]
    return check_text(text, folder / "unit.c", command).stderr


@pytest.mark.skipif(struct.calcsize("P") != 8, reason="the table is for 64-bit machines")
@pytest.mark.parametrize(
    ("language", "standard"), [("c", "c99"), ("c", "c11"), ("c++", "c++17"), ("c++", "c++20")]
)
def test_every_member_is_where_it_was(tmp_path: Path, language: str, standard: str) -> None:
    assert compiles(unit(), language, standard, tmp_path) == ""
    assert "holds_0" in compiles(unit(wrong="0"), language, standard, tmp_path)


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
    declared = {name: names for header in HEADERS for name, names in members(header).items()}
    assert declared == {name: [member for member, _ in table(name)] for name in MEMBERS}


def test_structs_only_grow_at_their_end() -> None:
    """Since each release of this major."""
    major = re.compile(r"#define PP_ABI_MAJOR (\w+)")
    now = members(HEADERS[0])
    for old in RELEASED:
        if major.findall(old.read_text()) != major.findall(HEADERS[0].read_text()):
            continue
        for name, names in members(old).items():
            assert now[name][: len(names)] == names, old


def test_the_header_needs_nothing_but_two_standard_headers() -> None:
    includes = re.findall(r"#include (.*)", HEADERS[0].read_text())
    assert includes == ["<stddef.h>", "<stdint.h>"]
