"""Versions come from one place, limits of wheels are held, and what is released describes itself."""

import json
import re
import tomllib
import zipfile
from pathlib import Path

import pytest
import release

ROOT = Path(__file__).parents[2]


def test_one_version_everywhere() -> None:
    stated = release.stated_versions()
    assert len(stated) == len(release.FOLDERS) + 3
    assert set(stated.values()) == {release.project("core")["version"]}


def test_fragments_of_the_changelog() -> None:
    """towncrier finds where they go, and knows the type of each; their texts become items of a list."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["towncrier"]
    assert settings["directory"] == release.FRAGMENTS.name
    assert (ROOT / settings["filename"]).read_text().count(settings["start_string"]) == 1
    types = "|".join(each["directory"] for each in settings["type"])
    for path in release.FRAGMENTS.glob("*"):
        if path.name != "README.md":
            assert re.fullmatch(rf"(\+[\w-]+|\d+)\.({types})\.md", path.name), path.name
            assert re.match(r"[^\s*#-]", path.read_text("utf-8")), path.name


def test_an_unreleased_section_joins_the_released_one() -> None:
    text = "# Changelog\n\n## 1.2.0 (unreleased)\n\n- a\n\n## 1.1.0 (2026-01-01)\n"
    assert release.without_unreleased(text, "1.2.0") == text.replace(
        "## 1.2.0 (unreleased)", "### Before"
    )
    assert release.without_unreleased(text, "1.3.0") == text
    with pytest.raises(SystemExit, match=r"the packages state version [\d.]+, not 99\.0\.0"):
        release.assemble_changelog("99.0.0")


def test_no_upper_bound_of_the_core() -> None:
    """Newer cores serve older plugins; docs/abi.md."""
    for name, plugin in release.PLUGINS.items():
        needed = [each for each in release.project(name)["dependencies"] if "parallel-pool" in each]
        found = [re.fullmatch(r"(parallel-pool[a-z-]*)>=[\d.]+", each) for each in needed]
        libraries = [release.PLUGINS[each].distribution for each in plugin.built_with]
        assert [each and each[1] for each in found] == ["parallel-pool", *libraries]


def test_packages_come_after_what_they_are_built_with() -> None:
    names = list(release.FOLDERS)
    assert names[0] == "core"
    assert release.FAMILIES["dmc"].built_with == ("mujoco",)
    assert names.index("mujoco") < names.index("dmc")


def test_extras_of_the_core_name_wheels_that_have_the_bounds() -> None:
    """Of a library that trains the core knows no version."""
    extras = release.project("core")["optional-dependencies"]
    assert {each[:14] for extra in extras.values() for each in extra} == {"parallel-pool-"}
    for name in ("author", "jax", "learning", "ray", "watch"):
        plugin = release.PLUGINS[name]
        own = release.project(name).get("optional-dependencies", {})
        named = {each for extra in extras.values() for each in extra if plugin.distribution in each}
        assert plugin.library
        assert named == {plugin.distribution, *(f"{plugin.distribution}[{each}]" for each in own)}
        assert name not in release.FAMILIES


def test_the_range_of_mujoco_is_said_once() -> None:
    """4.0.0 has a sparse Cholesky that is wrong; the Control Suite takes the range from its library."""
    wanted = {"mujoco": ["mujoco>=3.6,!=4.0.0"], "dmc": ["mujoco<4"]}
    for name, expected in wanted.items():
        needed = release.project(name)["dependencies"]
        assert [each for each in needed if each.startswith("mujoco")] == expected


def test_a_tag_is_of_the_version() -> None:
    release.check_tag(f"v{release.project('core')['version']}")
    with pytest.raises(SystemExit, match=r"the tag is v9\.9\.9, the version"):
        release.check_tag("v9.9.9")
    with pytest.raises(SystemExit, match="'doom' is none of core, atari"):
        release.about_building("doom")
    with pytest.raises(SystemExit, match=r"'1\.2' is no version"):
        release.set_version("1.2")


@pytest.mark.parametrize("name", release.FOLDERS)
def test_metadata_is_complete(name: str) -> None:
    """What an index shows of a package. Links are written before the first release: RELEASING.md."""
    project = release.project(name)
    folder = release.FOLDERS[name]
    for key in ("description", "keywords", "license", "requires-python"):
        assert project[key], key
    pythons = {each for each in project["classifiers"] if each.startswith("Programming Language")}
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13, 14)} < pythons
    assert (folder / project["readme"]).read_text().startswith("# parallel-pool")
    assert all((folder / each).is_file() for each in project["license-files"])
    text = (folder / "pyproject.toml").read_text()
    address = "https://example.org/a/b"
    linked = release.with_urls(text, address)
    written = tomllib.loads(linked)["project"]
    assert written["urls"]["Source"] == address
    assert written == {**project, "urls": written["urls"]}
    assert release.with_urls(linked, address) == linked


def test_one_address_everywhere() -> None:
    """One command writes it to every place that repeats it. Before, no place has one."""
    new = "https://example.org/a/b"
    written = release.with_address(new)
    assert {path.name for path in written} == {"pyproject.toml", "CITATION.cff"}
    assert len(written) == len(release.FOLDERS) + 1
    for path, text in written.items():
        assert text.count(new) in (1, 4), path
        assert (stated := release.address()) == "" or stated in path.read_text()
    with pytest.raises(SystemExit, match="'here' is no address"):
        release.set_urls("here")


def fake_wheel(
    folder: Path, name: str, *files: str, size: int = 10, address: str = "https://example.org/a/b"
) -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for file in files:
            archive.writestr(file, "x" * size)
        about = "Name: parallel-pool-classic\nVersion: 1.2.3\nLicense-Expression: MIT\n"
        about += "Requires-Dist: parallel-pool>=1.2\n"
        about += f"Project-URL: Source, {address}\n\n" if address else "\n"
        archive.writestr("parallel_pool_classic-1.2.3.dist-info/METADATA", about)
    return path


def test_sources_under_another_licence_say_so() -> None:
    folder = ROOT / "plugins/parallel_pool_atari"
    sources = [x for part in ("src", "tests") for x in (folder / part).rglob("*.[chi][pn][pc]")]
    assert len(sources) > 100
    for path in sources:
        assert path.read_text().startswith("// SPDX-License-Identifier: GPL-2.0-only\n"), path


def test_findings(tmp_path: Path) -> None:
    licence = "parallel_pool_classic-1.2.3.dist-info/licenses/LICENSE"
    good = "parallel_pool_classic-1.2.3-py3-none-manylinux_2_28_x86_64.whl"
    fine = fake_wheel(tmp_path, good, licence, "parallel_pool_classic/classic.so")
    assert list(release.findings("classic", fine)) == []
    bad = "parallel_pool_classic-1.2.3-cp311-cp311-linux_x86_64.whl"
    wrong = fake_wheel(tmp_path, bad, "classic.so", "a.cpp", size=600_000, address="")
    said = "\n".join(release.findings("classic", wrong))
    for words in (
        "1.20 MB; the limit is 0.5",
        "auditwheel",
        "one Python",
        "no licence",
        "names no repository: run `python tools/release.py urls https://HOST/OWNER/NAME`",
        "its build",
    ):
        assert words in said
    unpublished = "\n".join(release.findings("classic", wrong, needs_address=False))
    assert "names no repository" not in unpublished


def test_bill_of_materials(tmp_path: Path) -> None:
    fake_wheel(tmp_path, "parallel_pool_classic-1.2.3-py3-none-manylinux_2_28_x86_64.whl")
    (component,) = json.loads(json.dumps(release.sbom(tmp_path)))["components"]
    assert component["purl"] == "pkg:pypi/parallel-pool-classic@1.2.3"
    assert component["licenses"] == [{"expression": "MIT"}]
    assert len(component["hashes"][0]["content"]) == 64


def test_from_a_clone_what_others_are_built_with_comes_first() -> None:
    """The README's commands for pip, which builds each package with the wheels that are there already."""
    readme = (ROOT / "README.md").read_text("utf-8")
    _, _, commands = readme.rpartition("pip wheel --no-deps -w dist ./core\n")
    first, _, _ = commands.partition("pip wheel --no-deps -w dist -f dist ./plugins/*\n")
    libraries = {each for plugin in release.FAMILIES.values() for each in plugin.built_with}
    assert libraries
    built = re.findall(r"pip wheel --no-deps -w dist -f dist ./plugins/parallel_pool_(\w+)", first)
    assert set(built) == libraries
