"""The environments of a plugin with an index are known before it is imported, and are what it lists."""

import json
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from parallel_pool import _core
from parallel_pool.cli import main
from parallel_pool.plugin_api import EnvSpec, OldIds
from parallel_pool.registry import hooks, plugin_index, registry
from parallel_pool.registry.discovery import STRICT_VARIABLE, discover
from test_envs.programs import python

from .sites import Site

SPECS = [
    EnvSpec("walk/Walk-v1", summary="Walk", options={"map": "S\nG"}, aliases=("Land/Walk-v1",)),
    EnvSpec("walk/Flat-v1", summary="Walk", tags=("easy",), needs=("walk_plugin/walk.so",)),
    EnvSpec("walk/Moon-v1", needs=("no_such_package/moon.so", "$NO_FOLDER/x"), missing="buy it"),
]
FACTS = "summary", "max_episode_steps", "reward_threshold"
RAISES = "raise RuntimeError('imported')"


@pytest.fixture
def walk(site: Site) -> Callable[..., Path]:
    """Installs a plugin with an index, and returns the file. `changed` is what differs in it."""

    def install(source: str = RAISES, editable: bool = False, **changed: object) -> Path:
        site.metadata("pp-walk", "1.0", "[parallel_pool]\nwalk = walk_plugin\n")
        package = site.root / "walk_plugin"
        package.mkdir()
        library = package / "walk.so"
        library.write_bytes(b"a library")
        (package / "__init__.py").write_text(f"from parallel_pool.plugin_api import *\n{source}\n")
        index = package / "walk.envs.json"
        described = {spec.id: {} for spec in SPECS}
        old = [OldIds(("Walk",), {"Old{name}-v0": "use {name}-v1"})]
        text = plugin_index.text_of(SPECS, library, old, {}, described, package)
        index.write_text(json.dumps(json.loads(text) | changed))
        info = site.root / "pp_walk-1.0.dist-info"
        (info / "RECORD").write_text("walk_plugin/__init__.py,,\nwalk_plugin/walk.so,,\n")
        if editable:
            url = '{"url": "file:///x", "dir_info": {"editable": true}}'
            (info / "direct_url.json").write_text(url)
        return index

    return install


LISTS = "@hookimpl\ndef parallel_pool_envs(): return [EnvSpec('walk/Asked-v0')]"
LIBRARY = "@hookimpl\ndef parallel_pool_library(family): return __path__[0] + '/walk.so'"


def test_listing_and_wrong_ids_import_nothing(site: Site, walk: Callable[..., Path]) -> None:
    walk()
    code = "answer = r.list_all_envs(aliases=True), r.resolve('Land/Walk-v1').spec.options"
    ids = ["Flat-v1", "Land/Walk-v1", "Walk-v1", "walk/Flat-v1", "walk/Walk-v1"]
    site.answers([ids, {"map": "S\nG"}], code)
    assert [said for _, said in site.errors(["walk/Wolk-v1", "Moon-v1", "OldWalk-v0"])] == [
        "unknown environment 'walk/Wolk-v1'. Did you mean walk/Walk-v1 or walk/Flat-v1? "
        "`parallel-pool list` shows all 2",
        "walk/Moon-v1 was removed: buy it",
        "there is no 'OldWalk-v0'; use Walk-v1",
    ]
    failed = "walk (pp-walk 1.0) cannot be used: importing walk_plugin failed with RuntimeError: imported"
    site.refuses("library_path('walk')", failed, "pip install --force-reinstall pp-walk")


@pytest.mark.parametrize(
    ("changed", "editable", "edited", "asked"),
    [
        ({}, False, True, False),
        ({}, True, False, False),
        ({}, True, True, True),
        ({"format": 2, "environments": "of another form"}, False, False, True),
    ],
    ids=["a wheel", "editable", "editable and edited", "a newer format"],
)
def test_where_the_index_does_not_serve_the_plugin_is_asked(
    site: Site,
    walk: Callable[..., Path],
    changed: dict[str, object],
    editable: bool,
    edited: bool,
    asked: bool,
) -> None:
    index = walk(LISTS, editable, **changed)
    if edited:
        (index.parent / "more.py").write_text("x = 1")
    expected = ["walk/Asked-v0"] if asked else ["walk/Flat-v1", "walk/Walk-v1"]
    assert site.ask("answer = r.list_all_envs()").value == expected


def test_another_library_than_that_of_the_index(site: Site, walk: Callable[..., Path]) -> None:
    index = walk(LIBRARY)
    assert site.ask("answer = library_path('walk').name").value == "walk.so"
    index.with_name("walk.so").write_bytes(b"built anew")
    site.refuses(
        "library_path('walk')", "is another than that of its index", "parallel-pool index walk"
    )
    # What a tool that put other libraries into the wheel says of both.
    lines = []
    for file in index, index.with_name("walk.so"):
        digest = urlsafe_b64encode(sha256(file.read_bytes()).digest()).decode()
        lines.append(f"walk_plugin/{file.name},sha256={digest[:-1]},9")
    (site.root / "pp_walk-1.0.dist-info" / "RECORD").write_text("\n".join(lines))
    assert site.ask("answer = library_path('walk').name").value == "walk.so"


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"environments": [{"common": [9], "id": "walk/A-v0"}]}, "environments[0]"),
        ({"natives": {"walk/A-v0": {"options": [0]}}}, "natives"),
        ({"old_ids": [[["Walk"], 3]]}, "old_ids"),
        ({"library": "walk.so"}, "library"),
    ],
)
def test_a_damaged_index_is_a_broken_plugin(
    site: Site, walk: Callable[..., Path], changed: dict[str, object], field: str
) -> None:
    path = walk(**changed)
    (warning,) = site.ask("answer = r.list_all_envs()").warnings
    assert f"is skipped: reading its index failed with PluginError: {path}: {field} is" in warning
    assert "try `pip install --force-reinstall pp-walk`" in warning


def test_an_index_is_not_written_into_a_file_that_other_environments_share(tmp_path: Path) -> None:
    library = shutil.copy(hooks.library_path(registry().plugin("classic")), tmp_path)
    index, shared = tmp_path / "classic.envs.json", tmp_path / "shared"
    shared.write_text("theirs")
    index.hardlink_to(shared)
    assert main(["index", library]) == 0
    assert json.loads(index.read_text())["library"]["file"] == "classic.so"
    assert shared.read_text() == "theirs"
    assert main(["index", library, "--check"]) == 0
    index.write_text(index.read_text().replace("CartPole-v1", "CartPole-v7"))
    assert main(["index", library, "--check"]) == 1


def test_first_party_plugins_are_what_their_indexes_say() -> None:
    indexed = {plugin.family: plugin for plugin in discover({})}
    for plugin in discover({STRICT_VARIABLE: "1"}):
        found = indexed[plugin.family]
        assert found.index is not None, f"run `parallel-pool index {plugin.family}`"
        for id, spec in found.specs.items():
            asked = plugin.specs[id]
            said = {name: getattr(spec, name) for name in FACTS if not getattr(asked, name)}
            assert spec == replace(asked, **said)
        assert found.specs.keys() == plugin.specs.keys()
        described = found.index.described
        for spec in (each for id, each in found.specs.items() if "description" in described[id]):
            library = _core.Plugin(str(hooks.library_path(plugin)))
            said = library.describe(spec.native_id, dict(spec.options))
            said |= library.declaration(spec.native_id)
            own = found.index.description(spec) | found.index.declaration(spec.native_id)
            np.testing.assert_equal(said | own, said)


def test_a_limit_is_the_librarys_where_no_option_changes_it() -> None:
    found = map(registry().resolve, ["CartPole-v0", "CartPole-v1", "BipedalWalker-v3"])
    assert [each.spec.max_episode_steps for each in found] == [200, 500, None]


def test_nothing_of_first_party_plugins_is_imported_before_an_environment_is_made() -> None:
    program = """if True:
        import sys, parallel_pool, parallel_pool.gymnasium
        assert len(parallel_pool.list_all_envs()) > 500
        for id in "CartPole-v1", "FrozenLake8x8-v1", "LunarLander-v3", ["MountainCar-v0"] * 2:
            assert parallel_pool.make_spec(id, seed=1).observation_space
        for wrong in "Pongg-v5", "PongNoFrameskip-v4", "CartPole-v7", "zebra":
            try:
                parallel_pool.make(wrong)
            except parallel_pool.UnknownEnvError:
                pass
        print(*[name for name in sys.modules if name.startswith("parallel_pool_")])
    """
    assert python("-c", program).split() == []
