"""Figures of a machine are stored and compared by GPU and CPU; what cannot be measured is said."""

import argparse
from pathlib import Path
from typing import Any

import figures
import on_a_gpu
import other_machines
import pytest
from measuring.baselines import Absent

FACTS: dict[str, Any] = {
    **{"cpu": "Xeon 8481", "gpu": "H200", "usable_cpus": 16, "date": "2026-11-26"},
    **{"python": "3.12", "versions": {}},
}
CASE = {"case": "batches/Pong-v5:128/32", "who": "ParallelPool"}


def test_worse_figures_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_machines, "STORED", tmp_path / "machines")
    file = tmp_path / "figures.jsonl"
    for line in ({"environment": FACTS}, {**CASE, "rate": 1000.0}):
        figures.append(file, line)
    assert "nothing is stored" in other_machines.verdict(FACTS, [])
    for _ in range(2):  # in the same place
        assert other_machines.command(["store", str(file)])
    (stored,) = (tmp_path / "machines").iterdir()
    assert stored.read_text() == file.read_text()
    for rate, said in ((900.0, "nothing is worse"), (899.0, "Pong-v5:128/32, ParallelPool: 899")):
        rows = [{**CASE, "rate": rate}, {"case": "xla/Pong-v5:128", "left out": "no jax"}]
        assert said in other_machines.verdict({**FACTS, "cpu": "Intel Xeon 8481"}, rows)
    for other in ({"gpu": None}, {"usable_cpus": 8}, {"cpu": "EPYC"}):
        assert "nothing is stored" in other_machines.verdict({**FACTS, **other}, rows)


def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_device() -> None:
        raise Absent("torch finds no CUDA device")

    monkeypatch.setattr(on_a_gpu, "expect_cuda", no_device)
    args = argparse.Namespace(rounds=1, slice=0.01)
    rows = [
        {"case": case, **row}
        for case in ("copies/Pong-v5:64", "copies/Pong-v5:256", "training/Pong-v5:256")
        for row in on_a_gpu.measure(case, args)
    ]
    text = on_a_gpu.text([*rows, {**CASE, "rate": 275e3}])
    assert text["docs/gpu.md"].count("Left out") == 2
    assert "(copies): torch finds no CUDA device" in text["docs/gpu.md"]
    assert "128 in batches of 32        |        275 k |" in text["docs/many-cores.md"]


def test_every_stored_figure_is_of_a_case() -> None:
    for file in other_machines.STORED.glob("*.jsonl"):
        facts, rows = figures.read(file)
        assert facts["date"] and {row["case"] for row in rows} <= set(on_a_gpu.CASES)
