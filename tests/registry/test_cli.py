"""The commands: what they print, what they return, and what they must not import."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from parallel_pool.cli.of_a_wheel import OF_WHEELS

from .sites import CORE, Site

ENVS = """
    'lander/A-v0', summary='Land gently.', aliases=('Moon-v0',), options={'skip': 4}
    'lander/LongName-v0', deprecated='use lander/A-v0'
    'lander/Gone-v0', removed='use lander/A-v0'
"""

WATCH = """
import sys, time
started = time.perf_counter()
asked = set()
class Watch:
    def find_spec(self, name, path=None, target=None):
        asked.add(name)
sys.meta_path.insert(0, Watch())
{action}
heavy = {{"numpy", "gymnasium", "parallel_pool._core", "ctypes"}} & asked
print("heavy:", sorted(heavy), "plugins:", sorted(n for n in asked if n.endswith("_plugin")))
print(f"seconds: {{time.perf_counter() - started:.3f}}", file=sys.stderr)
"""
LIST = "from parallel_pool.cli import main; assert main(['list']) == 0"


@pytest.fixture
def lander(site: Site) -> Site:
    """A site with one plugin that has no library."""
    site.install("lander", envs=ENVS, version="0.3")
    return site


def test_what_is_light_loads_nothing(lander: Site) -> None:
    answer = lander.run("-c", WATCH.format(action="import parallel_pool"))
    assert answer.output.splitlines()[-1] == "heavy: [] plugins: []"
    answer = lander.run("-c", WATCH.format(action=LIST))
    assert answer.output.splitlines()[-1].startswith("heavy: []")


def test_list(lander: Site) -> None:
    answer = lander.cli("list")
    assert answer.output.splitlines() == [
        "lander/A-v0         Land gently.",
        "lander/LongName-v0  [deprecated: use lander/A-v0]",
    ]
    aliased = lander.cli("list", "--aliases", "--family", "lander").output.splitlines()
    assert aliased[0] == "lander/A-v0         Moon-v0  Land gently."
    assert lander.cli("list", "MOON", "gently").output.splitlines() == ["lander/A-v0  Land gently."]
    assert lander.cli("list", "sun").output == "none of 2 environments has 'sun'\n"
    specs = json.loads(lander.cli("list", "--json").output)
    assert [spec["id"] for spec in specs] == ["lander/A-v0", "lander/LongName-v0"]
    assert specs[0]["options"] == {"skip": 4}


def test_list_of_nothing(site: Site) -> None:
    assert "pip install" in site.cli("list").output
    answer = site.cli("list", "--family", "atari")
    assert answer.status == 1
    assert answer.errors.strip() == (
        "error: no plugin provides the family 'atari': pip install 'parallel-pool[atari]'"
    )


def test_list_warns_in_plain_words(site: Site) -> None:
    site.install("bad", "import no_such_module")
    answer = site.cli("list")
    assert answer.status == 0
    assert answer.errors.startswith("warning: plugin bad (pp-bad 1.0) is skipped")


def test_info(lander: Site) -> None:
    answer = lander.cli("info", "Moon-v0")
    assert answer.status == 0, answer.errors
    assert "plugin" in answer.output
    assert "lander (pp-lander 0.3)" in answer.output
    assert "skip=4" in answer.output
    facts = json.loads(lander.cli("info", "lander/A-v0", "--json").output)
    assert facts["options"] == {"skip": 4}


def test_info_of_directories(site: Site) -> None:
    code = """
import parallel_pool
from parallel_pool.cli import main
parallel_pool.get_include = lambda: "the headers"
parallel_pool.get_cmake_dir = lambda: "the package"
main(["info", "--include-dir"]), main(["info", "--cmake-dir"])
"""
    assert site.run("-c", code).output.splitlines() == ["the headers", "the package"]


def test_version_help_and_usage(site: Site) -> None:
    assert site.cli("--version").output.startswith("parallel-pool ")
    usage = site.cli("--help").output
    for command in ("list", "info", "doctor", "bench"):
        assert command in usage
    assert site.cli("nonsense").status == 2
    bare = site.cli()
    assert (bare.output, bare.status) == (usage, 2)
    assert site.cli("info").status == 2
    unknown = site.cli("list", "--colour", "red")
    assert unknown.status == 2
    assert unknown.errors.startswith("usage: parallel-pool list [-h]")
    assert "unrecognized arguments: --colour" in unknown.errors


def test_without_the_wheels_of_commands(site: Site) -> None:
    usage = " ".join(site.cli("--help").output.split())
    for command, wheel in OF_WHEELS.items():
        assert f"{command} {wheel.help}" in usage
        for words in (["lander", "--env", "Lander"], ["--help"]):
            answer = site.cli(command, *words)
            assert answer.status == 1
            needs = f"`parallel-pool {command}` needs {wheel.module}, which is missing"
            install = f"pip install -U 'parallel-pool[{wheel.extra}]'"
            assert answer.errors == f"error: {needs}: {install}\n"
    said = site.run("-c", "import parallel_pool.testing").errors
    assert "LibraryError: parallel_pool.testing needs parallel_pool_author, which is" in said
    assert said.endswith("pip install -U 'parallel-pool[author]'\n")


def test_broken_pipe_is_quiet(site: Site) -> None:
    lines = [f"'many/Game{n}-v5', summary='{'x' * 90}'" for n in range(2000)]
    site.install("many", envs="\n".join(lines))
    command = f"{sys.executable} -S -m parallel_pool.cli list | head -1"
    code = f"import subprocess; subprocess.run({command!r}, shell=True, check=True)"
    answer = site.run("-c", code)
    assert answer.output.count("\n") == 1
    assert answer.errors == ""


LIBRARY = """
@hookimpl
def parallel_pool_library(family):
    return __file__.replace("pp_lander_plugin.py", "lander.so")
@hookimpl
def parallel_pool_doctor():
    yield Check("rom", {ok}, "one file", "pip install roms")
"""


def dependencies(site: Site) -> None:
    """What the core needs is installed, as far as package metadata tells."""
    for name, version in {"numpy": "2.0", "gymnasium": "1.2", "dm-env": "1.6"}.items():
        site.metadata(name, version)


@pytest.fixture
def healthy(site: Site) -> Site:
    """A site where everything that `doctor` looks at is in order."""
    dependencies(site)
    site.install("lander", LIBRARY.format(ok=True), envs=ENVS, version="0.3")
    site.install_compiled_core()
    return site


def library(site: Site, source: str) -> Path:
    """Compile the plugin's library."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    path = site.root / "lander.so"
    include = CORE.parents[1] / "include"
    command = [compiler, "-shared", "-fPIC", f"-I{include}", "-o", path, "-xc", "-"]
    subprocess.run(command, input=source.encode(), check=True)
    return path


def test_doctor_finds_a_missing_core(site: Site) -> None:
    answer = site.cli("doctor")
    assert answer.status == 1
    assert "FAILED  compiled core" in answer.output
    assert "compiled core: pip install --force-reinstall parallel-pool" in answer.output


def test_doctor_needs_no_dependency_and_misses_each(healthy: Site) -> None:
    library(healthy, PLUGIN.replace("{major}", "PP_ABI_MAJOR"))
    for name in ("numpy", "gymnasium", "dm-env"):
        (folder,) = healthy.root.glob(f"{name.replace('-', '[-_]')}-*")
        away = folder.rename(healthy.root / "away")
        answer = healthy.cli("doctor")
        away.rename(folder)
        assert answer.status == 1
        assert f"{name}: pip install {name}" in answer.output
        assert answer.output.count("FAILED") == 1, answer.output
    (healthy.root / "pluggy").unlink()
    answer = healthy.cli("doctor")
    assert (answer.status, answer.errors) == (1, "")
    assert answer.output.endswith("pluggy: pip install pluggy\n")


PLUGIN = """
#include <parallel_pool/abi.h>
PP_EXPORT const pp_plugin parallel_pool_plugin = {
    PP_ABI_MAGIC, {major}, PP_ABI_MINOR, PP_ABI_MIN_HOST, "lander", "0.3", sizeof(pp_plugin), 0, 0};
"""


def test_doctor_accepts_a_plugin(healthy: Site) -> None:
    path = library(healthy, PLUGIN.replace("{major}", "PP_ABI_MAJOR"))
    answer = healthy.cli("doctor")
    assert answer.status == 0, answer.output
    assert "plugin lander: library  ABI " in answer.output
    assert f", {path}\n" in answer.output
    assert "plugin ABI " in answer.output


AGAIN = "plugin lander: library: pip install --force-reinstall pp-lander"
REFUSED: dict[str, tuple[str, tuple[str, ...]]] = {
    "no plugin": ("int nothing;", ("parallel_pool_plugin", "ok      plugin lander: rom")),
    "another ABI": (PLUGIN.replace("{major}", "77"), ("ABI", "77")),
    "truncated": ("char big[99999] = {1};", (AGAIN,)),
}


@pytest.mark.parametrize("case", REFUSED)
def test_doctor_refuses_a_library(healthy: Site, case: str) -> None:
    source, words = REFUSED[case]
    path = library(healthy, source)
    if case == "truncated":
        path.write_bytes(path.read_bytes()[:5000])
    answer = healthy.cli("doctor")
    assert answer.status == 1
    for each in ("FAILED  plugin lander: library", *words):
        assert each in answer.output
    assert "Traceback" not in answer.output


def test_doctor_reports_each_kind_of_trouble_once(site: Site) -> None:
    dependencies(site)
    site.install_compiled_core()
    site.install("broken", "import no_such_module")
    site.install("partly", envs="'partly/A-v0', backend='python'\n'other/A-v0'")
    site.install("off", "raise OSError")
    answer = site.cli("doctor", PARALLEL_POOL_DISABLE_PLUGINS="off")
    assert answer.status == 1
    assert answer.output.count("no_such_module") == 1
    assert "other/A-v0 is outside the plugin's own family" in answer.output
    assert "disabled by PARALLEL_POOL_DISABLE_PLUGINS" in answer.output
    assert answer.errors == ""
