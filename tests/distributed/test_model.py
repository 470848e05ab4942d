"""What benchmarks/distributed_model.py expects follows from what it is given. Needs no Ray."""

from __future__ import annotations

import sys
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest

# At the end: the benchmarks have names like memory.py.
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from distributed_model import NETWORK, ROUND_TRIP, Line, Model, broken_at, draw, of_figures

# A fragment takes its actor 100 ms and 1 ns for each byte, the driver 1 ms and 0.5 ns.
MODEL = Model(2048, 0.1, 1e6, Line(0.0, 1e-9), Line(1e-3, 0.5e-9), round_trip=2e-3)


def test_a_line_is_found_again() -> None:
    line = Line.through([(size, 1e-3 + 1e-9 * size) for size in (0, 1e6, 8e6)])
    assert line.fixed == pytest.approx(1e-3)
    assert line.per_byte == pytest.approx(1e-9)
    assert Line.through([(0, 2e-3), (1e6, 1e-3)]).per_byte == 0


def test_actors_add_up_until_the_driver_is_full() -> None:
    one = 2048 / 0.101
    assert MODEL.rate(1) == pytest.approx(one)
    assert MODEL.rate(10) == pytest.approx(10 * one)
    assert MODEL.rate(1e4) == MODEL.rate(1e5) == pytest.approx(2048 / 1.5e-3)
    assert MODEL.most == pytest.approx(0.101 / 1.5e-3)
    assert MODEL.rate(MODEL.most) == pytest.approx(MODEL.rate(1e4))
    assert MODEL.wall == "driver"


def test_a_network_is_full_where_answers_are_large() -> None:
    large = replace(MODEL, size=50e6).on_a_cluster()
    assert large.wall == "network"
    assert large.rate(1e4) == pytest.approx(2048 * NETWORK / 50e6)
    assert large.round_trip == 2e-3 + ROUND_TRIP


def test_what_is_short_waits_for_the_way_there_and_back() -> None:
    short = replace(MODEL, steps=16, stepping=1e-4, size=0.0, round_trip=0.9e-3)
    around = 1e-4 + 0.9e-3 + 1e-3
    assert short.calls_of_an_actor == pytest.approx(2 / around)
    assert replace(short, in_flight=1).calls_of_an_actor == pytest.approx(1 / around)
    assert replace(short, in_flight=100).calls_of_an_actor == pytest.approx(1e4)


def test_actors_and_driver_share_the_cpus_of_one_machine() -> None:
    shared = replace(MODEL, cpus=2)
    assert shared.rate(1) == pytest.approx(2048 / 0.101)
    assert shared.rate(4) == pytest.approx(2 * 2048 / (0.101 + 1.5e-3))
    assert shared.on_a_cluster().cpus == inf


def test_a_model_of_figures() -> None:
    ours = {"env": "X", "pool": "RolloutPool"}
    rows: list[dict[str, Any]] = [
        {"kind": "rate", "env": "X", "pool": "plain", "steps/s": 20_480.0},
        {"kind": "rate", **ours, "actors": 1, "driver": 1.5e-3 / 2048},
        {"kind": "rate", **ours, "actors": 2, "driver": 7.0},
        {"kind": "size", **ours, "steps": 2048, "back": 1e6},
        *(
            {
                "kind": "cost",
                "bytes": each,
                "giving": 1e-9 * each + 1e-12,
                "taking": 1e-3 + 0.5e-9 * each,
                "round trip": 3e-3,
            }
            for each in (0, 1_000_000, 8_000_000)
        ),
    ]
    found = of_figures(rows, "X", "RolloutPool", "plain", cpus=inf)
    assert found.rate(10) == pytest.approx(MODEL.rate(10), rel=1e-3)
    assert found.most == pytest.approx(MODEL.most, rel=1e-3)
    assert found.round_trip == pytest.approx(2e-3, rel=1e-3)
    rows[1]["driver"] = 2e-3 / 2048  # half a millisecond more than the bytes
    assert of_figures(rows, "X", "RolloutPool", "plain", inf).taken == pytest.approx(2e-3, rel=1e-3)
    (row,) = broken_at({"X, RolloutPool": found})
    assert row["full is"] == "driver"


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw({"X, RolloutPool": MODEL, "X, RayPool": MODEL}, tmp_path / "it.png")
    assert (tmp_path / "it.png").read_bytes().startswith(b"\x89PNG")
