"""A family is its folder: what the template wrote into plugins/ is known to all of the tools."""

import json
import zipfile
from pathlib import Path

import pytest
from parallel_pool_author.cli.scaffold import write_plugin
from test_envs.compiling import BUILD_WHEEL
from test_envs.programs import python, ran
from test_envs.repository import repository_copy

ROOT = Path(__file__).parents[2]
PAGE = """
import sys
sys.path.insert(0, "tools/site")
import catalogue, pages
groups = catalogue.groups_of("orbit")
print(pages.overview({"orbit": groups}, set()), pages.reference("orbit", groups, set()))
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with one more family, and the lists of families written again."""
    copy = repository_copy(tmp_path_factory.mktemp("tree"))
    written = write_plugin({"family": "orbit", "author": "Ada"}, copy / "plugins")
    written.rename(copy / "plugins/parallel_pool_orbit")
    python("tools/families.py", folder=copy)
    python("tools/release.py", "urls", "https://example.org/a/b", folder=copy)
    return copy


def test_lists(tree: Path) -> None:
    python("tools/families.py", "--check", folder=tree)
    assert 'orbit = ["parallel-pool-orbit"]' in (tree / "core/pyproject.toml").read_text()
    assert "parallel-pool-orbit = { workspace = true }" in (tree / "pyproject.toml").read_text()
    own = "plugins/parallel_pool_orbit/README.md"
    assert f"[Orbit]({own})" in (tree / "README.md").read_text()
    assert f"| `orbit` | [Orbit](../{own}) |" in (tree / "docs/first-steps.md").read_text()
    assert "| parallel-pool-orbit | MIT |" in (tree / "THIRD_PARTY_NOTICES.md").read_text()


def test_layers(tree: Path) -> None:
    assert "nothing breaks" in python("tools/layers.py", folder=tree)
    header = tree / "core/include/parallel_pool/host/base/orbit.hpp"
    header.write_text('inline const char* family() { return "orbit"; }\n')
    try:
        assert "orbit.hpp says 'orbit'" in ran("tools/layers.py", folder=tree, seconds=250).stdout
    finally:
        header.unlink()


def test_release(tree: Path) -> None:
    said = python("tools/release.py", "folder", "orbit", folder=tree)
    assert said == "folder=plugins/parallel_pool_orbit\npythons=cp311-*\nhere=true\npure=false\n"


def test_what_is_built_is_listed_documented_and_within_limits(tree: Path, tmp_path: Path) -> None:
    python("-c", BUILD_WHEEL, str(tmp_path), folder=tree / "plugins/parallel_pool_orbit")
    (wheel,) = tmp_path.glob("*.whl")
    wheel = wheel.rename(Path(str(wheel).replace("-linux_", "-manylinux_2_28_")))
    said = python("tools/release.py", "check", str(tmp_path), folder=tree)
    assert said.startswith("orbit ")
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    assert "orbit/Orbit-v0" in python(
        "-m", "parallel_pool.cli", "list", folder=tmp_path, PYTHONPATH=str(site)
    )
    page = python("-c", PAGE, folder=tree, PYTHONPATH=str(site))
    assert "## [Orbit](../orbit.md)" in page
    assert "| `Orbit-v0` |" in page
    python("tools/first_party_ids.py", folder=tree, PYTHONPATH=str(site))
    table = (tree / "core/python/parallel_pool/registry/first_party_ids.json").read_text()
    row = {"names": ["Orbit"], "latest": 0, "namespaces": [], "old_names": ""}
    assert json.loads(table)["orbit"] == row
