"""`parallel-pool bench` and `info` with the installed core and CartPole: tiny runs."""

import io
import json
from pathlib import Path

import gymnasium
import pytest
from parallel_pool import make_spec
from parallel_pool.cli import main
from parallel_pool.cli.progress import Progress

pytest.importorskip("parallel_pool_classic")

FAST = ("--num-envs", "8", "--num-threads", "1", "--seconds", "0.05")


def figures(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """The one report of a run with --json."""
    assert main(["bench", "CartPole-v1", *FAST, *arguments, "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert isinstance(report, dict)
    return report


def test_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "CartPole-v1", "classic/CartPole-v0", *FAST]) == 0
    output = capsys.readouterr()
    assert output.out.count("env steps/s") == 2
    assert "classic/CartPole-v0" in output.out
    assert "building 8 x CartPole-v1 ..." in output.err


def test_in_lockstep(capsys: pytest.CaptureFixture[str]) -> None:
    report = figures(capsys)
    assert report["id"] == "classic/CartPole-v1"
    assert report["asynchronous"] is False
    assert report["num_threads"] == 1
    assert report["env_steps"] == 8 * report["calls"]  # type: ignore[operator]
    assert report["episodes"] > 0  # type: ignore[operator]
    # Random actions balance the pole for about 22 steps.
    assert 15 < report["mean_return"] < 30  # type: ignore[operator]


def test_asynchronously(capsys: pytest.CaptureFixture[str]) -> None:
    report = figures(capsys, "--batch-size", "2")
    assert report["asynchronous"] is True
    assert report["env_steps"] == 2 * report["calls"]  # type: ignore[operator]
    assert 15 < report["mean_return"] < 30  # type: ignore[operator]


def test_options_reach_the_environment(capsys: pytest.CaptureFixture[str]) -> None:
    report = figures(capsys, "--option", "sutton_barto_reward=true")
    assert report["mean_return"] == -1.0


def test_against_gymnasium(capsys: pytest.CaptureFixture[str]) -> None:
    """Also with its own vectorised environment, where it has one."""
    report = figures(capsys, "--against", "gymnasium")
    names = [each["name"] for each in report["against"]]  # type: ignore[attr-defined]
    assert names == ["Gymnasium vectorised", "Gymnasium sync", "Gymnasium async"]


def test_against_what_gymnasium_did_not_vectorise(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "Acrobot-v1", *FAST, "--json", "--against", "gymnasium"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in report["against"]] == ["Gymnasium sync", "Gymnasium async"]
    assert report["absent"] == ["Gymnasium vectorised: Gymnasium has no vectorised Acrobot-v1"]


def test_against_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ours = Path(__file__).parents[2] / "benchmarks/baselines.py"
    report = figures(capsys, "--against", str(ours))
    names = [each["name"] for each in report["against"]]  # type: ignore[attr-defined]
    assert names[:2] == ["Gymnasium sync", "Gymnasium async"]
    assert "ale-py" not in names
    assert any("CartPole-v1 is not a game" in reason for reason in report["absent"])  # type: ignore[attr-defined]
    empty = tmp_path / "empty.py"
    empty.write_text("")
    assert main(["bench", "CartPole-v1", *FAST, "--against", str(empty)]) == 1
    assert "no dict BASELINES" in capsys.readouterr().err


def test_peers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "CartPole-v1", "--peers", "--seconds", "0.05"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "to Gymnasium sync" in lines[0]
    assert [line.split()[:3] for line in lines[1:4]] == [
        ["classic/CartPole-v1", "1", "1"],
        ["classic/CartPole-v1", "16", "16"],
        ["classic/CartPole-v1", "16", "4"],
    ]
    assert " x" in lines[2]
    assert all(line.startswith("left out: EnvPool") for line in lines[4:])


def test_refuses_a_process_for_each_of_many(capsys: pytest.CaptureFixture[str]) -> None:
    report = figures(capsys, "--num-envs", "129", "--against", "gymnasium")
    names = [each["name"] for each in report["against"]]  # type: ignore[attr-defined]
    assert names == ["Gymnasium vectorised", "Gymnasium sync"]
    assert "128 at most" in report["absent"][0]  # type: ignore[index]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["CartPole-v1", "--batch-size", "500"], "only 100 environments"),
        (["CartPole-v1", "--option", "gravity=1"], "has no option 'gravity'"),
        (["CartPole-v1", "--option", "gravity"], "expected NAME=VALUE"),
        (["CartPole-v1", "--against", "brax"], "expected gymnasium, envpool, or a Python file"),
        (["CartPole-v1", "--peers", "--num-envs", "4"], "without --num-envs"),
        (["CartPole-v1", "--peers", "--num-threads", "1,2"], "several are for --sweep"),
        (["CartPole-v1", "--seconds", "0"], "more than 0"),
        (["CartPoll-v1"], "CartPole-v1"),
    ],
)
def test_mistakes_are_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["bench", *arguments]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: ")
    assert message in last


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "mark"), [(Terminal(), "[####"), (io.StringIO(), "label  50%")])
def test_progress(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, mark: str) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    progress = Progress(10, "label", stream)
    progress.update(1, "too early")
    now = 3.0
    progress.update(5, "some text")
    progress.close()
    assert mark in stream.getvalue()
    assert "some text" in stream.getvalue()
    assert "too early" not in stream.getvalue()


def test_info_shows_options_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "CartPole-v1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].split() == ["option", "default", "allowed", "meaning"]
    assert lines[-1].split()[:4] == ["sutton_barto_reward", "False", "True,", "False"]
    assert main(["info", "CartPole-v1", "--json"]) == 0
    (option,) = json.loads(capsys.readouterr().out)["declared_options"]
    assert option["name"] == "sutton_barto_reward"
    assert option["default"] is False
    assert option["doc"]


def test_info_shows_ranges_with_all_digits(capsys: pytest.CaptureFixture[str]) -> None:
    """Rounded, LunarLander's least gravity would be one that is refused."""
    assert main(["info", "LunarLander-v3"]) == 0
    said = capsys.readouterr().out
    assert "float, -11.999999999999998 .. -1e-300 " in said
    assert main(["info", "FrozenLake-v1"]) == 0
    assert "int, 0 .. 4294967295 " in capsys.readouterr().out


def test_info_shows_what_info_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "FrozenLake-v1"]) == 0
    (line,) = (x for x in capsys.readouterr().out.splitlines() if x.startswith("info_space"))
    assert line.split(maxsplit=1)[1] == "Dict('prob': Box(0.0, 1.0, (), float64))"
    assert make_spec("CartPole-v1").info_space == gymnasium.spaces.Dict()
    assert make_spec("gym:CartPole-v1").info_space == gymnasium.spaces.Dict()
