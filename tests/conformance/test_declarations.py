"""What the list of a plugin says agrees with its library, and says enough."""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from conformance.findings import texts
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import hooks, registry
from parallel_pool.testing import check_plugin


@pytest.fixture(autouse=True)
def environments(quick: None, known: Callable[[str], None]) -> None:
    for family in ("broken", "careless", "deadly", "silent"):
        known(family)


def declared_wrongly(family: str, words: str, alone: bool = False) -> None:
    """The one finding about the plugin as a whole has these words, and no others where it is `alone`."""
    (found,) = check_plugin(family, env_ids=[]).failures
    assert found.check == "declaration"
    assert words == found.text if alone else words in found.text


def test_an_environment_without_a_summary() -> None:
    words = "silent/Silent-v0 has no summary: give EnvSpec or the C++ type one line that says what it is"
    declared_wrongly("silent", words, alone=True)


def test_an_option_without_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    said = EnvSpec("silent/Silent-v0", summary="says little")
    monkeypatch.setattr(registry().plugin("silent"), "specs", {said.id: said})
    words = "option 'n' has no text: the third argument of pp::option says in a line what"
    declared_wrongly("silent", words)


def test_a_library_of_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    path = hooks.library_path(registry().plugin("careless"))
    monkeypatch.setattr(hooks, "library_path", lambda plugin: path)
    words = "make the first argument of PP_PLUGIN and the name of the entry point equal"
    declared_wrongly("silent", words)


def test_a_library_of_another_build() -> None:
    from parallel_pool_author.testing.checks.declarations import _same_version
    from parallel_pool_author.testing.findings import Finding

    with pytest.raises(
        Finding, match=r"its library 0\.0\.7: one of them is left over from another build"
    ):
        _same_version("numpy", "0.0.7")


def test_what_cannot_be_described_has_nothing_to_do_with_the_list() -> None:
    declared_wrongly(
        "careless",
        "careless/UpsideDown-v0 cannot be made: PluginError: careless/UpsideDown-v0 describes itself "
        "wrongly: obs field 'place' has no value: a low is above its high",
        alone=True,
    )


def test_the_library_and_the_list_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = registry().plugin("broken")
    specs = dict(plugin.specs)
    monkeypatch.setattr(plugin, "specs", {k: v for k, v in specs.items() if "Sound-" not in k})
    words = "the library has broken/Sound-v0, and parallel_pool_envs does not list it"
    declared_wrongly("broken", words)
    monkeypatch.setattr(plugin, "specs", specs | {"broken/New-v0": EnvSpec("broken/New-v0")})
    declared_wrongly("broken", "broken/New-v0 is listed, but the library has no broken/New-v0")


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
    plugin = registry().plugin("broken")
    monkeypatch.setattr(plugin, "specs", plugin.specs | {mistake.id: mistake})
    catalogue = registry().resolve(mistake.id)
    monkeypatch.setitem(registry()._envs, mistake.id, dataclasses.replace(catalogue, spec=mistake))
    declared_wrongly("broken", words)


def test_the_list_says_what_the_library_says(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [EnvSpec("classic/CartPole-v1", max_episode_steps=500)]
    monkeypatch.setattr(hooks, "list_envs", lambda plugin: said)
    declared_wrongly("classic", "listed with max_episode_steps=500, which the library says too")


def test_the_list_says_a_limit_over_what_the_options_say() -> None:
    report = check_plugin("deadly", env_ids=["deadly/Limited-v0"], only=["options"])
    assert "EnvSpec(max_episode_steps=100) holds whatever the options are, and with limit=" in (
        texts(report)
    )


def test_a_hook_that_lets_values_out_of_their_range_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def tame(plugin: Any, env: EnvSpec, options: dict[str, Any]) -> dict[str, Any]:
        return options | ({"size": min(options["size"], 64)} if "size" in options else {})

    monkeypatch.setattr(hooks, "translate_options", tame)
    report = check_plugin("broken", env_ids=["broken/Sound-v0"], only=["options"])
    assert "option 'size' = 65 lies outside of its declared range, and is taken" in texts(report)
