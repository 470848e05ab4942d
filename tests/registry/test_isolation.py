"""A broken plugin costs one warning that names it, and never another plugin's environments."""

from textwrap import dedent

import pytest

from .sites import Site

HOOK = "@hookimpl\ndef parallel_pool_envs(): "
LISTS = HOOK + "return [EnvSpec('bad/A-{})]"
BROKEN = {
    "no package": (None, "No module named 'no_such_package'"),
    "missing import": ("import no_such_module_at_all", "No module named 'no_such_module_at_all'"),
    "syntax error": ("def (:", "SyntaxError"),
    "exits at import": ("raise SystemExit(3)", "SystemExit: 3"),
    "no exception at all": ("class Panic(BaseException): pass\nraise Panic('rust')", "Panic: rust"),
    "no hooks": ("x = 1", "no function of that name is marked"),
    "forgot the marker": ("def parallel_pool_envs(): return []", "hookimpl"),
    "wrong signature": (HOOK.replace("()", "(nonsense)") + "return []", "Argument(s) {'nonsense'}"),
    "hook raises": (HOOK + "raise OSError('disk')", "OSError: disk"),
    "hook exits": (HOOK + "raise SystemExit", "SystemExit"),
    "generator raises late": (
        HOOK + "\n yield EnvSpec('bad/A-v0')\n raise OSError('x')",
        "OSError: x",
    ),
    "not iterable": (HOOK + "return 3", "TypeError"),
    "ill-formed id": (
        HOOK + "return [EnvSpec('bad/NoVersion')]",
        "'bad/NoVersion' is not an environment id of the form family/Name-vN",
    ),
    "not a spec": (HOOK + "return ['bad/A-v0']", "must yield EnvSpec"),
    "asks the registry at import": (
        "from parallel_pool.registry import registry\nregistry()",
        "return its environments from the hook parallel_pool_envs",
    ),
    "a text that raises": (
        "class E(Exception):\n    def __str__(self): raise ValueError\nraise E",
        "failed with E",
    ),
    "a text of a megabyte": ("raise ValueError('x' * 10**6)", "ValueError: xxx"),
    "no end": (HOOK + "\n    while True: yield 3", "more than 20,000 environments"),
    "a version without end": (LISTS.format("v' + '9' * 5000"), "ValueError: 'bad/A-v999"),
    "a picture rate": (LISTS.format("v0', render_fps='fast'"), "render_fps must be Real"),
    "options by number": (LISTS.format("v0', options={1: 2}"), "options has 1"),
    "tags by number": (LISTS.format("v0', tags=[1]"), "tags has 1"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_plugin_is_skipped_with_one_warning_and_raises_in_strict_mode(
    site: Site, name: str
) -> None:
    source, reason = BROKEN[name]
    if source is None:
        site.metadata("evil-bad", "2.5", "[parallel_pool]\nbad = no_such_package.module:nothing\n")
    else:
        site.install("bad", source, distribution="evil-bad", version="2.5")
    site.install("good", envs="'good/Ok-v0'")
    answer = site.ask("""
        import os
        from parallel_pool.errors import PluginError
        from parallel_pool.registry import reset_for_tests
        answer = [r.list_all_envs(), [p.status for p in r.plugins]]
        os.environ["PARALLEL_POOL_STRICT_PLUGINS"] = "1"
        reset_for_tests()
        try:
            registry()
        except PluginError as error:
            answer.append(str(error))
    """)
    *skipped, raised = answer.value
    assert skipped == [["good/Ok-v0"], ["failed", "ok"]]
    (warning,) = answer.warnings
    assert "bad (evil-bad 2.5) is skipped" in warning
    assert "PARALLEL_POOL_DISABLE_PLUGINS=evil-bad" in warning
    assert len(warning) < 6000
    assert reason in warning
    assert "bad (evil-bad 2.5)" in raised
    assert reason in raised


def test_environment_of_a_broken_plugin_names_the_plugin(site: Site) -> None:
    site.install("bad", "import no_such_module_at_all", version="2.5")
    site.unknown("bad/A-v0", "bad (pp-bad 2.5)", "no_such_module_at_all", "parallel-pool doctor")


def test_slow_plugin_works_and_is_named(site: Site) -> None:
    site.install("slow", "import time\nwhile time.thread_time() < 1.4: pass", envs="'slow/A-v0'")
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
    notes = ["hook parallel_pool_tomorrow is unknown to this core"]
    site.answers(notes, "answer = r.plugins[0].notes")
    site.refuses("", "parallel_pool_tomorrow", PARALLEL_POOL_STRICT_PLUGINS="1")


def test_hook_may_take_fewer_arguments(site: Site) -> None:
    source = "@hookimpl\ndef parallel_pool_options(options): return {**options, 'rom': 'found'}"
    site.install("less", source, envs="'less/A-v0', options={'skip': 4}")
    answer = site.ask("answer = completed(r.resolve('A').spec, {'skip': 2, 'x': 1})[0]")
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
