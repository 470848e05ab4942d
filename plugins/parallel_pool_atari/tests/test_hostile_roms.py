"""No ROM ends the process or runs forever, and none tells our machine from ALE's (hostile_roms.py)."""

from pathlib import Path

from atari_engine import find_driver
from test_envs.programs import python

SECONDS_FOR_EACH = 20
"""For a ROM on both engines on a busy machine; it takes a fraction of a second."""

ROMS = 240
OUTCOMES = ("equal", "the fast engine has no cartridge of the type", "ALE has no cartridge of")


def test_hostile_roms(tmp_path: Path) -> None:
    driver = find_driver()
    assert driver is not None
    limit = 60 + SECONDS_FOR_EACH * ROMS
    program = Path(__file__).with_name("hostile_roms.py")
    lines = python(program, driver, tmp_path, 0, ROMS, seconds=limit).splitlines()
    assert len(lines) == ROMS
    found = [line.split(" ", 2)[2] for line in lines]
    assert [each for each in found if not each.startswith(OUTCOMES)] == []
    assert found.count("equal") > 100
