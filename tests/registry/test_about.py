"""What the numbers of environments mean: tables as long as the spaces, and what `info` prints."""

import json
from types import SimpleNamespace

import gymnasium
import parallel_pool
import pytest
from families import families
from gymnasium import spaces
from parallel_pool.cli import main
from parallel_pool.errors import PluginError
from parallel_pool.plugin_api import About, EnvSpec, Part, hookimpl
from parallel_pool.registry import hooks, loading, registry
from parallel_pool.registry.plugin import Plugin
from parallel_pool.schema.meanings import rows, space_size

EXPLAINED = families().keys() - {"tasks"}
"""Families of which each id has tables; tasks have their own words."""
OLDER = {"Taxi-v3"}
"""Of versions of Gymnasium that are no longer the newest."""
EVERY = {"atari": 16, "dmc": 6, "vizdoom": 48}
"""Of families whose texts take long, one id of so many; of vizdoom's, that is of the maps of whole games."""


@pytest.mark.parametrize("family", sorted({spec.family for spec in registry().specs()}))
def test_tables_are_as_long_as_the_spaces(family: str) -> None:
    specs = [spec for spec in registry().specs() if spec.family == family and not spec.removed]
    scenarios = [spec for spec in specs if family == "vizdoom" and not spec.id.endswith("-v0")]
    for spec in (*specs[:: EVERY.get(family, 1)], *scenarios):
        about = hooks.about(registry().resolve(spec.id).plugin, spec)
        if family in EXPLAINED:
            assert about is not None, spec.id
            assert all((about.observation, about.action, about.reward, about.ends)), spec.id
        if about is None:
            continue
        package, _, original = about.original.partition(" ")
        assert package != "Gymnasium" or original in {*gymnasium.registry, *OLDER}
        made = parallel_pool.make_spec(spec.id)
        for parts, space in (
            (about.observation, made.observation_space),
            (about.action, made.action_space),
        ):
            assert not parts or sum(part.count for part in parts) == space_size(space), spec.id


def test_rows_have_the_bounds_of_the_space() -> None:
    space = spaces.Dict({"a": spaces.Box(-1, 2, (2,)), "b": spaces.Discrete(3, start=1)})
    parts = (Part("place", "m", 2), Part("choice"))
    assert space_size(space) == 3
    assert rows(parts, space) == [
        ("a 0 .. 1", "place", "m", "-1", "2"),
        ("b", "choice", "", "1", "3"),
    ]
    assert [row[0] for row in rows((Part("one"), Part("two", count=2)), space)] == [
        "a 0",
        "a 1 .. b",
    ]
    assert rows(parts, spaces.Box(-1, 2, (4,))) == []
    assert rows((Part("flag", count=2),), spaces.MultiBinary(2)) == [
        ("0 .. 1", "flag", "", "0", "1")
    ]
    assert rows((Part("left"), Part("right")), spaces.Discrete(2, start=1)) == [
        ("1", "left", "", "", ""),
        ("2", "right", "", "", ""),
    ]


def test_info_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "CartPole-v1"]) == 0
    said = capsys.readouterr().out
    assert "angle of the pole, 0 upright" in said
    assert "push the cart to the right" in said
    assert main(["info", "CartPole-v1", "--json"]) == 0
    about = json.loads(capsys.readouterr().out)["about"]
    assert about["observation"][2]["unit"] == "rad"
    assert about["original"] == "Gymnasium CartPole-v1"


@pytest.mark.parametrize(
    "task_id",
    [
        *("CartPole-v0", "classic/CliffWalking-v1", "Taxi-v4", "TwoPlayerPong-v0"),
        *("LunarLander-v3", "BipedalWalkerHardcore-v3", "MiniGrid-DoorKey-8x8-v0"),
    ],
)
def test_info_of_an_index_is_what_the_plugin_and_its_library_say(
    task_id: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = registry().resolve(task_id).plugin
    hook, index = plugin.hook, plugin.index
    assert index is not None
    of_the_index = {"index": index, "hook": None, "module": "nothing_is_imported"}
    for as_json in [], ["--json"]:
        said = []
        for changes in (of_the_index, {"index": None, "hook": hook}):
            with monkeypatch.context() as patch:
                for name, value in changes.items():
                    patch.setattr(plugin, name, value)
                assert main(["info", task_id, *as_json]) == 0
            said.append(capsys.readouterr().out)
        assert said[0] == said[1]


def test_a_hook_that_returns_something_else_is_named() -> None:
    plugin = Plugin("x", "x-plugin", "1", "x")
    loading.attach(plugin, SimpleNamespace(parallel_pool_about=hookimpl(lambda spec: "much")))
    with pytest.raises(PluginError, match="must return an About or None, not 'much'"):
        hooks.about(plugin, EnvSpec("x/A-v0"))
    loading.attach(plugin, SimpleNamespace(parallel_pool_about=hookimpl(lambda spec: About())))
    assert hooks.about(plugin, EnvSpec("x/A-v0")) == About()
