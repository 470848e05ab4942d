"""Each check catches what it is there for, says what to change, and leaves sound environments alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import _core
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.testing import Report, check_env, check_plugin
from parallel_pool.testing.checks import ENV_CHECKS, NEEDS, PLUGIN_CHECKS
from zookeeper import compile_plugin

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


@pytest.fixture(scope="module", autouse=True)
def broken(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The compiled library; its environments can be made."""
    path = compile_plugin(HERE / "broken.cpp", tmp_path_factory.mktemp("broken") / "broken.so")
    for env_id in _core.Plugin(str(path)).env_ids:
        draws = "Kernel" not in env_id and env_id in (
            "broken/Sound-v0",
            "broken/MovesWhenDrawn-v0",
        )
        spec = EnvSpec(env_id, render_modes=("rgb_array",) if draws else ())
        parallel_pool.register(spec, library=str(path))
    return str(path)


def texts(report: Report) -> str:
    return "\n".join(f"{each.check} {each.outcome}: {each.text}" for each in report.results)


@pytest.mark.parametrize("name", BROKEN)
def test_a_mistake_is_caught_by_its_check_alone(name: str) -> None:
    check, words = BROKEN[name]
    report = check_env(f"broken/{name}-v0")
    assert [each.check for each in report.failures] == [check], texts(report)
    assert words in report.failures[0].text


@pytest.mark.parametrize("name", ["Sound", "SoundKernel"])
def test_sound_environments_pass(name: str) -> None:
    report = check_env(f"broken/{name}-v0")
    assert report.ok, texts(report)
    skipped = {each.check for each in report.results if each.outcome == "inapplicable"}
    assert skipped == ({"reference"} if name == "Sound" else {"reference", "state", "render"})


def test_every_check_has_a_mistake_that_it_catches() -> None:
    caught = {check for check, _ in BROKEN.values()} | {"reference", "speed"}
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


def test_the_library_and_the_list_disagree(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_check_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="no check 'speeed'; there are: declaration"):
        check_plugin("broken", only=["speeed"])
    assert set(PLUGIN_CHECKS) == {"declaration", "lightness"}
