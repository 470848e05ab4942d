"""Puts small but real distributions on a subprocess's path and asks the registry about them.

A directory with a package and its `*.dist-info` counts as installed for importlib.metadata. Every
question runs in a process of its own, because imports and warnings leave traces. That process sees
the core's Python sources, pluggy and the test's own distributions, and nothing else: the plugins of
the environment that runs the tests must not answer.
"""

import importlib.util
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, NamedTuple

import pluggy
import pytest
from test_envs.forked import Forked
from test_envs.programs import ran

CORE = Path(__file__).parents[2] / "core" / "python" / "parallel_pool"
LIMIT = 120
"""Seconds that a process may take."""
HOOKS = """
    from parallel_pool.registry import hooks
    def asked(hook):
        def ask(of, *given):
            plugin = r.plugin(of if isinstance(of, str) else of.family)
            return getattr(hooks, hook)(plugin, *([] if isinstance(of, str) else [of]), *given)
        return ask
    library_path, checks, env_factory, translate_options, completed = map(
        asked, "library_path checks env_factory translate_options complete_options".split()
    )
"""
"""Hooks of the plugin of a family, or of a spec."""
HEADER = "from parallel_pool.plugin_api import Check, EnvSpec, hookimpl\n"


class Answer(NamedTuple):
    """What a subprocess said: the JSON it printed last, its warnings, and all it wrote."""

    value: Any
    warnings: list[str]
    output: str
    errors: str
    status: int


class Site:
    """A directory that stands for site-packages."""

    def __init__(self, root: Path, forks: Forked | None = None) -> None:
        self.root = root
        self._forks = forks
        root.mkdir(parents=True, exist_ok=True)

    def install_core(self) -> None:
        """Install the core from its sources, without the compiled module, and what it needs."""
        (self.root / "parallel_pool").mkdir()
        for part in CORE.iterdir():
            (self.root / "parallel_pool" / part.name).symlink_to(part)
        (self.root / "pluggy").symlink_to(Path(pluggy.__file__).parent)
        self.metadata("parallel-pool", "9.9")

    def install_compiled_core(self) -> None:
        """Add the compiled module of the environment that runs the tests; skip if it has none."""
        spec = importlib.util.find_spec("parallel_pool._core")
        if spec is None or spec.origin is None:
            pytest.skip("needs the compiled core")
        compiled = Path(spec.origin)
        self._forks = None  # which have imported a core without it
        (self.root / "parallel_pool" / compiled.name).symlink_to(compiled)

    def install(
        self,
        family: str,
        source: str = "",
        *,
        envs: str | None = None,
        distribution: str | None = None,
        version: str = "1.0",
        module: str | None = None,
    ) -> Path:
        """Install a plugin whose module holds `source`, and lists `envs` (EnvSpec arguments)."""
        distribution = distribution or f"pp-{family}"
        module = module or distribution.replace("-", "_") + "_plugin"
        if envs is not None:
            source = dedent(source) + listing(envs)
        path = self.root / f"{module}.py"
        path.write_text(HEADER + dedent(source))
        entry_points = f"[parallel_pool]\n{family} = {module}\n"
        self.metadata(distribution, version, entry_points)
        return path

    def metadata(self, distribution: str, version: str, entry_points: str = "") -> None:
        """Write only the dist-info directory."""
        info = self.root / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        about = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
        (info / "METADATA").write_text(about)
        if entry_points:
            (info / "entry_points.txt").write_text(entry_points)

    def environment(self, path: "Sequence[Site]" = (), **more: str) -> dict[str, str]:
        """Variables of a process with this site and then `path` as its only sites."""
        sites = os.pathsep.join(str(site.root) for site in (self, *path))
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("PARALLEL_POOL")}
        return inherited | {"PYTHONPATH": sites} | more

    def run(self, *arguments: str, path: "Sequence[Site]" = (), **environment: str) -> Answer:
        """Run Python with this site and then `path` as its only sites."""
        given = self.environment(path, **environment)
        hidden = os.environ.keys() - given.keys()
        done = ran("-S", *arguments, seconds=LIMIT, hidden=hidden, **given)
        return Answer(None, _warnings(done.stderr), done.stdout, done.stderr, done.returncode)

    def program(self, program: str, path: "Sequence[Site]" = (), **environment: str) -> Answer:
        """As `run("-c", program)`; the core may be imported before."""
        if self._forks is None:
            return self.run("-c", program, path=path, **environment)
        sites = [str(site.root) for site in (self, *path)]
        variables = self.environment(path, **environment)
        status, *said = self._forks.run(LIMIT, program=program, path=sites, environment=variables)
        assert status is not None, f"it takes over {LIMIT} s: {program}"
        return Answer(None, _warnings(said[1]), *said, status)

    def ask(self, code: str, *, path: "Sequence[Site]" = (), **environment: str) -> Answer:
        """Run `code`, in which `r` is the registry and HOOKS are, and return what it assigned to `answer`.

        An error raised by `code` becomes the answer `[type, message]`.
        """
        program = (
            "import json\n"
            "answer = None\n"
            "try:\n"
            "    from parallel_pool.registry import registry\n"
            "    r = registry()\n" + HOOKS + indent(dedent(code), "    ") + "\n"
            "except Exception as error:\n"
            "    answer = [type(error).__name__, str(error)]\n"
            "print(); print(json.dumps(answer))\n"
        )
        answer = self.program(program, path, **environment)
        assert answer.status == 0, answer.errors
        return answer._replace(value=json.loads(answer.output.splitlines()[-1]))

    def answers(
        self, value: Any, code: str = "answer = r.list_all_envs()", *, warned: int = 0, **how: Any
    ) -> list[str]:
        """`code` answers this, with so many warnings, which it returns."""
        answer = self.ask(code, **how)
        assert answer.value == value
        assert len(answer.warnings) == warned, answer.warnings
        return answer.warnings

    def refuses(self, code: str, *parts: str, kind: str = "PluginError", **environment: str) -> str:
        """The message of the error of this class that `code` raises; these parts are in it."""
        answer = self.ask(code, **environment)
        assert answer.value[0] == kind, answer
        message: str = answer.value[1]
        for part in parts:
            assert part in message
        return message

    def errors(self, ids: Sequence[str]) -> list[list[str]]:
        """The class and the message of the error for each id, which all mean nothing."""
        code = f"""
            answer = []
            for id in {list(ids)}:
                try:
                    r.resolve(id)
                except Exception as error:
                    answer.append([type(error).__name__, str(error)])
        """
        answer = self.ask(code)
        assert not answer.warnings
        said: list[list[str]] = answer.value
        assert len(said) == len(ids), said
        return said

    def unknown(self, task_id: str, *parts: str, **environment: str) -> str:
        code = f"r.resolve({task_id!r})"
        return self.refuses(code, *parts, kind="UnknownEnvError", **environment)

    def cli(self, *arguments: str, **environment: str) -> Answer:
        words = ["parallel-pool", *arguments]
        program = (
            f"import sys; sys.argv = {words}; from parallel_pool.cli import main; sys.exit(main())"
        )
        return self.program(program, **environment)


def listing(envs: str) -> str:
    """Source of a hook that lists `EnvSpec(...)` for each line of `envs`."""
    specs = "".join(f"        EnvSpec({line}),\n" for line in dedent(envs).strip().splitlines())
    return f"\n@hookimpl\ndef parallel_pool_envs():\n    return [\n{specs}    ]\n"


def _warnings(errors: str) -> list[str]:
    return re.findall(r"(?:PluginWarning|DeprecationWarning|warning): (.*)", errors)
