"""ROM bytes and saved states are not trusted: no program makes the machine leave its memory."""

import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src"
CHUNK = 100
"""Programs of one process, which is given twenty minutes."""


def programs(usual: int) -> int:
    return int(os.environ.get("PP_ATARI_PROGRAMS", usual))


def fuzz(folder: Path, sanitizers: str, count: int, *arguments: str) -> None:
    program = folder / "fuzz"
    units = sorted((SOURCE / "vcs").rglob("*.cpp"))
    flags = ["-std=c++20", "-O1", "-g", f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all"]
    command = [os.environ.get("CXX", "c++"), *flags, f"-I{SOURCE}", HERE / "fuzz.cpp", *units]
    subprocess.run([*command, "-pthread", "-o", program], check=True)
    for first in range(0, count, CHUNK):
        seeds = (str(first), str(min(first + CHUNK, count)))
        done = subprocess.run(
            [program, *seeds, *arguments], capture_output=True, text=True, timeout=1200, check=False
        )
        assert done.stdout == "fine\n", (seeds, done.stdout[-300:], done.stderr[-3000:])


@pytest.mark.slow  # minutes: compiles the machine with sanitizers
@pytest.mark.timeout(1800 + programs(2000))  # on a busy machine
def test_random_programs_under_the_sanitizers(tmp_path: Path) -> None:
    fuzz(tmp_path, "address,undefined", programs(2000))


@pytest.mark.slow  # minutes
@pytest.mark.timeout(1800 + 3 * programs(600))
def test_threads_share_a_program_without_a_race(tmp_path: Path) -> None:
    fuzz(tmp_path, "thread", programs(600), "3")
