"""Every row of the fault matrix, and every finding beyond it, has a test that is found by its number."""

import re
from pathlib import Path

ROWS, FINDINGS = 41, 17
ROOT = Path(__file__).parents[2]
FOLDERS = tuple(
    ROOT / "tests" / each for each in ("faults", "golden", "isolation", "pool", "views")
)
BEYOND = (*FOLDERS, ROOT / "tests" / "registry", ROOT / "core" / "tests" / "pool")


def test_every_row_has_a_test() -> None:
    found = set()
    for path in (path for folder in FOLDERS for path in folder.glob("test_*.py")):
        for rows in re.findall(r"^def test_row_((?:\d\d_)+)\w+\(", path.read_text(), re.M):
            found |= {int(row) for row in rows.split("_")[:-1]}
    assert found == set(range(1, ROWS + 1))


def test_every_finding_has_a_test() -> None:
    found = set()
    for path in (path for folder in BEYOND for path in folder.glob("*.*")):
        pattern = r"^(?:def test_|PP_CASE\()finding_((?:\d\d_)+)\w+"
        for findings in re.findall(pattern, path.read_text(), re.M):
            found |= {int(finding) for finding in findings.split("_")[:-1]}
    page = (ROOT / "docs" / "failures.md").read_text().partition("| finding |")[2]
    first_column = re.findall(r"^\| (\d+(?:, \d+)*) \|", page.partition("\n\n")[0], re.M)
    listed = {int(number) for cell in first_column for number in cell.split(", ")}
    assert found == listed == set(range(1, FINDINGS + 1))
