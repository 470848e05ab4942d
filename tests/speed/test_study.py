"""The runner of the benchmarks: which cases are measured, going on, and the page."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import figures
import pytest
import study

MEASURED: list[str] = []
CASES = study.sized(("A-v0", "B-v0"), (1, 8))


def measure(case: str, args: argparse.Namespace) -> Iterator[figures.Row]:
    MEASURED.append(case)
    task_id, num_envs = study.id_and_size(case)
    yield {"id": task_id, "envs": num_envs, "rounds": args.rounds}


def text(rows: Sequence[figures.Row]) -> str:
    return figures.table({"id": str, "envs": figures.whole, "rounds": figures.whole}, rows)


def test_a_study_goes_on_and_fills_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["sharing.py"])
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    MEASURED.clear()
    page, file = tmp_path / "page.md", tmp_path / "rows.jsonl"
    page.write_text(
        "<!-- figures: python benchmarks/sharing.py --page here -->\n<!-- end of figures -->\n"
    )
    measured = study.Study(CASES, measure, text, "page.md", "here")
    study.run(measured, "Says.", ["--cases", "B*", "--json", str(file)])
    assert MEASURED == ["B-v0:1", "B-v0:8"]
    assert "| B-v0 |    8 |      7 |" in capsys.readouterr().out
    study.run(measured, "Says.", ["--cases", "*:8", "--json", str(file), "--page"])
    assert MEASURED == ["B-v0:1", "B-v0:8", "A-v0:8"]
    written = page.read_text()
    assert written.index("| A-v0") < written.index("| B-v0")
    assert "`python benchmarks/sharing.py`" in written
    study.run(measured, "Says.", ["--json", str(file), "--cases", "A-v0:8"])
    assert len(MEASURED) == 3


def test_no_page_names_a_machine() -> None:
    assert figures.without_folders("python x.py --json /home/one/a.json b") == (
        "python x.py --json a.json b"
    )
