"""`parallel-pool new` and cookiecutter write the same plugin, which builds and passes its tests at once."""

import importlib.util
import tomllib
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import parallel_pool
import pytest
import yaml
from parallel_pool import _core
from parallel_pool.cli import main
from parallel_pool.errors import OptionError, PluginError
from parallel_pool_author.cli.scaffold import TEMPLATE, write_plugin
from test_envs.compiling import BUILD_WHEEL
from test_envs.programs import python

ANSWERS = [
    {"family": "lander", "author": "Ada"},
    {"family": "moon_lander2", "env": "Eagle", "kernel": "batch", "license": "Apache-2.0"},
    {"family": "x", "env": "X", "license": "proprietary", "author": 'Łukasz "Rock" O\\Brien 😀'},
    {"family": "y", "license": "BSD-3-Clause", "author": "Seán O'Casey"},
    {"family": "shared_parts", "library": "yes", "license": "GPL-3.0-or-later"},
]
CONFIGURED = """
from parallel_pool_author.cli.dev_build import QUICK, Build
from parallel_pool_author.cli.dev_project import find_project
Build(find_project("."), QUICK).configure()
"""
WORDS = {
    "MIT": "Permission is hereby granted",
    "Apache-2.0": "Licensed under the Apache License",
    "BSD-3-Clause": "Redistribution and use",
    "GPL-3.0-or-later": "either version 3",
    "proprietary": "All rights reserved",
}


def files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts  # pip compiles what it installs
    }


@pytest.mark.parametrize("answers", ANSWERS, ids=lambda answers: answers["family"])
def test_cookiecutter_writes_the_same(answers: dict[str, str], tmp_path: Path) -> None:
    from cookiecutter.main import cookiecutter

    mine = write_plugin(answers, tmp_path / "mine")
    theirs = cookiecutter(
        str(TEMPLATE), no_input=True, extra_context=answers, output_dir=str(tmp_path / "theirs")
    )
    assert files(mine) == files(Path(theirs))
    for text in files(mine).values():
        assert "cookiecutter" not in text
        assert "{%" not in text
    project = tomllib.loads(files(mine)["pyproject.toml"])["project"]
    author = answers.get("author", "Your Name")
    assert project["authors"] == [{"name": author}]
    licence = files(mine)["LICENSE"]
    assert f"{datetime.now(UTC).year}" in licence
    assert author in licence
    assert WORDS[answers.get("license", "MIT")] in licence
    for workflow in ("ci", "release"):
        jobs = yaml.safe_load(files(mine)[f".github/workflows/{workflow}.yml"])["jobs"]
        assert all(job["runs-on"] for job in jobs.values())


def test_the_repositorys_template_is_the_packages() -> None:
    linked = Path(__file__).parents[2] / "template"
    assert (linked / "cookiecutter.json").read_text() == (
        TEMPLATE / "cookiecutter.json"
    ).read_text()


@pytest.mark.parametrize("kernel", [pytest.param("scalar", marks=pytest.mark.slow), "batch"])
def test_a_new_plugin_builds_and_passes_its_tests(
    kernel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    family = f"lander_{kernel}"
    assert main(["new", family, "--kernel", kernel, "--folder", str(tmp_path)]) == 0
    assert "pip install --no-build-isolation . && pytest" in capsys.readouterr().out
    folder = tmp_path / f"parallel-pool-lander-{kernel}"
    assert sorted(path.name for path in (folder / "src").iterdir()) == [f"{family}.cpp"]
    project = (
        folder / "pyproject.toml"
    )  # of a release candidate, whose whole version the library has
    project.write_text(project.read_text().replace('version = "0.1.0"', 'version = "1.0rc1"'))
    python("-c", BUILD_WHEEL, tmp_path, folder=folder)
    assert _core.Plugin(str(*folder.glob("build/*/*.so"))).version == "1.0rc1"
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith(f"parallel_pool_{family}-1.0rc1-py3-none-")
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    quiet = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert "failed" not in python(*quiet, folder=folder, PYTHONPATH=str(site))


def test_a_library_for_other_plugins(tmp_path: Path) -> None:
    """One plugin offers a header; another, built with its wheel, uses it."""
    answers = {"author": "Ada", "env": "Craft"}
    library = write_plugin({**answers, "family": "crafts", "library": "yes"}, tmp_path)
    plugin = write_plugin({**answers, "family": "moon"}, tmp_path)
    source = plugin / "src/moon.cpp"
    own = "speed_ > -1 ? 10.0 : speed_"
    assert own in source.read_text()
    source.write_text(
        "#include <parallel_pool_crafts/rewards.hpp>\n"
        + source.read_text().replace(own, "parallel_pool_crafts::landing(speed_)")
    )
    cmake = plugin / "CMakeLists.txt"
    cmake.write_text(
        cmake.read_text()
        + "find_package(parallel_pool_crafts CONFIG REQUIRED)\n"
        + "target_link_libraries(moon PRIVATE parallel_pool_crafts::headers)\n"
    )
    site = tmp_path / "site"
    for folder in (library, plugin):
        python("-c", BUILD_WHEEL, tmp_path, folder=folder, PYTHONPATH=str(site))
        (wheel,) = tmp_path.glob(f"{folder.name.replace('-', '_')}-*.whl")
        zipfile.ZipFile(wheel).extractall(site)
    # `parallel-pool dev` finds the library too, which configuring needs; what it then compiles is the same.
    python("-c", CONFIGURED, folder=plugin, PYTHONPATH=str(site))


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"family": "Lander"}, "'Lander' has to be a small Python identifier"),
        ({"family": "2fast"}, "as in moon_lander"),
        ({"family": "moon-lander"}, "single underscores"),
        ({"family": "class"}, "a word of Python's: choose another, such as class_env"),
        ({"family": "atari"}, "belongs to parallel-pool-atari"),
        ({"family": "gym"}, "Gymnasium's registry in a pool are called: choose another"),
        ({"family": "lander", "env": "moonLander"}, "CamelCase"),
        ({"family": "lander", "kernel": "vector"}, "expected one of scalar, batch"),
        ({"family": "lander", "library": "maybe"}, "expected one of no, yes"),
        ({"family": "lander", "license": "BSD"}, "expected one of MIT"),
        ({"family": "all"}, "a word of CMake's: choose another, such as all_env"),
        ({"family": "conformance"}, "what the tests of the kit"),
        ({"family": 'lan"der'}, "quotes and backslashes"),
        ({"family": "obs"}, "Obs means something else there: choose another name, such as ObsTask"),
        ({"family": "lander", "env": "NAN"}, "such as NanTask"),
        ({"family": "lander", "author": "A\nB"}, "one line of plain text"),
        ({"family": "lander", "author": " "}, "the author has no name"),
    ],
)
def test_answers_that_cannot_become_a_plugin(
    answers: dict[str, str], words: str, tmp_path: Path
) -> None:
    with pytest.raises(OptionError, match=words.replace("(", r"\(")):
        write_plugin(answers, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_family_that_somebody_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parallel_pool.register(parallel_pool.EnvSpec("taken/Env-v0"), library=tmp_path / "none.so")
    assert main(["new", "taken", "--folder", str(tmp_path)]) == 1
    assert "the family 'taken' is installed already, by" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(PluginError, match=r"none\.so is missing\. Build it, or mend the path"):
        parallel_pool.make("taken/Env-v0")


def test_a_package_that_a_plugin_builds_on_has_a_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """plugins/parallel_pool_mujoco/tests/test_new_robot.py builds the one that there is."""
    package = tmp_path / "parallel_pool_atari"
    (package / "template/src").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "template/src/{{ cookiecutter.family }}.cpp").write_text(
        "// {{ cookiecutter.env }}\n"
    )
    (package / "template/CMakeLists.txt.append").write_text("# the end\n")
    spec = importlib.util.spec_from_file_location("parallel_pool_atari", package / "__init__.py")
    specs = {"parallel_pool_atari": spec, "parallel_pool_classic": None}
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: specs.get(name, found(name)))
    assert spec is not None
    spec.submodule_search_locations = [str(package)]

    assert main(["new", "arcade", "--atari", "--folder", str(tmp_path)]) == 0
    written = files(tmp_path / "parallel-pool-arcade")
    assert written["src/arcade.cpp"] == "// Arcade\n"
    assert written["CMakeLists.txt"].endswith("DESTINATION .)\n# the end\n")
    requires = tomllib.loads(written["pyproject.toml"])["build-system"]["requires"]
    assert requires[1:] == ["parallel-pool>=0.1", "parallel-pool-atari>=0.1"]

    for family, words in (
        ("classic", "run `pip install 'parallel-pool[classic]'`"),
        ("minigrid", "parallel-pool-minigrid has no template of a plugin"),
    ):
        assert main(["new", "other", f"--{family}", "--folder", str(tmp_path)]) == 1
        assert words in capsys.readouterr().err
    assert not (tmp_path / "parallel-pool-other").exists()


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, *said: str | type[BaseException]) -> None:
    """A terminal at which this is answered, and then nothing more."""
    answers = iter(said)

    def answer(_: str) -> str:
        each = next(answers, EOFError)
        if isinstance(each, str):
            return each
        raise each

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))


def test_what_cannot_be_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_a_terminal(monkeypatch, "", "Kite", "batch", 'Ada "A"', "BSD", "BSD-3-Clause", "")
    assert main(["new", "obs", "--folder", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "Obs means something else there" in said
    assert "license is 'BSD', expected one of MIT" in said
    written = files(tmp_path / "parallel-pool-obs")
    assert "struct Kite {" in written["src/obs.cpp"]
    assert "pp::batch<Kite, 512>()" in written["src/obs.cpp"]
    assert 'Ada "A"' in written["LICENSE"]


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_whoever_leaves_gets_nothing(
    end: type[BaseException],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    at_a_terminal(monkeypatch, "", end)
    assert main(["new", "lander", "--folder", str(tmp_path)]) == 1
    assert "nothing was written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_locale_that_is_not_utf8(tmp_path: Path) -> None:
    new = ("-m", "parallel_pool.cli", "new", "lander", "--license", "Apache-2.0")
    locale = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert "add the text of the licence" in python(*new, folder=tmp_path, **locale)


def test_a_folder_that_is_there_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "parallel-pool-lander").mkdir()
    assert main(["new", "lander", "--folder", str(tmp_path)]) == 1
    assert "is there already" in capsys.readouterr().err
    assert list((tmp_path / "parallel-pool-lander").iterdir()) == []
