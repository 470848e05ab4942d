"""The kit as authors run it, by the command. The class: tests/template/test_new.py."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from parallel_pool.cli import main
from registry.sites import Site
from test_envs.programs import ran

check = partial(ran, "-m", "parallel_pool.cli", "check", seconds=240)


def test_a_machine_with_one_cpu() -> None:
    """Where the kit's threads are more than there are CPUs, and warnings are errors."""
    program = (
        "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n"
        "from parallel_pool.cli import main\n"
        "raise SystemExit(main(['check', 'classic', '--env', 'CartPole-v1', '--only', 'independence']))"
    )
    done = ran("-W", "error", "-c", program, seconds=240)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("classic", "--env", "CartPole-v1", "--steps", "60")
    done = check(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok      classic  declaration" in done.stdout
    assert "ok      classic/CartPole-v1  independence" in done.stdout
    assert "0 failed" in done.stdout
    assert (
        "begins  classic/CartPole-v1  rows\nbegins  classic/CartPole-v1  statics\n" in done.stderr
    )
    done = check(*words, "--only", "seeding", "--json")
    assert [each["outcome"] for each in json.loads(done.stdout)] == ["passed"]
    assert main(["check", "classic", "--only", "nothing"]) == 2
    assert "there is no check 'nothing'" in capsys.readouterr().err
    assert main(["check", "nobody"]) == 1
    assert "no plugin provides the family 'nobody'" in capsys.readouterr().err


def test_a_plugin_that_imports_what_is_heavy(tmp_path: Path) -> None:
    source = "import numpy"
    Site(tmp_path).install("heavy", source, envs="'heavy/Stone-v0', backend='python'")
    done = check("heavy", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED  heavy  lightness: listing heavy imports numpy" in done.stdout
