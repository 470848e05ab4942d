"""Each check catches what it is there for, says what to change, and leaves sound environments alone."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from conformance.findings import assert_found, at_once, hurry, register_all, texts
from conformance.test_deadly import MISTAKES as DEADLY
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.testing import PluginConformance, check_env, check_plugin
from parallel_pool.testing.checks import ENV_CHECKS, NEEDS, PLUGIN_CHECKS

HERE = Path(__file__).parent

BROKEN = {
    "NanBound": ("spaces", "NaN as a bound"),
    "Unwritten": ("rows", "leaves the info 'noise' of a row unwritten"),
    "PastReset": ("rows", "reset of lanes 0 .. 63 of 64 writes obs outside of their rows"),
    "PastStep": ("rows", "writes reward outside of their rows"),
    "WritesActions": ("rows", "writes into the actions"),
    "Throws": ("rows", "step fails with valid actions: not today"),
    "OutOfBounds": ("values", "outside of its bounds -0.5 .. 0.5"),
    "InfiniteReward": ("values", "reward"),
    "GivesUp": ("values", "gives up its episode at step"),
    "Entropy": ("determinism", "Take random numbers from the pp::Rng"),
    "Seedless": ("seeding", "tags=('deterministic',)"),
    "Forgets": ("fresh_start", "reset() has to set every member"),
    "DrawsForAll": ("autoreset", "autoreset SameStep"),
    "CountsLanes": ("independence", "Environments share something"),
    "TooLarge": ("options", "option 'size' = 64 lies within its declared range"),
    "OneOptions": ("per_env_options", "Keep options per lane"),
    "Leaks": ("lifetime", "bytes behind"),
    "ForgetsToSave": ("state", "name every member"),
    "MovesWhenDrawn": ("render", "drawing changes what follows"),
}
SUBTLE = {
    "LeavesAnElement": ("leftovers", "Write every element of the observation"),
    "DrawsWhatChanged": ("leftovers", "what an earlier batch left in its memory: obs/picture"),
    "ReadsBack": ("leftovers", "keep what you want to read again in members"),
    "Diverges": ("values", "at step 501 has a NaN"),
    "FullThrottle": ("values", "outside of its bounds -12.0 .. 12.0"),
    "DrawsTooMuch": ("rows", "draw writes outside of the picture: 4 rows of 4 pixels"),
    "SavesTooMuch": ("rows", "save writes more than the 56 bytes"),
    "SaysTwo": ("rows", "a bool of terminated that is neither 0 nor 1"),
    "DrawsForAll": ("autoreset", "autoreset SameStep"),
    "OneStart": ("independence", "depends on their lane"),
    "WrongRest": ("independence", "in a pool of 7"),
    "WrongWhenFull": ("independence", "in a pool of two full shards and a rest"),
    "OneNoise": ("per_env_options", "every other environment has noise=0.75"),
    "KeepsWorlds": ("lifetime", "freed by the next one"),
    "KeepsFiles": ("lifetime", "leave open files behind"),
    "CountsEpisodes": ("state", "name every member"),
    "Flickers": ("render", "draws the same state twice and differently"),
}
DRAWN = ("Sound", "MovesWhenDrawn", "Flickers")


@pytest.fixture(scope="module", autouse=True)
def libraries(compiled: Callable[[Path], Path]) -> None:
    for family in ("broken", "subtle"):
        register_all(compiled(HERE / f"{family}.cpp"), DRAWN)


@pytest.fixture(autouse=True)
def quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what grows has to live a thousand times."""
    given = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    check, *_ = MISTAKES.get(given.get("env_id", ""), ("lifetime",))
    hurry(monkeypatch, lifetime=check != "lifetime")


MISTAKES = {
    f"broken/{name}-v0": (check, re.escape(words)) for name, (check, words) in BROKEN.items()
}
MISTAKES |= {f"subtle/{name}-v0": mistake for name, mistake in SUBTLE.items()}


@pytest.mark.parametrize("env_id", MISTAKES)
def test_a_mistake_is_caught_by_its_check(env_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check, words = MISTAKES[env_id]
    at_once(monkeypatch, check)
    assert_found(env_id, check, words)


@pytest.mark.slow  # all checks of 60 environments
@pytest.mark.parametrize("env_id", MISTAKES)
def test_a_mistake_is_caught_by_its_check_alone(env_id: str) -> None:
    check, words = MISTAKES[env_id]
    report = check_env(env_id)
    assert [each.check for each in report.failures] == [check], texts(report)
    assert re.search(words, report.failures[0].text)


def test_threads_that_share_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found in the library's memory, and in results if the memory is not looked at."""
    report = check_plugin("subtle", env_ids=["subtle/Shares-v0"], only=["statics"])
    assert "static or global variables of subtle.so change in play" in texts(report)
    monkeypatch.setitem(NEEDS, "determinism", ())
    report = check_plugin("subtle", env_ids=["subtle/Shares-v0"], only=["independence"])
    assert "Environments share something" in texts(report)


@pytest.mark.parametrize("name", ["Sound", "SoundKernel"])
def test_sound_environments_pass(name: str) -> None:
    assert check_env(f"subtle/{name}-v0").ok
    report = check_env(f"broken/{name}-v0")
    assert report.ok, texts(report)
    skipped = {each.check for each in report.results if each.outcome == "inapplicable"}
    assert skipped == (
        {"reference"} if name == "Sound" else {"reference", "state", "damaged_states", "render"}
    )


def test_every_check_has_a_mistake_that_it_catches() -> None:
    caught = {check for check, _ in (BROKEN | SUBTLE | DEADLY).values()} | {"reference", "speed"}
    assert caught == set(ENV_CHECKS)
    assert set(NEEDS) <= set(ENV_CHECKS)


class Other(gymnasium.Env[Any, Any]):
    """Not the environment that Sound reproduces."""

    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (), np.float64)
    action_space = gymnasium.spaces.Discrete(3)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return self.np_random.uniform(-1, 1), {}

    def step(self, action: Any) -> Any:
        return 0.0, 1.0, False, False, {}


def test_an_environment_that_is_not_its_original() -> None:
    report = check_env("broken/Sound-v0", reference=Other)
    assert [each.check for each in report.failures] == ["reference"]
    assert "the observation of step 1 with seed 0" in report.failures[0].text


def test_an_environment_that_is_its_original() -> None:
    report = check_plugin(
        "classic",
        env_ids=["classic/CartPole-v1"],
        references={"classic/CartPole-v1": "CartPole-v1"},
        only=["reference"],
    )
    assert [each.outcome for each in report.results] == ["passed"], texts(report)


def test_the_library_and_the_list_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    from parallel_pool.registry import registry

    plugin = registry().plugin("broken")
    specs = dict(plugin.specs)
    monkeypatch.setattr(plugin, "specs", {k: v for k, v in specs.items() if "Sound-" not in k})
    report = check_plugin("broken", env_ids=[])
    assert [each.check for each in report.failures] == ["declaration"]
    assert "the library has broken/Sound-v0, and parallel_pool_envs does not list it" in texts(
        report
    )
    monkeypatch.setattr(plugin, "specs", specs | {"broken/New-v0": EnvSpec("broken/New-v0")})
    report = check_plugin("broken", env_ids=[])
    assert [each.check for each in report.failures] == ["declaration"]
    assert "broken/New-v0 is listed, but the library has no broken/New-v0" in texts(report)


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (EnvSpec("broken/Sound-v0", options={"weight": 3}), "cannot be made as it is listed"),
        (EnvSpec("broken/Sound-v0", options={"size": 65}), "option 'size' is 65"),
        (EnvSpec("broken/Sound-v0", max_episode_steps=7), "and the library says 1000"),
    ],
    ids=["unknown option", "option out of range", "limit"],
)
def test_the_list_does_not_fit_the_library(
    monkeypatch: pytest.MonkeyPatch, mistake: EnvSpec, words: str
) -> None:
    from parallel_pool.registry import registry

    plugin = registry().plugin("broken")
    monkeypatch.setattr(plugin, "specs", plugin.specs | {mistake.id: mistake})
    catalogue = registry().resolve(mistake.id)
    monkeypatch.setitem(
        registry()._catalogue._envs, mistake.id, dataclasses.replace(catalogue, spec=mistake)
    )
    report = check_plugin("broken", env_ids=[])
    assert [each.check for each in report.failures] == ["declaration"]
    assert words in texts(report)


def test_a_hook_that_lets_values_out_of_their_range_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    from parallel_pool.registry import hooks

    def tame(plugin: Any, env: EnvSpec, options: dict[str, Any]) -> dict[str, Any]:
        return options | ({"size": min(options["size"], 64)} if "size" in options else {})

    monkeypatch.setattr(hooks, "translate_options", tame)
    report = check_plugin("broken", env_ids=["broken/Sound-v0"], only=["options"])
    assert "option 'size' = 65 lies outside of its declared range, and is taken" in texts(report)


def test_a_check_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="no check 'speeed'; there are: declaration"):
        check_plugin("broken", only=["speeed"])
    assert set(PLUGIN_CHECKS) == {"declaration", "lightness"}


@pytest.mark.parametrize("steps", [1, 7])
def test_short_trajectories(steps: int) -> None:
    report = check_env("broken/Sound-v0", steps=steps)
    assert report.ok, texts(report)


def test_no_trajectories() -> None:
    with pytest.raises(ValueError, match="steps is 0, expected 1 or more"):
        check_env("broken/Sound-v0", steps=0)


def test_a_class_that_says_something_else() -> None:
    with pytest.raises(TypeError, match="has 'reference': did you mean 'references'"):
        type("TestWalk", (PluginConformance,), {"plugin": "broken", "reference": "Walk-v0"})
    helper = type("TestWalk", (PluginConformance,), {"speed": 3, "helper": lambda self: 3})
    with pytest.raises(TypeError, match="TestWalk does not say which plugin: plugin = 'lander'"):
        helper().pytest_generate_tests(None)
