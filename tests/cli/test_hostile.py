"""Bad command lines, and surroundings that are no help: a line each, no traceback."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from parallel_pool.cli import main
from test_envs.programs import ran

C, L = "CartPole-v1", "FrozenLake-v1"
QUICK = ("--seconds", "0.02", "--num-envs", "2")
LONG = "9" * 5000
GIF = ("watch", C, "-o", "x.gif")
REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    "a version without end": (("info", f"Pong-v{LONG}"), "unknown environment"),
    "a module that is not there": (
        ("bench", "gym:no_module:X-v0", *QUICK),
        "'no_module', which has the environment, cannot be imported",
    ),
    "a name of a kilobyte": (("new", "x" * 300, "--folder", "."), "File name too long"),
    "a folder of a kilobyte": (("dev", "x" * 3000, "--once"), "File name too long"),
    "an unhashable key": (("bench", C, "--option", "gravity={[]:1}", *QUICK), "gravity"),
    "a thousand signs": (("bench", C, "--option", f"gravity={'-' * 100_000}1", *QUICK), "gravity"),
    "what bench decides": (("bench", C, "--option", "num_envs=3", *QUICK), "--option num_envs"),
    "whose id": (("bench", C, "--option", "task_id=3", *QUICK), "--option task_id"),
    "what watch decides": ((*GIF, "--option", "env_type=dm"), "env_type cannot be chosen"),
    "an endless bench": (("bench", C, "--seconds", "inf"), "--seconds is inf"),
    "no limit": (("check", "classic", "--limit", "nan"), "--limit is nan"),
    "no steps": (("check", "classic", "--steps", "-1"), "--steps is -1"),
    "a wall": ((*GIF, "--width", "2147483648"), "--width is 2147483648"),
    "no rate": ((*GIF, "--fps", "inf"), "--fps is inf"),
    "a folder that takes no file": (("watch", C, "-o", "/proc/x.gif"), "/proc/x.gif cannot be"),
    "a policy that raises": (
        (*GIF, "--policy", "raises.py:act"),
        "raises.py, line 1: RuntimeError: boom",
    ),
    "a policy that exits": ((*GIF, "--policy", "exits.py:act"), "SystemExit: 7"),
    "a large batch": (("bench", C, "--batch-size", "500"), "only 100 environments"),
    "no such option": (("bench", C, "--option", "gravity=1"), "has no option 'gravity'"),
    "an option without value": (("bench", C, "--option", "gravity"), "expected NAME=VALUE"),
    "a bench of no time": (("bench", C, "--seconds", "0"), "more than 0"),
    "an id that is none": (("bench", "CartPoll-v1"), "CartPole-v1"),
    "no film": (("watch", L, "-o", "film.avi"), "ends with .mp4, .gif, .png"),
    "no folder": (("watch", L, "-o", "no/such/folder/film.gif"), "no folder no/such/folder"),
    "no policy": (("watch", L, "--policy", "clever"), "expected random, FILE.py:FUNCTION"),
    "no file": (("watch", L, "--policy", "no.py:act"), "there is no file no.py"),
    "no model": (("watch", L, "--policy", "no.zip"), "no model that Stable-Baselines3 saved"),
    "a lone checkpoint": (
        ("watch", L, "--checkpoint", "model.pt"),
        "--checkpoint is for a policy of the form FILE.py:FUNCTION",
    ),
    "lone statistics": (
        ("watch", L, "--vecnormalize", "s.pkl"),
        "--vecnormalize is for a model that Stable-Baselines3 saved",
    ),
    "nobody to watch": (("watch", L, "--num-envs", "0"), "--num-envs is 0"),
    "nothing to watch": (("watch", L, "--steps", "0"), "--steps is 0"),
    "a film that stands": (("watch", L, "--fps", "0"), "--fps is 0"),
    "a name of two lines": (
        ("watch", L, "-o", "two\nlines.avi"),
        "two\\nlines.avi: expected a name that ends with",
    ),
    "an option of another": (("watch", L, "--option", "gravity=1"), "has no option 'gravity'"),
    "what films decide": (("watch", L, "--option", "batch_size=1"), "batch_size cannot be chosen"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "raises.py").write_text("raise RuntimeError('boom')\n")
    (tmp_path / "exits.py").write_text("raise SystemExit(7)\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("case", REFUSED)
def test_one_line_and_status_1(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, part = REFUSED[case]
    assert main(arguments) == 1
    said = capsys.readouterr().err.strip().splitlines()
    assert said[-1].startswith("error: ")
    assert part in said[-1]


@pytest.mark.parametrize("number", ["0", "-1", "", "1,,2", "x", "99999999999999999999"])
@pytest.mark.parametrize("flag", ["--num-envs", "--batch-size", "--num-threads"])
def test_sizes_are_numbers_from_1_on(
    flag: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["bench", C, f"{flag}={number}"])
    assert caught.value.code == 2
    assert f"argument {flag}: {number!r} is no number from 1 on" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("shell", "arguments"),
    [
        ('"$@" >&-', ("list",)),
        ('"$@" >&- 2>&- <&-', ("info", C, "--json")),
        ('"$@" >/dev/full', ("info", C, "--json")),
        ('"$@" >/dev/full', ("--help",)),
        ('set -o pipefail; "$@" | true', ("list",)),
    ],
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_streams_that_are_closed_or_full(shell: str, arguments: tuple[str, ...]) -> None:
    bash = ("bash", "-c", shell, "bash")
    done = ran("-m", "parallel_pool.cli", *arguments, under=bash, seconds=120)
    assert done.returncode in (0, 1, 141)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    if "full" in shell and arguments != ("--help",):  # argparse itself does not mind
        assert done.stderr.splitlines()[-1] == "error: No space left on device"


def test_characters_that_the_terminal_does_not_have() -> None:
    command = ("-m", "parallel_pool.cli", "bench", C, *QUICK)
    done = ran(*command, seconds=120, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == 0, done.stderr
    assert "\\xb5s" in done.stdout


@pytest.mark.parametrize(
    ("run", "status", "said"),
    [
        (lambda _: signal.raise_signal(signal.SIGINT), 130, "interrupted\n"),
        (lambda _: bytes(2**62), 1, "error: there is not enough memory: for these numbers\n"),
    ],
    ids=["Ctrl-C", "memory"],
)
def test_ctrl_c_and_a_full_memory_are_one_line(
    run: Callable[[object], int],
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("parallel_pool.cli.list.run", run)
    assert main(["list"]) == status
    assert capsys.readouterr().err == said
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
