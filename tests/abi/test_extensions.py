"""The extension headers: C99, and laid out as they were."""

import os
import struct
import subprocess
from pathlib import Path

import parallel_pool
import pytest

LAYOUT = """
#include "parallel_pool/ext/arrays.h"
#include "parallel_pool/ext/render.h"
#include "parallel_pool/ext/reset_options.h"
#include "parallel_pool/ext/state.h"
#define AT(type, member, offset) \\
  typedef char check_##type##_##member[offsetof(type, member) == (offset) ? 1 : -1]
AT(pp_state, struct_size, 0);
AT(pp_state, n_local_option, 4);
AT(pp_state, local_option, 8);
AT(pp_state, size, 16);
AT(pp_state, save, 24);
AT(pp_state, load, 32);
typedef char check_state[sizeof(pp_state) >= 40 ? 1 : -1];
AT(pp_array, struct_size, 0);
AT(pp_array, flags, 4);
AT(pp_array, dtype, 8);
AT(pp_array, ndim, 12);
AT(pp_array, shape, 16);
AT(pp_array, name, 80);
typedef char check_array[sizeof(pp_array) >= 88 ? 1 : -1];
AT(pp_arrays, struct_size, 0);
AT(pp_arrays, count, 8);
AT(pp_arrays, describe, 16);
AT(pp_arrays, read, 24);
AT(pp_arrays, write, 32);
typedef char check_arrays[sizeof(pp_arrays) >= 40 ? 1 : -1];
AT(pp_render, struct_size, 0);
AT(pp_render, size, 8);
AT(pp_render, draw, 16);
typedef char check_render[sizeof(pp_render) >= 24 ? 1 : -1];
AT(pp_reset_options, struct_size, 0);
AT(pp_reset_options, n_option, 4);
AT(pp_reset_options, option, 8);
AT(pp_reset_options, check, 16);
AT(pp_reset_options, set, 24);
typedef char check_reset_options[sizeof(pp_reset_options) >= 32 ? 1 : -1];
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
