"""ROM bytes and saved states are not trusted: no program makes the machine leave its memory."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src"


@pytest.mark.slow  # a minute: compiles the machine with sanitizers
@pytest.mark.timeout(1800)  # on a busy machine
def test_random_programs_under_the_sanitizers(tmp_path: Path) -> None:
    program = tmp_path / "fuzz"
    units = sorted((SOURCE / "vcs").rglob("*.cpp"))
    flags = ["-std=c++17", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    command = [os.environ.get("CXX", "c++"), *flags, f"-I{SOURCE}", HERE / "fuzz.cpp", *units]
    subprocess.run([*command, "-o", program], check=True)
    done = subprocess.run(
        [program, "0", "2000"], capture_output=True, text=True, timeout=900, check=False
    )
    assert done.stdout == "fine\n", done.stderr[-3000:]
