"""The pure parts of every_id.py: which cases are measured, resuming, and what is made of the rows."""

import json
from pathlib import Path
from typing import Any

import every_id
import every_id_case
import every_id_report
import figures
import pytest

IDS = ["classic/A-v0", "classic/B-v0", "dmc/ball_in_cup-catch-v1"]


def row(task_id: str, ratio: float | None) -> dict[str, Any]:
    pool = {"start s": 0.5, "grown MB": -1.0, "steps/s": 1234.5}
    return {
        "id": task_id,
        "envs": 64,
        "mode": "sync",
        "load": 0.5,
        "pools": {"ParallelPool": pool},
        "absent": [],
        "to EnvPool": ratio,
        "to original": None,
    }


def test_families_take_turns_and_an_id_has_its_modes_together() -> None:
    found = every_id.cases(IDS, ["classic", "dmc"], None, quick=False)
    assert list(found) == ["classic/A-v0", "dmc/ball_in_cup-catch-v1", "classic/B-v0"]
    assert found["classic/A-v0"] == [(64, "sync"), (64, "async"), (1, "sync")]
    quick = every_id.cases(IDS, ["classic", "dmc"], None, quick=True)
    assert quick["dmc/ball_in_cup-catch-v1"] == [(16, "sync")]
    assert every_id.cases(IDS, ["mujoco"], None, quick=True) == {}
    numbers = every_id.cases(IDS[:1], ["classic"], [1, 8], quick=False)
    assert numbers == {"classic/A-v0": [(1, "sync"), (8, "sync"), (8, "async")]}


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    wanted = every_id.cases(IDS, ["classic"], None, quick=False)
    assert every_id.remaining(wanted, file) == wanted
    figures.append(file, {"environment": {}})
    for mode in ("sync", "async"):
        measured = {**row("classic/A-v0", None), "mode": mode}
        figures.append(file, {**measured, "failed": "no answer for 60 s"})
    with file.open("a") as open_file:
        open_file.write('{"id": "classic/B-v0", "en')
    left = every_id.remaining(wanted, file)
    assert left == {"classic/A-v0": [(1, "sync")], "classic/B-v0": wanted["classic/B-v0"]}
    assert every_id.remaining(wanted, file, ["ale-py"]) == wanted


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("dmc/ball_in_cup-catch-v1", "elsewhere/BallInCupCatch-v1"),
        ("vizdoom/Basic-v1", "elsewhere/Basic-v1"),
        ("classic/A-v0", "classic/A-v0"),
    ],
)
def test_names_elsewhere(ours: str, theirs: str) -> None:
    assert every_id_case.name_elsewhere(ours) == theirs


def test_a_page_of_rows(tmp_path: Path) -> None:
    names = ("parallel-pool", "envpool", "gymnasium")
    facts = {"cpu": "C", "usable_cpus": 2, "python": "3", "load_average": 9.0, "command": ""}
    facts["versions"] = dict.fromkeys(names, "1")
    failed = {**row("dmc/ball_in_cup-catch-v1", None), "failed": "it ended with status 3"}
    batches = {**row("classic/A-v0", 4.0), "mode": "async"}
    rows = [
        batches,
        row("classic/B-v0", 3.0),
        row("classic/A-v0", 2.0),
        {**row("classic/A-v0", None), "envs": 1, "to original": 7.0},
        row("classic/C-v0", None),
        failed,
    ]
    file = tmp_path / "rows.jsonl"
    lines = [rows[1] | {"load": 9}, {"environment": facts}, *rows]
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    rows = [rows[1], rows[0], *rows[2:]]  # the last of each case, where its first was
    assert every_id_report.read(file) == (facts, rows)
    page = every_id_report.text(facts, rows, IDS)
    line = next(line for line in page.splitlines() if line.startswith("| classic"))
    assert [each.strip() for each in line.split("|")[2:-1]] == [
        *("2 of 2", "2.0 / 2.5 / 3.0", "4.0 / 4.0 / 4.0", "-"),
        *("1 of 2", "-", "7.0 / 7.0 / 7.0"),
    ]
    assert "in batches |" in page
    assert "of bare loop" not in page
    assert page.index("| A-v0") < page.index("| B-v0") < page.index("| C-v0")
    assert "`dmc/ball_in_cup-catch-v1`, 64, sync: it ended with status 3" in page


def test_a_row_of_some_peers_adds_to_the_row_before(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    pools = {"ParallelPool": {"steps/s": 1.0}, "ale-py": {"steps/s": 0.5}}
    added = {**row("classic/A-v0", None), "pools": pools, "to ale-py": 2.0, "peers": ["ale-py"]}
    for each in (row("classic/A-v0", 3.0), added):
        figures.append(file, each)
    _, (found,) = every_id_report.read(file)
    assert (found["to EnvPool"], found["to ale-py"]) == (3.0, 2.0)
    assert found["pools"]["ParallelPool"]["steps/s"] == 1234.5
    assert found["pools"]["ale-py"] == {"steps/s": 0.5}


def test_figures_replace_what_a_page_has_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- figures: x -->\nold\n<!-- end of figures -->\nb\n")
    figures.put(page, "x", "new\n")
    assert page.read_text() == "a\n<!-- figures: x -->\n\nnew\n\n<!-- end of figures -->\nb\n"
    with pytest.raises(SystemExit, match="has no lines"):
        figures.put(page, "y", "new")
