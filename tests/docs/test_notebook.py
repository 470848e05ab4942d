"""The notebook runs from top to bottom, and its policy balances."""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from notebook import played

ROOT = Path(__file__).parents[2]
FILE = ROOT / "examples/notebooks/first_policy.ipynb"
NOTEBOOK = json.loads(FILE.read_text("utf-8"))


def test_it_goes_from_nothing_to_a_film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = list(played(NOTEBOOK))
    given = [output for cell in cells for output in cell.get("outputs", [])]
    said = "".join(line for output in given for line in output.get("text", []))
    found = re.search(r"in 512 new episodes: (\d+) of 500", said)
    assert found is not None
    assert int(found[1]) > 475
    assert given[-1]["data"]["image/gif"]
    assert (tmp_path / "cartpole.gif").read_bytes().startswith(b"GIF")
    kept = [len(cell.get("outputs", [])) for cell in NOTEBOOK["cells"]]
    assert kept == [len(cell.get("outputs", [])) for cell in cells], (
        f"outputs are missing: python tools/notebook.py {FILE.relative_to(ROOT)}"
    )


def test_what_it_installs_is_what_it_imports() -> None:
    install = next(
        "".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"
    )
    assert install.startswith('%pip install -q "parallel-pool[classic,learning,watch]" pygame-ce')


def test_links_of_the_notebook_lead_somewhere() -> None:
    for cell in NOTEBOOK["cells"]:
        for link in re.findall(r"\]\(([^)\s#]+)", "".join(cell["source"])):
            assert (FILE.parent / link).exists(), link
