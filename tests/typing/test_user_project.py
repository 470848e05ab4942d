"""A user's project is clean under strict type checkers, and they find its mistakes.

The project is copied out of the repository, whose own settings would count otherwise. The checkers are in the
group "lint": uv run --group lint pytest tests/typing.
"""

import importlib.util
import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from test_envs.programs import ran

PROJECT = Path(__file__).parent / "project"
MISTAKES = {
    number
    for number, line in enumerate((PROJECT / "wrong.py").read_text().splitlines(), 1)
    if line.endswith("# wrong")
}


def mypy(folder: Path) -> set[tuple[str, int, str]]:
    """Its errors, as file, line and text."""
    command = ["mypy", "--strict", "--config-file=", "--python-executable", sys.executable, "."]
    said = ran("-m", *command, folder=folder, seconds=280)
    assert said.returncode in (0, 1), said.stdout + said.stderr
    errors = re.findall(r"^(\w+\.py):(\d+): error: (.*)$", said.stdout, re.MULTILINE)
    assert len(errors) == said.stdout.count("error: "), said.stdout
    return {(file, int(line), text) for file, line, text in errors}


def basedpyright(folder: Path) -> set[tuple[str, int, str]]:
    """Errors of pyright in its strict mode; this build of it brings its own Node.js."""
    settings = {"include": ["."], "typeCheckingMode": "strict"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = ["basedpyright", "--outputjson", "--pythonpath", sys.executable]
    said = ran("-m", *command, folder=folder, seconds=280)
    assert said.stdout.lstrip().startswith("{"), said.stdout + said.stderr
    found = json.loads(said.stdout)["generalDiagnostics"]
    return {
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"])
        for each in found
    }


@pytest.mark.parametrize("checker", [mypy, basedpyright], ids=lambda checker: checker.__name__)
def test_clean_but_for_the_mistakes(checker, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    if importlib.util.find_spec(checker.__name__) is None:
        pytest.skip(f"{checker.__name__} is not here: uv run --group lint pytest tests/typing")
    shutil.copytree(PROJECT, tmp_path, dirs_exist_ok=True)
    found = checker(tmp_path)
    assert not {each for each in found if each[0] != "wrong.py"}
    assert {line for _, line, _ in found} == MISTAKES
