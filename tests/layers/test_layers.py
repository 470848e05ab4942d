"""The tree keeps its layers: tools/layers.py says which, and what breaks them."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "tools"))
import dependencies
import layers


def test_nothing_breaks_the_layers() -> None:
    assert not layers.violations()


def test_the_picture_is_of_this_tree() -> None:
    drawn = layers.PICTURE.read_text(encoding="utf-8")
    assert drawn == layers.drawing(), "draw it again: uv run python tools/layers.py --draw"


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ({"low": {"high"}, "high": set()}, ["low uses high, which is above it"]),
        (
            {"low.part": {"high.part"}, "high.part": set()},
            ["low.part uses high.part, which is above it"],
        ),
        ({"high": {"low"}, "low": set()}, []),
        ({"new": set()}, ["new: in no layer; give it one in tools/layers.py"]),
    ],
)
def test_what_counts_as_upward(edges: dict[str, set[str]], expected: list[str]) -> None:
    assert list(layers.upward(edges, [("low",), ("high",)], ".")) == expected


def test_circles_are_found_whole() -> None:
    edges = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": {"e"}}
    assert layers.circles(edges) == [["a", "b", "c"]]


def test_lazy_imports_count(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from parallel_pool.views import base\n"
        "def lazy():\n    import parallel_pool.making\n    from parallel_pool import _core, make\n"
    )
    known = {"views.base": True, "making": True, "_core": True}
    assert dependencies.imports_of(module, known) == {"views.base", "making", "_core", ""}
