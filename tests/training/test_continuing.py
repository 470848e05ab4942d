"""The programs of docs/continuing.md: what is stopped and started again learns the same, bit for bit."""

from pathlib import Path

import pytest
from test_envs.code_blocks import DOCS, blocks
from test_envs.programs import ran

torch = pytest.importorskip("torch")
PAGE = DOCS / "continuing.md"


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def learnt(program: str, model: str) -> list[bytes]:
    names = {"__name__": "__main__"}
    exec(compile(program, PAGE.name, "exec"), names)
    names["envs"].close()
    return [each.numpy().tobytes() for each in eval(model, names).state_dict().values()]


def test_a_loop_of_ones_own() -> None:
    """It is killed twice: in an update, and while it saves."""
    program, _ = blocks(PAGE)
    killed = "os.kill(os.getpid(), 9)"
    for at, stop in (
        ("loss.backward()", f"update < 5 or {killed}"),
        ("os.replace(", f"updates < 9 or {killed}; "),
    ):
        stopped = program.replace(at, f"{at}; {stop}" if at.endswith(")") else f"{stop}{at}")
        assert stopped != program
        assert ran("-c", stopped, seconds=250).returncode == -9
    parts = learnt(program, "policy")
    Path("training.pt").unlink()
    assert learnt(program, "policy") == parts


def test_stable_baselines3() -> None:
    pytest.importorskip("stable_baselines3")
    _, program = blocks(PAGE)
    parts = learnt(program, "again.policy")
    whole = program.replace('load(Path("training.sb3"))', "model, envs")
    assert whole != program
    assert learnt(whole, "again.policy") == parts
