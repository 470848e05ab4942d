"""A broken plugin costs one warning that names it, and never another plugin's environments."""

from textwrap import dedent

import pytest

from .sites import Site

GOOD = "'good/Ok-v0'"
BROKEN = {
    "missing import": ("import no_such_module_at_all", "No module named 'no_such_module_at_all'"),
    "syntax error": ("def (:", "SyntaxError"),
    "exits at import": ("raise SystemExit(3)", "SystemExit: 3"),
    "no exception at all": ("class Panic(BaseException): pass\nraise Panic('rust')", "Panic: rust"),
    "no hooks": ("x = 1", "no function of that name is marked"),
    "forgot the marker": ("def parallel_pool_envs(): return []", "hookimpl"),
    "wrong signature": (
        "@hookimpl\ndef parallel_pool_envs(nonsense): return []",
        "Argument(s) {'nonsense'}",
    ),
    "hook raises": ("@hookimpl\ndef parallel_pool_envs(): raise OSError('disk')", "OSError: disk"),
    "hook exits": ("@hookimpl\ndef parallel_pool_envs(): raise SystemExit", "SystemExit"),
    "generator raises late": (
        "@hookimpl\ndef parallel_pool_envs():\n yield EnvSpec('bad/A-v0')\n raise OSError('x')",
        "OSError: x",
    ),
    "not iterable": ("@hookimpl\ndef parallel_pool_envs(): return 3", "TypeError"),
    "ill-formed id": (
        "@hookimpl\ndef parallel_pool_envs(): return [EnvSpec('bad/NoVersion')]",
        "'bad/NoVersion' is not an environment id of the form family/Name-vN",
    ),
    "not a spec": (
        "@hookimpl\ndef parallel_pool_envs(): return ['bad/A-v0']",
        "must yield EnvSpec",
    ),
    "asks the registry at import": (
        "from parallel_pool.registry import registry\nregistry()",
        "return its environments from the hook parallel_pool_envs",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_plugin_is_skipped_with_one_warning(site: Site, name: str) -> None:
    source, reason = BROKEN[name]
    site.install("bad", source, distribution="evil-bad", version="2.5")
    site.install("good", envs=GOOD)
    answer = site.ask("answer = r.list_all_envs(), [p.status for p in r.plugins]")
    assert answer.value == [["good/Ok-v0"], ["failed", "ok"]]
    (warning,) = answer.warnings
    assert "bad (evil-bad 2.5) is skipped" in warning
    assert reason in warning
    assert "PARALLEL_POOL_DISABLE_PLUGINS=evil-bad" in warning


@pytest.mark.parametrize("name", BROKEN)
def test_strict_mode_raises(site: Site, name: str) -> None:
    source, reason = BROKEN[name]
    site.install("bad", source, distribution="evil-bad", version="2.5")
    kind, message = site.ask("", PARALLEL_POOL_STRICT_PLUGINS="1").value
    assert kind == "PluginError"
    assert "bad (evil-bad 2.5)" in message
    assert reason in message


def test_strict_mode_is_silent_about_good_plugins(site: Site) -> None:
    site.install("good", envs=GOOD)
    answer = site.ask("answer = r.list_all_envs()", PARALLEL_POOL_STRICT_PLUGINS="1")
    assert answer.value == ["good/Ok-v0"]
    assert answer.warnings == []


def test_environment_of_a_broken_plugin_names_the_plugin(site: Site) -> None:
    site.install("bad", "import no_such_module_at_all", version="2.5")
    kind, message = site.ask("r.resolve('bad/A-v0')").value
    assert kind == "UnknownEnvError"
    assert "bad (pp-bad 2.5)" in message
    assert "no_such_module_at_all" in message
    assert "parallel-pool doctor" in message


def test_interrupt_is_not_swallowed(site: Site) -> None:
    site.install("bad", "raise KeyboardInterrupt")
    answer = site.run("-c", "from parallel_pool.registry import registry; registry()")
    assert answer.status != 0
    assert "KeyboardInterrupt" in answer.errors


def test_slow_plugin_works_and_is_named(site: Site) -> None:
    site.install("slow", "import time; time.sleep(1.1)", envs="'slow/A-v0'")
    answer = site.ask("answer = r.list_all_envs(), r.plugins[0].seconds")
    ids, seconds = answer.value
    assert ids == ["slow/A-v0"]
    assert seconds > 1
    (warning,) = answer.warnings
    assert "slow (pp-slow 1.0) took" in warning


def test_bad_environments_cost_only_themselves(site: Site) -> None:
    site.install("mixed", envs="'mixed/A-v0'\n'other/B-v0'\n'mixed/A-v0', summary='again'")
    answer = site.ask("answer = r.list_all_envs(), [str(p) for p in r.problems]")
    ids, problems = answer.value
    assert ids == ["mixed/A-v0"]
    assert problems == [
        "plugin mixed (pp-mixed 1.0): other/B-v0 is outside the plugin's own family 'mixed'",
        "plugin mixed (pp-mixed 1.0): mixed/A-v0 is listed twice: a preset with the id of its "
        "environment in the library stands for both",
    ]
    (warning,) = answer.warnings
    assert "partly skipped" in warning
    assert "(and 1 more)" in warning


def test_unknown_hook_is_a_note_and_an_error_in_strict_mode(site: Site) -> None:
    site.install("new", "@hookimpl\ndef parallel_pool_tomorrow(): pass", envs="'new/A-v0'")
    answer = site.ask("answer = r.plugins[0].notes")
    assert answer.value == ["hook parallel_pool_tomorrow is unknown to this core"]
    assert answer.warnings == []
    kind, message = site.ask("", PARALLEL_POOL_STRICT_PLUGINS="1").value
    assert kind == "PluginError"
    assert "parallel_pool_tomorrow" in message


def test_hook_may_take_fewer_arguments(site: Site) -> None:
    source = "@hookimpl\ndef parallel_pool_options(options): return {**options, 'rom': 'found'}"
    site.install("less", source, envs="'less/A-v0', options={'skip': 4}")
    answer = site.ask("answer = r.complete_options(r.resolve('A').spec, {'skip': 2, 'x': 1})")
    assert answer.value == {"skip": 2, "x": 1, "rom": "found"}


def test_warning_turned_into_error_does_not_scan_twice(site: Site) -> None:
    site.install("bad", "print('imported'); raise OSError")
    code = """
        import warnings; warnings.simplefilter("error")
        from parallel_pool.registry import registry
        try: registry()
        except UserWarning: pass
        registry()
    """
    answer = site.run("-c", dedent(code))
    assert answer.status == 0, answer.errors
    assert answer.output.count("imported") == 1
