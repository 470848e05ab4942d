"""`parallel-pool bench --sweep`: what is tried, the table, the advice, JSON and the chart."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from parallel_pool.benchmarking.baselines import Task
from parallel_pool.benchmarking.sweep import Setting, Sweep, settings_of, thread_counts
from parallel_pool.cli import main

pytest.importorskip("parallel_pool_classic")

SWEEP = ["bench", "CartPole-v1", "--sweep", "--seconds", "0.3", "--num-envs", "1,8"]


def test_what_is_tried() -> None:
    assert thread_counts(1) == [1]
    assert thread_counts(6) == [1, 2, 4, 6]
    assert thread_counts(8) == [1, 2, 4, 8]
    assert settings_of([1, 8], [1, 2], None) == {
        1: [Setting(1, 1)],
        8: [Setting(8, 1), Setting(8, 2), Setting(8, 1, 2), Setting(8, 2, 2)],
    }
    # Ever smaller batches, so that the columns of all rows are in one order; a whole pool's is lockstep.
    assert [each.label for each in settings_of([16], [4], [2, 8, 16])[16]] == [
        "4 thr",
        "4 thr 1/2",
        "4 thr 1/8",
    ]


def test_the_best_is_judged_by_the_last_runs() -> None:
    small, large, lucky = Setting(16, 2), Setting(256, 2), Setting(256, 1)
    sweep = Sweep(Task("CartPole-v1", 1), {small: 95.0, large: 100.0, lucky: 180.0})
    assert sweep.best == (lucky, 180.0)
    sweep.final_rates = {lucky: 60.0, large: 100.0}
    assert sweep.best == (large, 100.0)
    assert sweep.smallest == (small, 95.0)


def test_a_table_and_advice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SWEEP, "--num-threads", "1,2", "--against", "gymnasium"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == [
        *("envs", "1", "thr", "2", "thr", "1", "thr", "1/4", "2", "thr", "1/4"),
        *("Gymnasium", "vectorised", "Gymnasium", "sync", "Gymnasium", "async"),
    ]
    assert [len(line.split()) for line in lines[2:4]] == [5, 8]
    assert [line.split()[0] for line in lines[2:4]] == ["1", "8"]
    text = "\n".join(lines[4:])
    assert "fastest here: make('CartPole-v1', num_envs=" in text
    assert "8 environments: " in text
    assert " x as fast as Gymnasium async" in text


def test_json_and_a_chart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot = tmp_path / "sweep.svg"
    options = ["--num-threads", "1", "--batch-size", "4", "--option", "sutton_barto_reward=true"]
    assert main([*SWEEP, *options, "--json", "--plot", str(plot)]) == 0
    report = json.loads(capsys.readouterr().out)
    tried = [(each["num_envs"], each["batch_size"]) for each in report["settings"]]
    assert tried == [(1, None), (8, None), (8, 4)]
    assert len(report["finalists"]) == 3
    assert report["best"] in report["finalists"]
    assert report["options"] == {"sutton_barto_reward": True}
    svg = ElementTree.parse(plot).getroot()
    assert len(svg.findall("{http://www.w3.org/2000/svg}circle")) == 3


def test_large_pools_are_left_out_where_building_is_slow(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("parallel_pool.benchmarking.sweep.SLOW_BUILD", 0.0)
    assert main([*SWEEP, "--num-threads", "1"]) == 0
    assert "left out: 8 environments: 1 took 0 s to build" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--num-envs", "1,8"], "--num-envs has 2 numbers: several are for --sweep"),
        (["--plot", "x.svg"], "--plot draws what --sweep has measured"),
        (["--sweep", "--plot", "x.png"], "expected a name that ends with .svg"),
        (["Taxi-v4", "--sweep"], "--sweep is of one environment, not of CartPole-v1, Taxi-v4"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["bench", "CartPole-v1", *arguments, "--seconds", "0.1"]) == 1
    assert message in capsys.readouterr().err
