"""The notebooks run from top to bottom: a policy balances a pole, and one drives a robot of its own."""

import json
import re
from pathlib import Path

import pytest
from notebook import played

FOLDER = Path(__file__).parents[2] / "examples/notebooks"
NOTEBOOKS = {each.stem: json.loads(each.read_text("utf-8")) for each in FOLDER.glob("*.ipynb")}
INSTALLS = {
    "first_policy": '"parallel-pool[classic,learning,watch]" pygame-ce',
    "your_robot": '"parallel-pool[tasks,learning,watch]"',
}
BOTH = r"(\d+) of \1 observations .* equal\n(?s:.*)new episodes: (\d+) of 300"
RUNS = [
    ("first_policy", r"new episodes: (\d+) of 500", 475),
    pytest.param("your_robot", BOTH, 220, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "says", "least"), RUNS)
def test_it_goes_from_nothing_to_a_film(
    name: str, says: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = list(played(NOTEBOOKS[name]))
    given = [output for cell in cells for output in cell.get("outputs", [])]
    said = "".join(line for output in given for line in output.get("text", []))
    assert (found := re.search(says, said)) and int(found.groups()[-1]) > least, said
    assert given[-1]["data"]["image/gif"] and next(tmp_path.glob("*.gif")).read_bytes().startswith(
        b"GIF"
    )
    kept, new = ([len(x.get("outputs", [])) for x in y] for y in (NOTEBOOKS[name]["cells"], cells))
    assert kept == new, f"python tools/notebook.py examples/notebooks/{name}.ipynb"


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_installs_what_it_imports_and_links_lead_somewhere(name: str) -> None:
    text = "\n".join("".join(cell["source"]) for cell in NOTEBOOKS[name]["cells"])
    assert f"\n%pip install -q {INSTALLS[name]}" in text
    for link in re.findall(r"\]\(([^)\s#]+)", text):
        assert (FOLDER / link).exists(), link
