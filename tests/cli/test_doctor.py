"""`parallel-pool doctor`: what it says of the machine, and what of packages that are missing or old."""

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest
from parallel_pool.cli import doctor_step, doctor_system, main
from parallel_pool.plugin_api import Check
from parallel_pool.registry import registry

CORE = tomllib.loads((Path(__file__).parents[2] / "core/pyproject.toml").read_text())["project"]


def by_name(checks: Iterable[Check]) -> Mapping[str, Check]:
    return {each.name: each for each in checks}


def pretend(monkeypatch: pytest.MonkeyPatch, **installed: str) -> None:
    """Only these packages are installed."""

    def version(name: str) -> str:
        if name.replace("-", "_") not in installed:
            raise PackageNotFoundError(name)
        return installed[name.replace("-", "_")]

    monkeypatch.setattr(doctor_system, "version", version)


def test_versions_are_those_that_the_package_asks_for() -> None:
    asked = dict(each.split(">=") for each in CORE["dependencies"])
    assert asked == doctor_system.OLDEST


def test_packages_that_are_missing_or_old(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, numpy="1.26.4", gymnasium="1.10.0")
    found = by_name(doctor_system.packages())
    assert not found["numpy"].ok
    assert found["numpy"].hint == "pip install --upgrade 'numpy>=2.0'"
    assert found["gymnasium"].ok
    assert not found["dm-env"].ok
    assert found["dm-env"].hint == "pip install dm-env"
    watching = doctor_system.watching()
    assert watching.ok
    assert watching.detail == "not installed"
    assert "pip install -U 'parallel-pool[watch]'" in watching.advice
    pretend(monkeypatch, gymnasium="1.2")
    assert by_name(doctor_system.packages())["numpy"].hint == "pip install numpy"


def test_pygame_and_pygame_ce(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, pygame_ce="2.5.8")
    monkeypatch.setattr(doctor_system, "find_spec", lambda name: SimpleNamespace(origin="there"))
    assert not list(doctor_system.pygame())
    # A folder without an __init__.py, as it is where the other one has been uninstalled.
    monkeypatch.setattr(doctor_system, "find_spec", lambda name: SimpleNamespace(origin=None))
    (robbed,) = doctor_system.pygame()
    assert not robbed.ok
    assert "pygame-ce 2.5.8 is without its files" in robbed.detail
    assert robbed.hint == "pip install --force-reinstall pygame-ce"
    pretend(monkeypatch, pygame="2.6.1", pygame_ce="2.5.8")
    (both,) = doctor_system.pygame()
    assert both.ok
    assert "pygame 2.6.1 and pygame-ce 2.5.8" in both.detail
    assert both.advice == "pip uninstall -y pygame pygame-ce, then pip install pygame-ce"
    pretend(monkeypatch)
    assert not list(doctor_system.pygame())


def test_cpus_and_why_there_are_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOCAL_WORLD_SIZE", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert doctor_system.cpus(8).detail == "8 in this machine; num_threads is 8 by default"
    assert doctor_system.cpus(8).advice == ""
    assert "3 by the cgroup quota" in doctor_system.cpus(3).detail
    assert "--cpus" in doctor_system.cpus(3).advice
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {2, 3}, raising=False)
    assert "2 by the affinity mask" in doctor_system.cpus(2).detail
    assert "taskset" in doctor_system.cpus(2).advice
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    assert doctor_system.cpus(2).detail.endswith("=2 processes; num_threads is 1 by default")


def test_threads_of_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch)
    assert list(doctor_system.torch()) == []
    pretend(monkeypatch, torch="2.9.0")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    (check,) = doctor_system.torch()
    assert check.ok
    assert check.detail == "2.9.0; it starts a thread for each core"
    assert "OMP_NUM_THREADS=1" in check.advice
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    assert next(doctor_system.torch()).advice == ""
    monkeypatch.setenv("OMP_NUM_THREADS", "64")
    assert next(doctor_system.torch()).advice
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    (check,) = doctor_system.torch()
    assert check.detail == "2.9.0; OMP_NUM_THREADS is 1"
    assert check.advice == ""


@pytest.mark.usefixtures("registry_read_anew")
def test_advice_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("parallel_pool_classic")
    advised = Check("watching", True, "no pillow", advice="pip install it")
    monkeypatch.setattr(doctor_system, "watching", lambda: advised)
    monkeypatch.setenv("PARALLEL_POOL_DISABLE_PLUGINS", "atari,dmc,mujoco,vizdoom")
    assert main(["doctor"]) == 0
    output = capsys.readouterr().out
    assert "note  watching" in output
    assert output.endswith("\nOptional:\n  watching: pip install it\n")
    assert re.search("plugin classic: library +ABI ", output)
    assert re.search(r"plugin classic +\S+ \S+: \d+ environments in \d+ ms", output)


@pytest.mark.parametrize(
    ("kind", "remedy"), [("OptionError", ""), ("PluginError", "pip install --force-reinstall")]
)
def test_an_option_that_a_step_refuses_is_not_mended_by_a_wheel(
    kind: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("parallel_pool_classic")
    raises = f"from parallel_pool import {kind}; raise {kind}('the variable X is wrong: unset it')"
    monkeypatch.setattr(doctor_step, "_STEP", raises)
    check = doctor_step.step(registry().plugin("classic"))
    assert check is not None
    assert not check.ok
    assert check.detail.endswith("unset it")
    assert check.hint.startswith(remedy) if remedy else check.hint == ""


def test_a_library_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("parallel_pool_classic")
    monkeypatch.setattr(doctor_step, "_LOAD", "import time; time.sleep(60)")
    monkeypatch.setattr(doctor_step, "_SECONDS", 0.2)
    check = doctor_step.library(registry().plugin("classic"))
    assert not check.ok
    assert check.detail.endswith("classic.so took over 0.2 s")


@pytest.mark.usefixtures("registry_read_anew")
def test_ids_whose_files_are_not_here_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("parallel_pool_vizdoom")
    monkeypatch.setenv("PARALLEL_POOL_DISABLE_PLUGINS", "atari,box2d,classic,dmc,minigrid,mujoco")
    assert main(["doctor"]) == 0
    output = capsys.readouterr().out
    assert re.search(r"plugin vizdoom: files +without them 160 ids .* doom2\.wad", output)
