"""The signatures for editors are those of the make functions."""

import inspect

import parallel_pool
import pytest
from parallel_pool import EnvSpec, OptionError, making
from parallel_pool.registry import registry


def test_the_file_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend("tools")
    import signatures

    if missing := signatures.not_installed():
        pytest.skip(f"the options of {', '.join(missing)} are not known: not installed")
    assert signatures.FILE.read_text() == signatures.text(), "uv run python tools/signatures.py"


def test_names_of_other_packages_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that a family lists for the signatures."""
    monkeypatch.syspath_prepend("tools")
    import families
    import signatures

    def known(spec: EnvSpec, name: str) -> bool:
        try:
            return name not in registry().translate_options(spec, {name: 1})
        except OptionError:  # it is known, and 1 is no value for it
            return True

    missing = signatures.not_installed()
    for family in families.families().values():
        for name in family.other_option_names if family.name not in missing else ():
            specs = registry().specs(family.name)
            assert any(known(spec, name) for spec in specs), (family.name, name)


def test_they_are_what_help_shows() -> None:
    shown = inspect.signature(making.make).parameters
    assert {"num_envs", "render_mode", "step_timeout", "options"} <= set(shown)


def test_dir_has_what_users_need() -> None:
    with parallel_pool.make("CartPole-v1") as pool:
        names = set(dir(pool))
        assert {"reset", "step", "send", "recv", "config", "spec", "__len__"} <= names
        assert not {name for name in names if name.startswith("_") and name[:2] != "__"}
        assert not {"call_of", "set_attr_of", "close_extras"} & names
        assert pool.get_attr("max_episode_steps") == (500,)
    assert {"make", "learning", "envpool"} <= set(dir(parallel_pool))
    assert not {"Any", "Path", "TYPE_CHECKING"} & set(dir(parallel_pool))
