"""The pure parts of every_id.py: which cases are measured, resuming, and what is made of the rows."""

import json
from pathlib import Path
from typing import Any

import every_id
import every_id_case
import every_id_report
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
        "to Gymnasium": None,
    }


def test_families_take_turns_and_an_id_has_its_modes_together() -> None:
    found = every_id.cases(IDS, ["classic", "dmc"], quick=False)
    assert list(found) == ["classic/A-v0", "dmc/ball_in_cup-catch-v1", "classic/B-v0"]
    assert found["classic/A-v0"] == [(64, "sync"), (64, "async"), (1, "sync")]
    quick = every_id.cases(IDS, ["classic", "dmc"], quick=True)
    assert quick["dmc/ball_in_cup-catch-v1"] == [(16, "sync")]
    assert every_id.cases(IDS, ["mujoco"], quick=True) == {}


def test_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    wanted = every_id.cases(IDS, ["classic"], quick=False)
    assert every_id.remaining(wanted, file) == wanted
    every_id.append(file, {"environment": {}})
    for mode in ("sync", "async"):
        measured = {**row("classic/A-v0", None), "mode": mode}
        every_id.append(file, {**measured, "failed": "no answer for 60 s"})
    with file.open("a") as open_file:
        open_file.write('{"id": "classic/B-v0", "en')
    left = every_id.remaining(wanted, file)
    assert left == {"classic/A-v0": [(1, "sync")], "classic/B-v0": wanted["classic/B-v0"]}


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
    facts = {"cpu": "C", "usable_cpus": 2, "python": "3", "versions": dict.fromkeys(names, "1")}
    failed = {**row("dmc/ball_in_cup-catch-v1", None), "failed": "it ended with status 3"}
    batches = {**row("classic/A-v0", 4.0), "mode": "async"}
    rows = [
        batches,
        row("classic/B-v0", 3.0),
        row("classic/A-v0", 2.0),
        row("classic/C-v0", None),
        failed,
    ]
    file = tmp_path / "rows.jsonl"
    lines = [rows[1] | {"load": 9}, {"environment": facts}, *rows]
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    rows = [rows[1], rows[0], *rows[2:]]  # the last of each case, where its first was
    assert every_id_report.read(file) == (facts, rows)
    page = every_id_report.text(facts, rows, IDS)
    assert "| classic | 2 of 2 | 2.0 / 2.5 / 3.0 | 4.0 / 4.0 / 4.0 | -" in page
    assert "in batches |" in page
    assert "of bare loop" not in page
    assert page.index("| A-v0") < page.index("| B-v0") < page.index("| C-v0")
    assert "`dmc/ball_in_cup-catch-v1`, 64, sync: it ended with status 3" in page
