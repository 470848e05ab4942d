"""The soak as tests: a short one with interruptions always, the long one by -m slow."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("parallel_pool_classic")

SOAK = Path(__file__).with_name("soak.py")


def soak(steps: int | None, *, interrupt: bool) -> str:
    """Its output. `interrupt`: the process is stopped and continued all the time."""
    command = [sys.executable, "-W", "error", str(SOAK), *([] if steps is None else [str(steps)])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    chance = random.Random(0)
    stops = 0
    while interrupt and process.poll() is None:
        time.sleep(chance.uniform(0.01, 0.1))
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(chance.uniform(0.01, 0.05))
        os.kill(process.pid, signal.SIGCONT)
        stops += 1
    output, _ = process.communicate()
    print(output, f"stopped {stops} times")
    # The slope of a short run is noise: only the long one's counts.
    assert process.returncode == 0 or (steps is not None and "trajectories" in output), output
    return output


def test_stopped_and_continued() -> None:
    """kill -STOP and -CONT, in every view and mode: the environments do what they do undisturbed."""
    trajectories = [
        re.findall("trajectories .*", soak(100_000, interrupt=each)) for each in (False, True)
    ]
    assert trajectories[0]
    assert trajectories[0] == trajectories[1]


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_ten_million_steps() -> None:
    """Resident memory has no slope; see soak.py."""
    soak(None, interrupt=True)
