"""ROM bytes and saved states are not trusted: no program makes the machine leave its memory."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src"


def fuzz(folder: Path, sanitizers: str, *arguments: str) -> None:
    program = folder / "fuzz"
    units = sorted((SOURCE / "vcs").rglob("*.cpp"))
    flags = ["-std=c++17", "-O1", "-g", f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all"]
    command = [os.environ.get("CXX", "c++"), *flags, f"-I{SOURCE}", HERE / "fuzz.cpp", *units]
    subprocess.run([*command, "-pthread", "-o", program], check=True)
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=1200, check=False
    )
    assert done.stdout == "fine\n", done.stderr[-3000:]


@pytest.mark.slow  # a minute: compiles the machine with sanitizers
@pytest.mark.timeout(1800)  # on a busy machine
def test_random_programs_under_the_sanitizers(tmp_path: Path) -> None:
    fuzz(tmp_path, "address,undefined", "0", "2000")


@pytest.mark.slow  # minutes
@pytest.mark.timeout(1800)
def test_threads_share_a_program_without_a_race(tmp_path: Path) -> None:
    fuzz(tmp_path, "thread", "0", "600", "3")
