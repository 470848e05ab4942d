"""`parallel-pool bench` and `info` with the installed core and CartPole: tiny runs."""

import io
import json
from typing import Any

import gymnasium
import pytest
from parallel_pool import make_spec
from parallel_pool.cli import main
from parallel_pool.progress import Progress

pytest.importorskip("parallel_pool_classic")

FAST = ("--num-envs", "8", "--num-threads", "1", "--seconds", "0.05")


def figures(capsys: pytest.CaptureFixture[str], *arguments: str, env: str = "CartPole-v1") -> Any:
    """The one report of a run with --json."""
    assert main(["bench", env, *FAST, *arguments, "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    return report


def test_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "CartPole-v1", "classic/CartPole-v0", *FAST]) == 0
    output = capsys.readouterr()
    assert output.out.count("env steps/s") == 2
    assert "classic/CartPole-v0" in output.out
    assert "building 8 x CartPole-v1 ..." in output.err


@pytest.mark.parametrize(("rows", "words"), [(8, ()), (2, ("--batch-size", "2"))])
def test_what_is_measured(
    rows: int, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    report = figures(capsys, *words)
    assert report["id"] == "classic/CartPole-v1"
    assert report["asynchronous"] is (rows == 2)
    assert report["num_threads"] == 1
    assert report["env_steps"] == rows * report["calls"]
    assert report["episodes"] > 0
    # Random actions balance the pole for about 22 steps.
    assert 15 < report["mean_return"] < 30


def test_options_reach_the_environment(capsys: pytest.CaptureFixture[str]) -> None:
    report = figures(capsys, "--option", "sutton_barto_reward=true")
    assert report["mean_return"] == -1.0


def test_returns_of_each_player(capsys: pytest.CaptureFixture[str]) -> None:
    report = figures(capsys, "--option", "points=1", env="TwoPlayerPong-v0")
    one, other = report["mean_return_of_players"]
    assert one == pytest.approx(-other)
    assert report["mean_return"] == pytest.approx(0)
    assert main(["bench", "TwoPlayerPong-v0", *FAST, "--option", "points=1"]) == 0
    assert ", mean return of each player " in capsys.readouterr().out


def test_several_numbers_are_measured_one_after_the_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    numbers = ("--num-envs", "4,8", "--batch-size", "2,4", "--num-threads", "1")
    assert main(["bench", "CartPole-v1", *numbers, "--seconds", "0.05", "--json"]) == 0
    reports = json.loads(capsys.readouterr().out)
    measured = [(each["num_envs"], each["batch_size"], each["asynchronous"]) for each in reports]
    assert measured == [(4, 2, True), (4, 4, False), (8, 2, True), (8, 4, True)]


@pytest.mark.parametrize(("terminal", "mark"), [(True, "[####"), (False, "label  50%")])
def test_progress(monkeypatch: pytest.MonkeyPatch, terminal: bool, mark: str) -> None:
    now, stream = 0.0, io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: terminal)
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
    words = [line.split() for line in capsys.readouterr().out.splitlines()]
    header = words.index(["option", "default", "allowed", "meaning"])
    assert words[header + 1][:4] == ["sutton_barto_reward", "False", "True,", "False"]
    of_resets = words.index(["reset", "option", "default", "allowed", "meaning"])
    assert [line[0] for line in words[of_resets + 1 :]] == ["low", "high"]
    assert main(["info", "CartPole-v1", "--json"]) == 0
    (option,) = json.loads(capsys.readouterr().out)["declared_options"]
    assert option["name"] == "sutton_barto_reward"
    assert option["default"] is False
    assert option["doc"]


@pytest.mark.parametrize(
    ("env_id", "words"),
    [
        # Rounded, its least gravity would be one that is refused.
        ("LunarLander-v3", "float, -11.999999999999998 .. -1e-300 "),
        ("FrozenLake-v1", "int, 0 .. 4294967295 "),
        ("FrozenLake-v1", "\ninfo_space         Dict('prob': Box(0.0, 1.0, (), float64))\n"),
        ("TwoPlayerPong-v0", "\nplayers            2\n"),
    ],
)
def test_info_shows(env_id: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", env_id]) == 0
    assert words in capsys.readouterr().out


@pytest.mark.parametrize("env_id", ["CartPole-v1", "gym:CartPole-v1"])
def test_infos_without_members(env_id: str) -> None:
    assert make_spec(env_id).info_space == gymnasium.spaces.Dict()
