"""Every row of the fault matrix has a test that is found by its number."""

import re
from pathlib import Path

ROWS = 41
FOLDERS = (Path(__file__).parent, Path(__file__).parent.parent / "isolation")


def test_every_row_has_a_test() -> None:
    found = set()
    for path in (path for folder in FOLDERS for path in folder.glob("test_*.py")):
        found |= {
            int(row) for row in re.findall(r"^def test_row_(\d\d)_\w+\(", path.read_text(), re.M)
        }
    assert found == set(range(1, ROWS + 1))
