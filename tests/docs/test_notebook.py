"""The notebooks run from top to bottom: a policy balances a pole, and one drives a robot of its own."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from notebook import played

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/notebooks"
NOTEBOOKS = {each.stem: json.loads(each.read_text("utf-8")) for each in FOLDER.glob("*.ipynb")}


@pytest.mark.parametrize(
    ("name", "says", "least", "film"),
    [
        ("first_policy", r"in 512 new episodes: (\d+) of 500", 475, "cartpole.gif"),
        (
            "your_robot",
            r"(\d+) of \1 observations .* equal\n(?s:.*)new episodes: (\d+) of 300",
            220,
            "roller.gif",
        ),
    ],
)
def test_it_goes_from_nothing_to_a_film(
    name: str, says: str, least: int, film: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = NOTEBOOKS[name]
    cells = list(played(notebook))
    given = [output for cell in cells for output in cell.get("outputs", [])]
    said = "".join(line for output in given for line in output.get("text", []))
    found = re.search(says, said)
    assert found is not None, said
    assert int(found.groups()[-1]) > least
    assert given[-1]["data"]["image/gif"]
    assert (tmp_path / film).read_bytes().startswith(b"GIF")
    assert outputs(notebook["cells"]) == outputs(cells), (
        f"outputs are missing: python tools/notebook.py examples/notebooks/{name}.ipynb"
    )


def outputs(cells: list[Any]) -> list[int]:
    return [len(cell.get("outputs", [])) for cell in cells]


@pytest.mark.parametrize(
    ("name", "packages"),
    [
        ("first_policy", '"parallel-pool[classic,learning,watch]" pygame-ce'),
        ("your_robot", '"parallel-pool[tasks,learning,watch]"'),
    ],
)
def test_what_it_installs_is_what_it_imports(name: str, packages: str) -> None:
    cells = NOTEBOOKS[name]["cells"]
    install = next("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert install.startswith(f"%pip install -q {packages}")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_links_of_the_notebook_lead_somewhere(name: str) -> None:
    for cell in NOTEBOOKS[name]["cells"]:
        for link in re.findall(r"\]\(([^)\s#]+)", "".join(cell["source"])):
            assert (FOLDER / link).exists(), link
