"""`config` and `spec.kwargs` show no path and no address that the user has not given."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.plugin_api import Internal, hookimpl
from parallel_pool.registry import hooks, loading, registry
from parallel_pool_author.testing.report import ids_to_check

SMALLEST_ADDRESS = 2**32
"""Programs and their memory lie above, on all systems of 64 bits; options and defaults lie below."""


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for pair in value.items():
            yield from _leaves(pair)
    elif isinstance(value, (list, tuple, np.ndarray)):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _not_given(shown: Mapping[str, Any]) -> dict[str, Any]:
    """The values that are absolute paths or could be addresses."""
    return {
        name: leaf
        for name, value in shown.items()
        for leaf in _leaves(value)
        if (isinstance(leaf, str) and any(map(os.path.isabs, leaf.split())))
        or (isinstance(leaf, (int, float)) and np.isfinite(leaf) and abs(leaf) >= SMALLEST_ADDRESS)
    }


@pytest.mark.parametrize(
    "ids_of", [ids_to_check, pytest.param(parallel_pool.list_all_envs, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    "family", sorted({each.partition("/")[0] for each in parallel_pool.list_all_envs()})
)
def test_no_id_shows_a_path_or_an_address(family: str, ids_of: Any) -> None:
    for task_id in ids_of(family):
        spec = parallel_pool.make_spec(task_id)
        assert not _not_given(spec.config._asdict()), task_id
        assert not _not_given(spec.kwargs), task_id


def test_a_pool_shows_no_path_where_its_environments_differ() -> None:
    with parallel_pool.make(["Pong-v5", "Breakout-v5"], full_action_space=True) as pool:
        assert not _not_given(pool.config)
        assert not _not_given(pool.spec.kwargs)
        assert "rom_path" not in pool.config["env_options"]
        assert pool.get_attr("rom_path") == ("", "")


def test_a_path_that_was_given_is_shown(tmp_path: Any) -> None:
    resolved = registry().resolve("atari/Pong-v5")
    found = hooks.complete_options(resolved.plugin, resolved.spec, {})[0]["rom_path"]
    copy = tmp_path / "pong.bin"
    with open(found, "rb") as rom:
        copy.write_bytes(rom.read())
    spec = parallel_pool.make_spec("Pong-v5", rom_path=copy)
    assert spec.config.rom_path == spec.kwargs["rom_path"] == str(copy)


def test_a_hook_keeps_a_value_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """CartPole's library with a hook of a third party."""
    library = str(hooks.library_path(registry().plugin("classic")))

    class Hooks:
        @hookimpl
        def parallel_pool_library(self, family: str) -> str:
            return library

        @hookimpl
        def parallel_pool_options(self, options: Mapping[str, Any]) -> Mapping[str, Any]:
            return {**options, "sutton_barto_reward": Internal(True)}

    resolved = registry().resolve("classic/CartPole-v1")
    monkeypatch.setattr(resolved.plugin, "hook", resolved.plugin.hook)
    monkeypatch.setattr(resolved.plugin, "index", None)
    loading.attach(resolved.plugin, Hooks())
    spec = parallel_pool.make_spec("CartPole-v1")
    assert spec.config.sutton_barto_reward is False
    assert "sutton_barto_reward" not in spec.kwargs
    assert spec.definition.options["sutton_barto_reward"] is True


def test_text_of_vizdooms_settings_has_exactly_the_fields_of_the_library() -> None:
    config = parallel_pool.make_spec("vizdoom/Basic-v1").definition
    text = str(config.options["scenario_settings"])
    for wrong, message in (
        (text + "speed 3\n", "a field speed"),
        (text.replace("timeout", "time_out"), "0 values of timeout"),
        (text.replace("\ntimeout ", "\ntimeout 1x"), "for a number"),
        (text + "word\n", "the line 'word'"),
    ):
        with pytest.raises(ValueError, match=message):
            config.plugin.describe(
                config.env.native_id, {**config.options, "scenario_settings": wrong}
            )
