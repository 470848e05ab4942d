"""Every example of "Author reference" and "Recipes for plugins" builds, and passes the conformance kit."""

import ctypes
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from conformance.findings import hurry
from gymnasium.spaces import Discrete
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.testing import check_plugin
from parallel_pool_author.cli.dev_build import Build, Kind
from parallel_pool_author.cli.dev_project import find_project
from parallel_pool_author.cli.scaffold import write_plugin
from test_envs.code_blocks import DOCS
from test_envs.compiling import compile_plugin
from test_envs.once import once

FILE = re.compile(
    r"^```(?:c|cpp|cmake|python)\n(?://|/\*|#) (\S+\.\w+)(?: \*/)?\n(.*?)^```",
    re.DOTALL | re.MULTILINE,
)


def files(page: str) -> list[tuple[str, str]]:
    """The whole files of a page, in order: path, text."""
    return [(match[1], match[2]) for match in FILE.finditer((DOCS / page).read_text())]


REFERENCE = files("author-reference.md")
RECIPES = {
    "craps": ("src/dice.c", "src/dice.h", "CMakeLists.txt", "src/craps.cpp", "src/glibc_rand.hpp"),
    "swing": ("src/world.h", "src/world.c", "src/swing.cpp", "CMakeLists.txt"),
    "flock": ("src/flock.cpp",),
    "comet": ("src/comet.cpp",),
    "cave": ("src/cave.cpp",),
    "piano": ("src/piano.cpp",),
}
"""By family: the files of its recipe, in the order of the page."""
IN_A_FOLDER = [family for family, paths in RECIPES.items() if "CMakeLists.txt" in paths]
"""Those that need more than the template's build of one source, which tests/template has."""
SOURCES = {
    Path(path).stem: text
    for path, text in REFERENCE + files("recipes.md")
    if path.endswith(".cpp") and Path(path).stem not in IN_A_FOLDER
}


def listed(text: str) -> list[EnvSpec]:
    """What a file _plugin.py lists."""
    names: dict[str, Callable[[], list[EnvSpec]]] = {}
    exec(text, names)
    return names["parallel_pool_envs"]()


def specs(family: str) -> list[EnvSpec]:
    """What the page lists for a family, or its one environment."""
    for path, text in REFERENCE:
        if path == f"python/parallel_pool_{family}/_plugin.py":
            return listed(text)
    found = re.search(r'id = "(\S+)";', SOURCES[family])
    assert found
    modes = ("rgb_array",) if "void draw(" in SOURCES[family] else ()
    return [EnvSpec(found[1], render_modes=modes)]


def registered(family: str, folder: Path) -> None:
    def build(library: Path) -> None:
        source = folder / f"{family}.cpp"
        source.write_text(SOURCES[family])
        compile_plugin(source, library)

    library = once(folder / f"{family}.so", build)
    for spec in specs(family):
        parallel_pool.register(spec, library=library)


def passes(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)
    report = check_plugin(family, steps=60)
    assert report.ok, report.failures


def test_no_example_is_left_out() -> None:
    families = "maze oracle arm scan clock flock comet cave piano"
    assert set(SOURCES) == set(families.split())
    assert IN_A_FOLDER == ["craps", "swing"]
    assert [path for path, _ in files("recipes.md")] == [
        path for paths in RECIPES.values() for path in paths
    ]
    for page in ("author-reference.md", "recipes.md"):
        blocks = re.findall(r"^```\w+$", (DOCS / page).read_text(), re.MULTILINE)
        # Parts of a kernel and of two build files: the template has whole ones.
        parts = 3 if page == "author-reference.md" else 0
        assert len(blocks) - parts == len(files(page))


@pytest.mark.parametrize("family", sorted(SOURCES))
def test_an_example_passes_the_kit(
    family: str, shared_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered(family, shared_folder)
    passes(family, monkeypatch)


def test_presets_share_an_environment(shared_folder: Path) -> None:
    registered("maze", shared_folder)
    for name, size in {"Short": 4, "Long": 64, "Corridor": 8}.items():
        with parallel_pool.make(f"maze/{name}-v0", num_envs=2) as envs:
            assert envs.single_observation_space == Discrete(size)
    with parallel_pool.make("maze/Long-v0", num_envs=2, length=100) as envs:
        assert envs.single_observation_space == Discrete(100)


def test_nested_names_in_python(shared_folder: Path) -> None:
    registered("arm", shared_folder)
    with parallel_pool.make("arm/Reach-v0", num_envs=3) as envs:
        obs, info = envs.reset(seed=0)
        assert obs["arm"]["joints"].shape == (3, 2)
        obs, *_ = envs.step(
            {"torque": np.ones((3, 2), np.float32), "brake": np.array([0, 0, 1], np.int32)}
        )
        assert (obs["arm"]["speeds"] != 0).tolist() == [[True] * 2] * 2 + [[False] * 2]
        assert info["distance"].shape == (3,)


def test_a_clock_is_set_by_a_reset(shared_folder: Path) -> None:
    registered("clock", shared_folder)
    with parallel_pool.make("clock/Clock-v0", num_envs=2, render_mode="rgb_array") as envs:
        obs, _ = envs.reset(seed=0, options={"hour": 3})
        assert obs.tolist() == [3, 3]
        assert envs.read_array("hour").tolist() == [3, 3]
        assert envs.render()[0].shape == (12, 12, 3)


@pytest.mark.parametrize("family", ["craps", pytest.param("swing", marks=pytest.mark.slow)])
def test_a_recipe_builds_and_passes_the_kit(
    family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = iter(files("recipes.md"))
    for name, paths in RECIPES.items():
        mine = [next(page) for _ in paths]
        if name == family:
            break
    text = "".join(text for _, text in mine)
    env = re.search(rf'id = "{family}/(\w+)-v0"', text)
    limit = re.search(r"max_episode_steps = (\d+)", text)
    assert env
    assert limit
    folder = write_plugin({"family": family, "env": env[1], "author": "Ada"}, tmp_path)
    listing = folder / "python" / f"parallel_pool_{family}" / "_plugin.py"
    text = listing.read_text().replace("max_episode_steps=500", f"max_episode_steps={limit[1]}")
    for path, source in mine:
        (folder / path).write_text(source)
    build = Build(find_project(str(folder)), Kind("dev", "-O0", ()))
    build.run()
    (library,) = build.site.rglob(f"{family}*.so")
    for spec in listed(text):
        parallel_pool.register(spec, library=library)
    passes(family, monkeypatch)


def test_the_numbers_of_glibc(tmp_path: Path) -> None:
    text = next(text for path, text in files("recipes.md") if path.endswith("glibc_rand.hpp"))
    source = tmp_path / "numbers.cpp"
    source.write_text(
        text + 'extern "C" void numbers(unsigned seed, int n, int* out) {\n'
        "  GlibcRand random(seed);\n  for (int i = 0; i < n; ++i) out[i] = random.next();\n}\n"
    )
    library = compile_plugin(source, tmp_path / "numbers.so", flags=["-fvisibility=default"])
    mine = ctypes.CDLL(str(library))
    theirs = ctypes.CDLL(None)
    for seed in (0, 1, 42, 2**31, 2**32 - 1):
        out = (ctypes.c_int * 1000)()
        mine.numbers(ctypes.c_uint(seed), 1000, out)
        theirs.srand(ctypes.c_uint(seed))
        assert list(out) == [theirs.rand() for _ in range(1000)]
