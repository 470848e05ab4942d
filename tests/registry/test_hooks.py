"""Libraries, options, factories and checks: what a plugin answers, and what it fails to."""

from .sites import Site

ENVS = "'lander/A-v0', options={'skip': 4}\n'lander/P-v0', backend='python'"


def test_library_is_seen_to_exist(site: Site) -> None:
    source = """
        from pathlib import Path
        @hookimpl
        def parallel_pool_library(family):
            return Path(__file__).with_name(f"lib{family}.so")
    """
    site.install("lander", source, envs=ENVS, version="0.3")
    parts = (str(site.root / "liblander.so"), "pip install --force-reinstall pp-lander")
    site.refuses("library_path('lander')", "lander (pp-lander 0.3)", *parts)
    (site.root / "liblander.so").touch()
    assert site.ask("answer = str(library_path('lander'))").value == parts[0]


def test_library_refusals(site: Site) -> None:
    site.install("nolib", envs="'nolib/A-v0'")
    site.install("number", "@hookimpl\ndef parallel_pool_library(): return 3", envs="'number/A-v0'")
    site.install("broken", "import no_such_module")
    expected = {
        "nolib": "parallel_pool_library is missing or returned None",
        "number": "must return a path, not 3",
        "broken": "No module named 'no_such_module'",
        "atari": "pip install 'parallel-pool[atari]'",
        "nothere": "no plugin provides the family 'nothere'",
    }
    for family, part in expected.items():
        site.refuses(f"library_path({family!r})", part)


def test_options_are_presets_then_the_users_then_the_plugins(site: Site) -> None:
    source = """
        from parallel_pool.errors import OptionError
        @hookimpl
        def parallel_pool_options(spec, options):
            if "bad" in options:
                raise OptionError("lander 1.0: no option 'bad'")
            if "crash" in options:
                raise OSError("disk")
            if "file" in options:
                open(f"/no_such_folder/{options['file']}.bin")
            if "own" in options:
                open("/no_such_folder/own.bin")
            if "wrong" in options:
                return 3
            if "lost" in options:
                return {"skip": 4}
            if "none" in options:
                options.clear()
                return None
            return {**options, "id": spec.id}
    """
    site.install("lander", source, envs=ENVS)
    results = {
        "{'skip': 2}": {"skip": 2, "id": "lander/A-v0"},
        "{'none': 1}": {"skip": 4, "none": 1},
        "{'bad': 1}": ["OptionError", "lander 1.0: no option 'bad'"],
        "{'file': 'x'}": [
            "OptionError",
            "lander/A-v0: option 'file' is 'x': No such file or directory",
        ],
    }
    for options, expected in results.items():
        code = f"answer = completed(r.resolve('lander/A-v0').spec, {options})[0]"
        assert site.ask(code).value == expected
    for option, part in {
        "crash": "raised OSError: disk",
        "own": "raised FileNotFoundError: [Errno 2] No such file or directory: '/no_such_folder/own.bin'",
        "wrong": "not 3",
        "lost": "dropped 'lost'",
    }.items():
        code = f"completed(r.resolve('lander/A-v0').spec, {{{option!r}: 1}})[0]"
        site.refuses(code, part)


def test_what_the_user_writes_is_translated_before_anything_else(site: Site) -> None:
    source = """
        @hookimpl
        def parallel_pool_translate(spec, options):
            if "wrong" in options:
                return 3
            if "none" in options:
                options.clear()
                return None
            return {"gravity": -options["g"]}
    """
    site.install("lander", source, envs=ENVS)
    site.install("plain", envs="'plain/A-v0'")
    for family, options, expected in (
        ("lander", "{'g': 3}", {"gravity": -3}),
        ("lander", "{'none': 1}", {"none": 1}),  # presets come later
        ("plain", "{'g': 3}", {"g": 3}),
    ):
        code = f"answer = translate_options(r.resolve('{family}/A-v0').spec, {options})"
        assert site.ask(code).value == expected
    site.refuses(
        "translate_options(r.resolve('lander/A-v0').spec, {'wrong': 1})",
        "parallel_pool_translate must return a mapping or None, not 3",
    )


def test_env_factory(site: Site) -> None:
    source = """
        @hookimpl
        def parallel_pool_env_factory(spec, options):
            if spec.backend == "python":
                return lambda: [spec.id, options["x"]]
    """
    site.install("lander", source, envs=ENVS)
    code = "answer = env_factory(r.resolve({!r}).spec, {{'x': 1}})()"
    assert site.ask(code.format("lander/P-v0")).value == ["lander/P-v0", 1]
    site.refuses(code.format("lander/A-v0"), "cannot make lander/A-v0 in Python")


def test_checks_never_raise(site: Site) -> None:
    source = "@hookimpl\ndef parallel_pool_doctor():\n    yield Check('rom', True)\n    {}\n"
    site.install("good", source.format("yield 3"), envs="'good/A-v0'")
    site.install("bad", source.format("raise OSError('disk')"), envs="'bad/A-v0'")
    answer = site.ask("""
        answer = [[(c.name, c.ok) for c in checks(f)] for f in ("good", "bad")]
    """)
    assert answer.value == [
        [["rom", True], ["parallel_pool_doctor", False]],
        [["parallel_pool_doctor", False]],
    ]


def test_program_registers_a_preset_of_an_installed_plugin(site: Site) -> None:
    site.install("lander", envs=ENVS)
    answer = site.ask("""
        from parallel_pool.plugin_api import EnvSpec
        spec = EnvSpec("lander/Heavy-v0", native="lander/A-v0", options={"gravity": 20})
        r.register(spec)
        r.register(spec)
        answer = [r.resolve("Heavy").plugin.distribution, r.list_all_envs()]
    """)
    assert answer.value == ["pp-lander", ["lander/A-v0", "lander/Heavy-v0", "lander/P-v0"]]


def test_program_registers_a_family_of_its_own(site: Site) -> None:
    answer = site.ask("""
        from parallel_pool.plugin_api import EnvSpec, hookimpl
        r.register(EnvSpec("mine/A-v0"), library=__import__("json").__file__)
        r.register(EnvSpec("mine/B-v0"), library=__import__("pathlib").Path(__import__("json").__file__))
        r.register(EnvSpec("mine/C-v0"))
        r.register(EnvSpec("own/P-v0", backend="python"), factory=lambda spec, o: lambda: spec.id)
        p = r.resolve("P").spec

        class Hooks:
            @hookimpl
            def parallel_pool_options(self, spec, options):
                return {**options, "of": spec.id}

        r.register(EnvSpec("hooked/T-v0"), hooks=Hooks())
        answer = [r.list_all_envs(), library_path("mine").name, env_factory(p, {})(),
                  completed(p, {"x": 1})[0], completed(r.resolve("T").spec, {})[0]]
    """)
    ids = ["hooked/T-v0", "mine/A-v0", "mine/B-v0", "mine/C-v0", "own/P-v0"]
    assert answer.value == [ids, "__init__.py", "own/P-v0", {"x": 1}, {"of": "hooked/T-v0"}]


def test_program_cannot_register_what_is_not_its_own(site: Site) -> None:
    site.install("lander", envs=ENVS)
    cases = {
        "EnvSpec('mine/A-v0')": "pass library=PATH",
        "EnvSpec('atari/A-v0'), library='x'": "pip install 'parallel-pool[atari]'",
        "EnvSpec('lander/B-v0'), library='x'": "belongs to plugin lander (pp-lander 1.0)",
        "EnvSpec('lander/A-v0', summary='other')": "lander/A-v0 is listed twice",
        "EnvSpec('mine/A-v0', aliases=['atari/Pong-v5']), library='x'": "first-party family",
        "EnvSpec('mine/A-v0'), library='x', hooks=r": "or hooks= in place of both",
        "EnvSpec('mine/A-v0'), hooks=EnvSpec); r.register(EnvSpec('mine/B-v0'), factory=print": "leave out",
        "EnvSpec('mine/A-v0'), library='x'); r.register(EnvSpec('mine/B-v0'), hooks=r": "made by x already",
    }
    for arguments, part in cases.items():
        code = f"from parallel_pool.plugin_api import EnvSpec; r.register({arguments})"
        site.refuses(code, part)


def test_environments_of_a_program_have_factories_of_their_own(site: Site) -> None:
    answer = site.ask("""
        from parallel_pool.errors import PluginError
        from parallel_pool.plugin_api import EnvSpec
        a, b, c = (EnvSpec(f"own/{name}-v0", backend="python") for name in "ABC")
        r.register(a, factory=lambda spec, options: lambda: "a")
        r.register(b, factory=lambda spec, options: lambda: "b")
        r.register(c)
        answer = [env_factory(each, {})() for each in (a, b, c)]
        r.register(a, factory=lambda spec, options: lambda: "again")
        answer += [env_factory(each, {})() for each in (a, b)]
        try:
            r.register(EnvSpec("own/D-v0"), library="d.so")
        except PluginError as error:
            answer.append(str(error))
    """)
    *made, refused = answer.value
    assert made == ["a", "b", "a", "again", "b"]
    assert "factories in Python already; leave out library" in refused
