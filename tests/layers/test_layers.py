"""The tree keeps its layers: tools/layers.py says which, and what breaks them."""

from pathlib import Path

import layers
import layers_picture
import pytest


def test_nothing_breaks_the_layers() -> None:
    assert not layers.violations()


def test_the_picture_is_of_this_tree() -> None:
    drawn = layers_picture.PICTURE.read_text(encoding="utf-8")
    assert drawn == layers_picture.drawing(), "draw it again: uv run python tools/layers_picture.py"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree with a plugin and the folder of the examples."""
    monkeypatch.setattr(layers, "ROOT", tmp_path)
    monkeypatch.setattr(layers, "python_edges", dict)
    (tmp_path / "examples/third_party").mkdir(parents=True)
    plugin = tmp_path / "plugins/parallel_pool_moon"
    (plugin / "python/parallel_pool_moon").mkdir(parents=True)
    (plugin / "include/parallel_pool_moon").mkdir(parents=True)
    (plugin / "src").mkdir()
    (plugin / "pyproject.toml").write_text('build-system.requires = ["parallel-pool-crafts>=0.1"]')
    return plugin


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("python/parallel_pool_moon/_a.py", "from parallel_pool_crafts import sdk", ""),
        ("python/parallel_pool_moon/_a.py", "import parallel_pool_moon._b", ""),
        ("src/moon.cpp", "#include <parallel_pool_crafts/rewards.hpp>", ""),
        ("include/parallel_pool_moon/a.hpp", '#include "parallel_pool/rng.hpp"', ""),
        (
            "python/parallel_pool_moon/_a.py",
            "import parallel_pool_mars",
            "is another plugin and not required by it",
        ),
        (
            "python/parallel_pool_moon/_a.py",
            "from parallel_pool_crafts import _envs",
            "parallel_pool_crafts._envs, which is not for other plugins",
        ),
        (
            "python/parallel_pool_moon/sdk.py",
            "from parallel_pool_moon._envs import envs",
            "which is not for other plugins",
        ),
        ("python/parallel_pool_moon/_a.py", "import parallel_pool.views", "parallel_pool.views"),
        ("python/parallel_pool_moon/a.py", "from parallel_pool import EnvError, pool_api", ""),
        ("python/parallel_pool_moon/a.py", "self._pool = x._pool, x._config", "uses _config"),
        ("src/moon.cpp", "#include <parallel_pool_mars/a.hpp>", "its build does not require"),
        ("src/moon.cpp", '#include "parallel_pool/host/pool.hpp"', "includes host/pool.hpp"),
        ("include/parallel_pool_moon/a.hpp", '#include "moon.hpp"', "is not for other plugins"),
        (
            "include/parallel_pool_moon/a.hpp",
            '#include "parallel_pool_moon/a.hpp"\n#include "parallel_pool_moon/b.hpp"',
            "",
        ),
    ],
)
def test_what_plugins_may_use(tree: Path, file: str, text: str, expected: str) -> None:
    (tree / file).write_text(f"{text}\n")
    found = list(layers.plugin_violations())
    assert len(found) == bool(expected)
    assert all(expected in each for each in found)


def test_every_exception_is_needed() -> None:
    """A file that may say such a name does, so that the list does not grow old."""
    allowed, layers.NAMES_ALLOWED = layers.NAMES_ALLOWED, {}
    try:
        found = {each.split(" says ")[0].removeprefix("core/") for each in layers.forbidden_names()}
    finally:
        layers.NAMES_ALLOWED = allowed
    assert found == allowed.keys()
