"""Cases in processes of their own: those that fail are left out, and the others have their turns."""

import sys
from pathlib import Path

import in_turn
import pytest

SCRIPT = """
import os, sys, time
sys.path.append({benchmarks!r})
from in_turn import serve

class Case:
    def __init__(self, kind):
        self.kind = kind
        print("no answer")
        if kind == "refuses":
            raise ValueError("no such thing")

    def slice(self, seconds):
        if self.kind == "dies":
            os._exit(3)
        if self.kind == "hangs":
            time.sleep(60)
        return {{"seconds": seconds}}

    def close(self):
        open({closed!r}, "w").close()

serve(lambda: Case(sys.argv[1]))
"""


def test_the_others_go_on_where_one_fails(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script, closed = tmp_path / "script.py", tmp_path / "closed"
    benchmarks = str(Path(in_turn.__file__).parent)
    script.write_text(SCRIPT.format(benchmarks=benchmarks, closed=str(closed)))
    kinds = ("refuses", "dies", "hangs", "works")
    commands = {kind: [sys.executable, str(script), kind] for kind in kinds}
    slices = in_turn.take_turns(commands, rounds=2, seconds=0.5, patience=3)
    assert slices == {"works": [{"seconds": 0.5}] * 2}
    assert closed.exists()
    said = capfd.readouterr().err
    assert "left out: refuses: ValueError: no such thing" in said
    assert "left out: dies: it ended with status 3" in said
    assert "left out: hangs: no answer for 3 s" in said
