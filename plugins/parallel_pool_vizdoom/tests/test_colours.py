"""The engine's colours are made by src/engine/colours.hpp, with the bytes that the engine would make itself.

Every comparison with DoomGame shows that they are equal, because its engine is unchanged. The tests here show
that the replacement is in use, and that another engine is left alone, which shows the same flashes.
"""

import os
import platform
import stat
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from doom_originals import engines
from parallel_pool_vizdoom._package import package_folder

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="elsewhere the engine makes its colours itself"
)

LOOPS = 0x78C6F3
"""Address of the engine's loops: `colours::loops`."""
PADDING = 0x78C73D
"""Of three bytes in this function that do nothing."""
SEGMENT = 0x40F000 - 0x13000
"""An address of the engine's code, less its place in the file."""


def code_of(engine: int) -> bytes:
    with Path(f"/proc/{engine}/mem").open("rb") as memory:
        memory.seek(LOOPS)
        return memory.read(16)


def code_in(program: Path) -> bytes:
    with program.open("rb") as file:
        file.seek(LOOPS - SEGMENT)
        return file.read(16)


def pictures(**options: Any) -> np.ndarray:
    """What is seen while a player is hurt, which colours the screen red."""
    with parallel_pool.make("DefendTheCenter-v1", num_envs=1, stack_num=1, **options) as pool:
        seen = [pool.reset(seed=3)[0]]
        seen += [pool.step(np.zeros((1, 3)))[0] for _ in range(60)]
        return np.array(seen)


@pytest.mark.parametrize("task_id", ["Basic-v1", "MultiDuel-v1"])
def test_they_are_in_use(task_id: str) -> None:
    before = set(engines(os.getpid()))
    with parallel_pool.make(task_id, num_envs=1) as pool:
        pool.reset(seed=0)
        mine = set(engines(os.getpid())) - before
        assert mine
        for engine in mine:
            assert code_of(engine) != code_in(package_folder() / "vizdoom")
            maps = Path(f"/proc/{engine}/maps").read_text().splitlines()
            assert not [line for line in maps if "wx" in line.split()[1]]


def test_another_engine_is_left_alone(tmp_path: Path) -> None:
    program = package_folder() / "vizdoom"
    code = bytearray(program.read_bytes())
    assert code[PADDING - SEGMENT : PADDING - SEGMENT + 3] == b"\x0f\x1f\x00"
    code[PADDING - SEGMENT : PADDING - SEGMENT + 3] = b"\x90\x90\x90"
    # It finds its libraries and files beside the original.
    other = tmp_path / "package" / "vizdoom"
    other.parent.mkdir()
    other.write_bytes(code)
    other.chmod(other.stat().st_mode | stat.S_IXUSR)
    for each in package_folder().iterdir():
        if each.name != "vizdoom":
            (other.parent / each.name).symlink_to(each)
    (tmp_path / "vizdoom.libs").symlink_to(package_folder().parent / "vizdoom.libs")
    before = set(engines(os.getpid()))
    with parallel_pool.make("Basic-v1", num_envs=1, vzd_path=str(other)) as pool:
        pool.reset(seed=0)
        (engine,) = set(engines(os.getpid())) - before
        assert code_of(engine) == code_in(other)
    for form in ("rgb", "gray"):
        ours = pictures(screen_format=form)
        assert np.array_equal(ours, pictures(screen_format=form, vzd_path=str(other)))
