"""Plugins that do what no plugin should, and cost one warning. Those skipped whole: test_isolation.py."""

import json

import pytest

from .sites import Site

HOOK = "@hookimpl\ndef parallel_pool_envs():\n"
LISTS = HOOK + "    return [EnvSpec('bad/A-v0'), {}]"
COSTS_ONE = {
    "a repr that raises": (
        "class G:\n    def __repr__(self): raise ValueError\n" + LISTS.format("G()"),
        "not <G instance",
    ),
    "a long repr": (LISTS.format("'x' * 10**7"), "not 'xxx"),
    "what lies about its class": (
        "class G:\n    __class__ = EnvSpec\n    def __getattr__(self, name): raise OSError('lazy')\n"
        + LISTS.format("G()"),
        "OSError: lazy",
    ),
    "an attribute that raises": (
        "class S(EnvSpec):\n    @property\n    def family(self): raise OSError('lazy')\n"
        "    def __getattribute__(self, name):\n"
        "        if name == 'tags' and broken: raise OSError('lazy')\n"
        "        return super().__getattribute__(name)\n"
        "broken = False\n"
        + HOOK
        + "    global broken\n    listed = [EnvSpec('bad/A-v0'), S('bad/B-v0')]\n    broken = True\n"
        "    return listed",
        "cannot be read: OSError: lazy",
    ),
}


@pytest.mark.parametrize("name", COSTS_ONE)
def test_an_environment_that_cannot_be_read_costs_only_itself(site: Site, name: str) -> None:
    source, reason = COSTS_ONE[name]
    site.install("bad", source)
    (warning,) = site.answers(["bad/A-v0"], warned=1)
    assert reason in warning
    assert len(warning) < 1000


def test_a_spec_whose_attributes_change_is_read_once(site: Site) -> None:
    source = """
        class S(EnvSpec):
            read = 0
            def __getattribute__(self, name):
                if name == "summary":
                    S.read += 1
                    if S.read > 3:
                        raise OSError("later")
                return super().__getattribute__(name)

        @hookimpl
        def parallel_pool_envs():
            return [S("bad/A-v0")]
    """
    site.install("bad", source)
    for _ in range(2):
        assert site.cli("list").output.strip() == "bad/A-v0"
    assert site.ask("answer = [type(s).__name__ for s in r.specs() * 9]").value == ["EnvSpec"] * 9


def test_what_an_import_changes_in_the_process_is_noted(site: Site) -> None:
    site.install(
        "bad",
        "import os, signal, sys\nos.chdir('/')\nsignal.signal(signal.SIGINT, signal.SIG_IGN)",
        envs="'bad/A-v0'",
    )
    answer = site.ask("answer = r.plugins[0].notes")
    assert answer.value == [
        "importing it changes the working directory",
        "importing it changes the handler of SIGINT",
    ]
    site.refuses("", "the working directory", PARALLEL_POOL_STRICT_PLUGINS="1")


def test_what_an_import_prints_is_no_json(site: Site) -> None:
    site.install("bad", "print('{ noise')", envs="'bad/A-v0', summary='two\\nlines'")
    answer = site.cli("list", "--json")
    assert [spec["id"] for spec in json.loads(answer.output)] == ["bad/A-v0"]
    assert "{ noise" in answer.errors
    assert "bad/A-v0  two lines" in site.cli("list").output


def test_the_one_who_interrupts_an_import_learns_which_it_was(site: Site) -> None:
    site.install("bad", "raise KeyboardInterrupt")
    answer = site.cli("list")
    assert answer.status == 130
    assert answer.errors.strip() == (
        "interrupted while importing pp_bad_plugin of plugin bad (pp-bad 1.0); "
        "To hide it: PARALLEL_POOL_DISABLE_PLUGINS=pp-bad"
    )


def test_hooks_that_return_anything_at_all(site: Site) -> None:
    source = """
        from collections.abc import Mapping
        class Lazy(Mapping):
            def __getitem__(self, key): raise OSError("lazy")
            def __iter__(self): return iter("ab")
            def __len__(self): return 2
        class Where:
            def __fspath__(self): raise OSError("lazy")
        @hookimpl
        def parallel_pool_library(): return Where()
        @hookimpl
        def parallel_pool_options(options): return Lazy()
        @hookimpl
        def parallel_pool_translate(options): return {1: 2}
        @hookimpl
        def parallel_pool_doctor(): return [Check(3, True), Check("a", True, None), Check("b", True)]
    """
    site.install("bad", source, envs="'bad/A-v0'")
    expected = {
        "library_path('bad')": "parallel_pool_library raised OSError: lazy",
        "completed(r.resolve('A').spec, {})[0]": "parallel_pool_options raised OSError: lazy",
        "translate_options(r.resolve('A').spec, {})": "must return a mapping with texts as keys",
    }
    for code, part in expected.items():
        site.refuses(code, part)
    answer = site.ask("answer = [(c.name, c.ok) for c in checks('bad')]")
    assert answer.value == [
        ["parallel_pool_doctor", False],
        ["parallel_pool_doctor", False],
        ["b", True],
    ]
    doctor = site.cli("doctor")
    assert "Traceback" not in doctor.errors
    assert "must yield Check with texts" in doctor.output
