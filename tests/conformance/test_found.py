"""Each mistake is found by its check, which says what has to be changed; sound environments pass."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conformance.findings import assert_found, at_once, texts
from conformance.mistakes import BY_CHECK, LOOP, MISTAKES
from parallel_pool.testing import check_env, check_plugin
from parallel_pool_author.cli.sanitize import SANITIZED, preloaded
from parallel_pool_author.testing.checks import ENV_CHECKS, NEEDS
from test_envs.compiling import compile_plugin
from test_envs.programs import ran

HERE = Path(__file__).parent
AT_ONCE = 1.5
"""Seconds that a loop costs in the first check that plays: whatever had been done by then, that did not end."""
OTHERS = [mistake for mistake in MISTAKES if mistake != "late/LoopsInLoad"]
"""That one is found by test_a_loop_costs_one_limit."""

Known = Callable[[str], None]

pytestmark = pytest.mark.usefixtures("quick")


def limit(mistake: str) -> float:
    return AT_ONCE if LOOP in MISTAKES[mistake][1] else 120.0


def family(mistake: str) -> str:
    return mistake.partition("/")[0]


@pytest.mark.parametrize("mistake", OTHERS)
def test_a_mistake_is_caught_by_its_check(
    mistake: str, known: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(family(mistake))
    check, words = MISTAKES[mistake]
    at_once(monkeypatch, check)
    assert_found(f"{mistake}-v0", check, words, limit(mistake))


@pytest.mark.slow  # with all that the check takes for granted
@pytest.mark.parametrize("mistake", OTHERS)
def test_a_mistake_is_caught_by_its_check_alone(mistake: str, known: Known) -> None:
    """And what an environment carries over, into a reset with options or a state, by those checks too."""
    known(family(mistake))
    check, words = MISTAKES[mistake]
    if family(mistake) in ("late", "shared"):  # which other checks find, too
        return assert_found(f"{mistake}-v0", check, words, limit(mistake))
    report = check_env(f"{mistake}-v0", limit=20 if mistake == "deadly/Hangs" else 60)
    found = [each.check for each in report.failures]
    assert found[:1] == [check], texts(report)
    assert set(found[1:]) <= {"options", "state"}, texts(report)
    assert re.search(words, report.failures[0].text), texts(report)


def test_every_check_has_a_mistake_that_it_catches() -> None:
    assert set(BY_CHECK) | {"reference", "speed"} == set(ENV_CHECKS)


SOUND = "broken/Sound broken/SoundKernel subtle/Sound deadly/FillsOnce deadly/CutsItself"
SOUND += " shared/SoundKernel shared/Dice"


@pytest.mark.parametrize(
    "env_id", [*SOUND.split(), pytest.param("late/Sound", marks=pytest.mark.slow)]
)
def test_sound_environments_pass(env_id: str, known: Known) -> None:
    """Dice: a reset throws them as a step does, and nothing resets itself."""
    known(family(env_id))
    report = check_env(f"{env_id}-v0", steps=60)
    assert report.ok, texts(report)
    skipped = {each.check for each in report.results if each.outcome == "inapplicable"}
    kernels = {"reference", "state", "damaged_states", "render"}
    expected = {"broken/Sound": {"reference"}, "broken/SoundKernel": kernels}
    assert skipped == expected.get(env_id, skipped)


def test_threads_that_share_something(known: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found in the library's memory, and in results if the memory is not looked at."""
    known("subtle")
    report = check_plugin("subtle", env_ids=["subtle/Shares-v0"], only=["statics"])
    assert "static or global variables of subtle.so change in play" in texts(report)
    monkeypatch.setitem(NEEDS, "determinism", ())
    report = check_plugin("subtle", env_ids=["subtle/Shares-v0"], only=["independence"])
    assert "Environments share something" in texts(report)


def test_a_clock_of_whole_seconds(known: Known) -> None:
    """Which check comes upon it depends on when the second is over. All say what it is."""
    known("late")
    report = check_env("late/ClockOfSeconds-v0")
    assert report.failures and all("the clock" in x.text for x in report.failures), texts(report)


def test_a_loop_costs_one_limit(known: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    known("late")
    at_once(monkeypatch, "state")
    later = ["render", "reference", "speed"]
    only, limit = ["state", *later], AT_ONCE
    report = check_plugin("late", env_ids=["late/LoopsInLoad-v0"], only=only, limit=limit)
    (found,) = report.failures
    check, words = MISTAKES["late/LoopsInLoad"]
    assert found.check == check and re.search(words, found.text), texts(report)
    assert "`parallel-pool check` gives it 300 seconds" in found.text
    assert [x.check for x in report.results if "did not end, and comes first" in x.text] == later


BEYOND = {
    "Table": r"rows.*it said: .*runtime error: index 100 out of bounds",
    "Heap": r"rows.*it said: .*AddressSanitizer: heap-buffer-overflow .*beyond\.cpp:\d+",
    "ActionIndex": r"rows.*it said: .*runtime error: index 2 out of bounds",
    "Overflows": r"rows.*it said: .*runtime error: signed integer overflow",
}
CHECKED = """
import sys
import parallel_pool
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.testing import check_plugin

library, names = sys.argv[1], sys.argv[2:]
for name in names:
    parallel_pool.register(EnvSpec(f"beyond/{name}-v0"), library=library)
for name in names:
    report = check_plugin("beyond", env_ids=[f"beyond/{name}-v0"], only=["rows"], limit=240)
    print(name, *[f"{each.check}: {each.text}" for each in report.failures])
"""


@pytest.mark.slow  # tests/cli/test_sanitize.py has one of these mistakes
def test_what_leaves_no_trace_is_found_by_sanitizers(tmp_path: Path) -> None:
    """With the flags and the libraries of `parallel-pool check --sanitize`."""
    assert SANITIZED.flags is not None
    flags = SANITIZED.flags.split()
    library = compile_plugin(HERE / "beyond.cpp", tmp_path / "beyond.so", flags=flags)
    first = " ".join(map(str, preloaded(os.environ.get("CXX", "c++"))))
    command = ("-c", CHECKED, library, "Sound", *BEYOND)
    done = ran(*command, seconds=600, LD_PRELOAD=first, ASAN_OPTIONS="detect_leaks=0")
    said = dict(line.partition(" ")[::2] for line in done.stdout.splitlines())
    assert said.pop("Sound", None) == "", done.stdout + done.stderr
    for name, words in BEYOND.items():
        assert re.match(words, said[name]), said
