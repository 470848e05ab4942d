"""A family is its folder: what the template wrote into plugins/ is known to all of the tools."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from parallel_pool.cli.scaffold import write_plugin

ROOT = Path(__file__).parents[2]
BUILD = "from scikit_build_core.build import build_wheel; import sys; build_wheel(sys.argv[1])"
PAGE = """
import sys
sys.path.insert(0, "tools/site")
import catalogue, pages
groups = catalogue.groups_of("orbit")
print(pages.overview({"orbit": groups}, set()), pages.reference("orbit", groups, set()))
"""


def run(*command: str, folder: Path, site: Path | None = None) -> str:
    """With what is in `site` installed too."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=os.environ | ({} if site is None else {"PYTHONPATH": str(site)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with one more family, and the lists of families written again."""
    copy = tmp_path_factory.mktemp("tree")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, copy / name
        if source.is_file() and not source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    written = write_plugin({"family": "orbit", "author": "Ada"}, copy / "plugins")
    written.rename(copy / "plugins/parallel_pool_orbit")
    run("tools/families.py", folder=copy)
    run("tools/release.py", "urls", "https://example.org/a/b", folder=copy)
    return copy


def test_lists(tree: Path) -> None:
    run("tools/families.py", "--check", folder=tree)
    assert 'orbit = ["parallel-pool-orbit"]' in (tree / "core/pyproject.toml").read_text()
    assert "parallel-pool-orbit = { workspace = true }" in (tree / "pyproject.toml").read_text()


def test_layers(tree: Path) -> None:
    assert "nothing breaks" in run("tools/layers.py", folder=tree)
    header = tree / "core/include/parallel_pool/host/base/orbit.hpp"
    header.write_text('inline const char* family() { return "orbit"; }\n')
    try:
        done = subprocess.run(
            [sys.executable, "tools/layers.py"], cwd=tree, capture_output=True, text=True
        )
        assert "orbit.hpp says 'orbit'" in done.stdout
    finally:
        header.unlink()


def test_release(tree: Path) -> None:
    said = run("tools/release.py", "folder", "orbit-v0.1.0", folder=tree)
    assert said == "folder=plugins/parallel_pool_orbit\nhere=true\n"


def test_what_is_built_is_listed_documented_and_within_limits(tree: Path, tmp_path: Path) -> None:
    run("-c", BUILD, str(tmp_path), folder=tree / "plugins/parallel_pool_orbit")
    (wheel,) = tmp_path.glob("*.whl")
    wheel = wheel.rename(Path(str(wheel).replace("-linux_", "-manylinux_2_28_")))
    said = run("tools/release.py", "check", str(tmp_path), folder=tree)
    assert said.startswith("orbit ")
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    assert "orbit/Orbit-v0" in run("-m", "parallel_pool.cli", "list", folder=tmp_path, site=site)
    page = run("-c", PAGE, folder=tree, site=site)
    assert "## [Orbit](../orbit.md)" in page
    assert "| `Orbit-v0` |" in page
    run("tools/first_party_ids.py", folder=tree, site=site)
    table = (tree / "core/python/parallel_pool/registry/first_party_ids.py").read_text()
    assert '    "orbit": (\n        """\n        Orbit\n        """,\n        0,\n' in table
