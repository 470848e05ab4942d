"""The extension headers: C99, and laid out as they were."""

import os
import struct
import subprocess
from pathlib import Path

import parallel_pool
import pytest

LAYOUT = """
#include "parallel_pool/ext/state.h"
#define AT(type, member, offset) \\
  typedef char check_##type##_##member[offsetof(type, member) == (offset) ? 1 : -1]
AT(pp_state, struct_size, 0);
AT(pp_state, n_local_option, 4);
AT(pp_state, local_option, 8);
AT(pp_state, size, 16);
AT(pp_state, save, 24);
AT(pp_state, load, 32);
typedef char check_size[sizeof(pp_state) >= 40 ? 1 : -1];
"""


@pytest.mark.skipif(struct.calcsize("P") != 8, reason="the table is for 64-bit machines")
@pytest.mark.parametrize(("language", "standard"), [("c", "c99"), ("c++", "c++17")])
def test_every_member_is_where_it_was(tmp_path: Path, language: str, standard: str) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text(LAYOUT)
    compiler = os.environ.get("CC", "cc") if language == "c" else os.environ.get("CXX", "c++")
    done = subprocess.run(
        [
            *(compiler, "-x", language, f"-std={standard}", "-fsyntax-only", "-pedantic-errors"),
            *("-Wall", "-Wextra", "-Werror", f"-I{parallel_pool.get_include()}", str(unit)),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
