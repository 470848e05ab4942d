"""`parallel-pool dev`: a plugin is built and checked, again at every save."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest
from parallel_pool.cli import main
from parallel_pool.errors import OptionError
from parallel_pool_author.cli import dev, dev_build
from parallel_pool_author.cli.dev_checks import put_in_place
from parallel_pool_author.cli.dev_project import find_project
from test_envs.programs import python

from .conftest import edit


def until(said: IO[str], words: str) -> list[str]:
    """Lines up to the first with these words."""
    lines: list[str] = []
    for line in said:
        lines.append(line.rstrip("\n"))
        if words in line:
            return lines
    raise AssertionError(lines)


def test_a_save_builds_and_checks_again(plugin: Path) -> None:
    command = [sys.executable, "-m", "parallel_pool.cli", "dev", "lander"]
    source = plugin / "src" / "lander.cpp"
    with subprocess.Popen(
        command, cwd=plugin.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as program:
        assert program.stdout is not None
        try:
            watched(program.stdout, source)
            program.send_signal(signal.SIGINT)
            assert program.wait(timeout=20) == 130
        finally:
            program.kill()
        assert "Traceback" not in program.stdout.read()


def watched(output: IO[str], source: Path) -> None:
    said = until(output, "PYTHONPATH=")
    assert any(re.search(r"checks passed, 0 failed \(", line) for line in said), said
    path = said[-1].partition("PYTHONPATH=")[2]

    # Another program finds what was built.
    listed = python("-m", "parallel_pool.cli", "list", "--family", "lander", PYTHONPATH=path)
    assert "lander/Lander-v0" in listed

    # What the compiler says, without the commands of Ninja.
    edit(source, "height_ = rng.uniform(20, 30);", "height_ = rng.uniform(20, 30)")
    said = until(output, "does not build")
    assert any("lander.cpp" in line and "error: expected" in line for line in said), said
    assert not any("-fvisibility" in line or "FAILED:" in line for line in said), said

    # What the kit says. It has the new library, in a new process.
    text = source.read_text().replace("rng.uniform(20, 30)", "rng.uniform(20, 30);")
    source.write_text(text.replace("(height_, speed_, fuel_)", "(height_, speed_)"))
    said = until(output, "1 failed")
    assert any("FAILED  lander/Lander-v0  state:" in line for line in said), said

    # A mistake in pyproject.toml does not end it.
    project = source.parents[1] / "pyproject.toml"
    good = project.read_text()
    project.write_text(good + "\n[broken")
    until(output, "cannot be read")
    project.write_text(good)
    until(output, "built (")


def test_an_installed_plugin_is_named(
    plugin: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(dev, "_turn", lambda *_: True)

    def said() -> list[str]:
        assert main(["dev", str(plugin), "--once"]) == 0
        return capsys.readouterr().out.splitlines()

    where = f"lander: for programs of yours: PYTHONPATH={plugin / 'build' / 'dev' / 'site'}"
    assert said() == [where]
    about = tmp_path / "site-packages" / "parallel_pool_lander-0.1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Name: parallel-pool-lander\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text("[parallel_pool]\nlander = parallel_pool_lander\n")
    monkeypatch.syspath_prepend(str(about.parent))
    first, second = said()
    assert "parallel-pool-lander 0.1.0 is installed" in first
    assert second == where
    (about / "direct_url.json").write_text(
        f'{{"url": "{plugin.as_uri()}", "dir_info": {{"editable": true}}}}'
    )
    assert said() == [where]


def test_what_is_no_plugin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> str:
        assert main(["dev", *words]) == 1
        return capsys.readouterr().err

    assert "it has no pyproject.toml" in said(str(tmp_path))
    assert "there is no plugin 'nobody' here" in said("nobody")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert 'has no [project.entry-points."parallel_pool"]' in said(str(tmp_path))


def test_parts_of_a_plugin_that_are_missing(plugin: Path) -> None:
    (plugin / "CMakeLists.txt").rename(plugin / "Lists.txt")
    with pytest.raises(OptionError, match=r"has no CMakeLists\.txt"):
        find_project(str(plugin))
    (plugin / "Lists.txt").rename(plugin / "CMakeLists.txt")
    (plugin / "python" / "parallel_pool_lander").rename(plugin / "python" / "lander")
    with pytest.raises(OptionError, match="no Python package parallel_pool_lander"):
        find_project(str(plugin))


def test_tools_that_are_missing(
    plugin: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = {name: dev_build._found(name) for name in ("cmake", "ninja")}
    monkeypatch.setattr(dev_build, "_found", lambda name: None)
    assert main(["dev", str(plugin), "--once"]) == 1
    assert (
        "plugins are built with CMake, which is not here: pip install cmake ninja"
        in capsys.readouterr().err
    )

    monkeypatch.setattr(dev_build, "_found", found.get)
    for name in ("CXX", "CC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert main(["dev", str(plugin), "--once"]) == 1
    assert "no C++20 compiler here: apt-get install g++" in capsys.readouterr().err


def test_an_installed_library_is_replaced(tmp_path: Path) -> None:
    installed, built = tmp_path / "installed.so", tmp_path / "built.so"
    installed.write_text("old")
    built.write_text("new")
    with installed.open() as loaded:
        assert put_in_place(installed, built)
        assert loaded.read() == "old"
    assert installed.read_text() == "new"
    assert not put_in_place(built, built)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["built.so", "installed.so"]


def test_files_that_count(plugin: Path) -> None:
    from parallel_pool_author.cli.dev_watch import Files

    files = Files(plugin)
    for path in ("build/x.o", "tests/test_x.py", "README.md", ".git/index", "src/.lander.cpp.swp"):
        (plugin / path).parent.mkdir(exist_ok=True)
        (plugin / path).write_text("x")
    assert not files.changed()
    for path in ("src/other.hpp", "python/parallel_pool_lander/more.py", "CMakeLists.txt"):
        time.sleep(0.01)
        (plugin / path).write_text("")
        assert files.changed()
        files.mark()
    (plugin / "src/other.hpp").unlink()
    assert files.changed()
