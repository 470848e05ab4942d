"""Which libraries are loaded, and what is said to the others."""

import importlib.resources
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError, PluginError, _core
from test_envs.checks import refused
from test_envs.compiling import SOURCES, compile_plugin

pytestmark = pytest.mark.usefixtures("no_plugins")

FROZEN = sorted(Path(__file__).parent.glob("frozen_abi/*/plugin.c"))
HOST = "{}.{}".format(*_core.ABI_VERSION)
NEWER = "Upgrade the core: pip install -U parallel-pool"


def play(path: str) -> None:
    """A loaded plain plugin describes itself, is built, and steps as it should."""
    parallel_pool.register(parallel_pool.EnvSpec("plain/Plain-v0"), library=path)
    plugin = _core.Plugin(path)
    assert (plugin.path, plugin.name, plugin.version) == (path, "plain", "1.2.3")
    assert plugin.env_ids == ["plain/Plain-v0"]
    declaration = plugin.declaration("plain/Plain-v0")
    assert declaration["summary"] == "In plain C"
    assert declaration["preferred_lanes"] == 4
    (option,) = declaration["options"]
    assert (option["name"], option["kind"], option["default"]) == ("length", "int", 3)
    assert (option["low"], option["high"]) == (1.0, None)

    lengths = {"env_options": {"length": [2] * 5 + [3] * 5}, "seed": [*range(100, 110)]}
    with parallel_pool.make("plain/Plain-v0", num_envs=10, num_threads=2, **lengths) as pool:
        obs, info = pool.reset()
        assert not obs[:, 0].any()
        assert info["sum"].tolist() == list(range(100, 110))
        for step in range(1, 4):
            obs, reward, terminated, truncated, info = pool.step(np.full(10, 2))
            short, long = (0, 3) if step == 3 else (step, step)
            assert obs[:, 0].tolist() == [short] * 5 + [long] * 5
            assert terminated.tolist() == [step == 2] * 5 + [step == 3] * 5
            assert reward.tolist() == [0.0 if step == 3 else 2.0] * 5 + [2.0] * 5
            assert not truncated.any()
            assert info["env_id"].tolist() == list(range(10))
        assert info["sum"].tolist() == [-1] * 5 + [106 + env for env in range(5, 10)]


def test_options_that_a_plain_plugin_refuses(plain: Any) -> None:
    parallel_pool.register(parallel_pool.EnvSpec("plain/Plain-v0"), library=plain())
    with refused(ValueError, "plain/Plain-v0", "13 brings bad luck"):
        parallel_pool.make("plain/Plain-v0", length=13)
    with refused(OptionError, "'length' is 0", "at least 1"):
        parallel_pool.make("plain/Plain-v0", length=0)


@pytest.mark.parametrize("source", FROZEN, ids=lambda path: path.parent.name)
def test_a_plugin_built_against_an_old_header(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "old.so"
    released = (source.parent / "abi.h").exists()
    today = Path(parallel_pool.get_include(), "parallel_pool")
    compile_plugin(source, path, include=str(source.parent if released else today))
    play(str(path))


@pytest.mark.parametrize(
    "head",
    [
        ("HEAD_MINOR=0", "HEAD_MIN_HOST=0"),
        ("HEAD_MINOR=9", "HEAD_MIN_HOST=1"),
        ("HEAD_MINOR=9", "HEAD_MIN_HOST=0"),
    ],
    ids=["older", "newer", "newer_for_any"],
)
def test_plugins_of_another_minor_that_need_nothing_new(plain: Any, head: tuple[str, str]) -> None:
    play(plain(*head))


@pytest.mark.parametrize("newer", [0, 1], ids=["minor", "major"])
def test_a_plugin_that_needs_a_newer_host(plain: Any, newer: int) -> None:
    major = _core.ABI_VERSION[0] + newer
    with pytest.raises(PluginError) as caught:
        _core.Plugin(plain(f"HEAD_MAJOR={major}", "HEAD_MINOR=9", "HEAD_MIN_HOST=7"))
    assert str(caught.value) == (
        f"parallel-pool-plain 1.2.3 needs plugin ABI {major}.7 or newer; "
        f"this parallel-pool speaks {HOST}. {NEWER}"
    )


def test_what_hosts_of_other_versions_say(plain: Any) -> None:
    plugin = _core.Plugin(plain())
    major, minor = _core.ABI_VERSION
    _core._check_head(plugin, major, minor)
    _core._check_head(plugin, major, minor + 50)
    with pytest.raises(PluginError) as caught:
        _core._check_head(plugin, major + 1, 3)
    assert str(caught.value) == (
        f"parallel-pool-plain 1.2.3 was built for plugin ABI {HOST}; "
        f"this parallel-pool speaks {major + 1}.3. Upgrade it: pip install -U parallel-pool-plain"
    )
    needy = _core.Plugin(plain("HEAD_MINOR=1", "HEAD_MIN_HOST=1"))
    with refused(PluginError, "needs plugin ABI 0.1 or newer", "speaks 0.0", NEWER):
        _core._check_head(needy, 0, 0)


def test_a_library_of_another_kind_that_has_our_symbol(plain: Any) -> None:
    path = plain("HEAD_MAGIC=0x12345678u")
    with refused(PluginError, path, "magic number", "not a plugin"):
        _core.Plugin(path)


def test_a_library_without_our_symbol(tmp_path: Path) -> None:
    source = tmp_path / "other.c"
    source.write_text('__attribute__((visibility("default"))) int something_else = 1;\n')
    path = str(compile_plugin(source, tmp_path / "other.so"))
    said = f"{path} exports no parallel_pool_plugin; it is not a ParallelPool plugin"
    with refused(PluginError, said):
        _core.Plugin(path)


def test_an_undefined_symbol(plain: Any) -> None:
    path = plain("NEEDS_SYMBOL")
    parts = (f"cannot load {path}", "symbol_that_nobody_has", "Reinstall the package")
    with refused(PluginError, *parts):
        _core.Plugin(path)


DAMAGED: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda whole: whole[:5000],
    "head_only": lambda whole: whole[:64],
    "empty": lambda whole: b"",
    "text": lambda whole: b"not a library\n" * 100,
    "zeros": lambda whole: bytes(5000),
    "noise": lambda whole: Random(0).randbytes(5000),
}


@pytest.mark.parametrize("damage", ["missing", *DAMAGED, "folder"])
@pytest.mark.own_process
@pytest.mark.usefixtures("test_envs_library")
def test_a_file_that_cannot_be_loaded(damage: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "damaged.so")
        if damage in DAMAGED:
            path.write_bytes(DAMAGED[damage](Path(os.environ["PP_TEST_ENVS"]).read_bytes()))
        elif damage == "folder":
            path.mkdir()
        for _ in range(2):
            with refused(PluginError, f"cannot load {path}", "Reinstall the package"):
                _core.Plugin(str(path))
        # It works as soon as it is repaired.
        if path.is_dir():
            path.rmdir()
        shutil.copy(os.environ["PP_TEST_ENVS"], path)
        assert _core.Plugin(str(path)).name == "test"


def test_an_environment_that_the_library_does_not_have(plain: Any) -> None:
    parts = ("plugin plain 1.2.3", "no environment 'plain/Other-v0'")
    with refused(PluginError, *parts, "pip install --force-reinstall parallel-pool-plain"):
        _core.Plugin(plain()).declaration("plain/Other-v0")


@pytest.mark.skipif(platform.system() != "Linux", reason="reads ELF")
def test_a_plugin_exports_one_symbol_and_brings_its_own_runtime() -> None:
    """What parallel_pool_add_plugin() promises, seen on a plugin that was installed."""
    library = importlib.resources.files("parallel_pool_classic") / "classic.so"
    symbols = subprocess.check_output(["nm", "-D", "--defined-only", library], text=True)
    exported = [line.split()[-1] for line in symbols.splitlines()]
    assert exported == ["parallel_pool_plugin"]
    needed = subprocess.check_output(["readelf", "-d", library], text=True)
    libraries = re.findall(r"\(NEEDED\).*\[(.*?)\]", needed)
    assert not [name for name in libraries if name.startswith(("libstdc++", "libgcc"))]


WRONG = {
    "role": ["field ''", "unknown role"],
    "kind": ["the obs field ", "unknown kind"],
    "huge": ["the obs field ", "2^40 elements"],
    "bounds": ["the obs field ", "one for all or one for each"],
    "high": ["the obs field ", "one for all or one for each"],
    "no_obs": ["no observation field"],
    "no_action": ["no action field"],
    "no_reward": ["no reward field"],
    "no_terminated": ["no terminated field"],
    "two_rewards": ["reward field 'again'", "may occur once"],
    "reward_dtype": ["the reward field ", "wrong dtype", "float64"],
    "flag_dtype": ["the truncated field ", "wrong dtype", "bool"],
    "discrete_bounds": ["the action field ", "both bounds"],
    "discrete_dtype": ["the action field ", "integer dtype"],
    "multi_discrete": ["action field 'push'", "both bounds"],
    "multi_binary": ["action field 'push'", "integer dtype"],
    "text": ["the obs field ", "dtype uint8, one dimension"],
    "text_per_player": ["the obs field ", "no flag"],
    "text_action": ["action field 'say'", "in observations or info"],
    "twice": ["info field 'arm'", "one place"],
    "leaf_and_branch": ["info field 'arm/left'", "field 'arm'", "one place"],
    "nameless_info": ["the info field ", "needs a name"],
    "host_info": ["info field 'elapsed_step'", "the host gives itself"],
    "host_branch": ["info field 'episode/r'", "the host gives itself"],
    "host_mask": ["info field '_env_id'", "the host gives itself"],
    "score_alone": ["score and continues come together"],
    "continues_alone": ["score and continues come together"],
    "score_dtype": ["the score field ", "wrong dtype", "scores are float64"],
    "score_players": ["it has several players, and a score is of one"],
    "score_info": ["info field 'score' has the name under which the score is shown"],
    "players": ["max_players"],
    "steps": ["max_episode_steps"],
}
WRONG_PLAYERS = {
    "host_name": ["info field 'acting' per player has a name that the host gives itself"],
    "own_discounts": ["discounts are per player, but there is one reward for all"],
    "many_rewards": ["per player it is flagged PP_FIELD_PER_PLAYER"],
    "too_many": ["max_players is not in 1 .. 65536"],
}
WRONG_IN_SDK = {
    "shape": ["the obs", "pp::dynamic", "spec.obs().shaped"],
    "dims": ["the obs has more than 8 dimensions"],
    "no_such_field": ["a field 'camera'"],
}


@pytest.fixture(scope="module")
def misdescribed(compiled: Callable[[Path], Path]) -> Any:
    """A plugin that describes itself wrongly as its option says."""
    return _core.Plugin(str(compiled(SOURCES / "misdescribed.cpp")))


@pytest.mark.parametrize("wrong", [*WRONG, *WRONG_PLAYERS])
def test_a_wrong_description_is_refused_by_the_host(misdescribed: Any, wrong: str) -> None:
    name = "Players" if wrong in WRONG_PLAYERS else "Env"
    env_id = f"misdescribed/{name}-v0"
    parts = (WRONG | WRONG_PLAYERS)[wrong]
    with refused(PluginError, f"{env_id} describes itself wrongly: ", *parts):
        misdescribed.describe(env_id, {"wrong": wrong})
    assert misdescribed.describe(env_id, {})["max_players"] == (2 if name == "Players" else 1)


@pytest.mark.parametrize("wrong", WRONG_IN_SDK)
def test_a_wrong_description_is_refused_by_the_sdk(misdescribed: Any, wrong: str) -> None:
    with refused(ValueError, "misdescribed/Env-v0", *WRONG_IN_SDK[wrong]):
        misdescribed.describe("misdescribed/Env-v0", {"wrong": wrong})


def test_a_negative_dimension_and_an_unknown_dtype_are_refused(plain: Any) -> None:
    for wrong, parts in {
        "OBS_DIM=-2": ("the obs field ", "negative dimension"),
        "SUM_DTYPE=77": ("info field 'sum'", "unknown dtype"),
        "ACTION_LOW=NULL": ("the action field ", "bounds that are not there"),
    }.items():
        with refused(PluginError, *parts):
            _core.Plugin(plain(wrong)).describe("plain/Plain-v0", {})
