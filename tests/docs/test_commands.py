"""Every command of every page is one that there is: subcommands, scripts, options, tests, groups and extras.

What the commands do is tested elsewhere; here they need no minutes, and nothing is installed.
"""

import contextlib
import io
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from parallel_pool.cli import COMMANDS, _parse

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "RELEASING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name / "README.md" for name in ("benchmarks", "changelog.d", "examples/third_party")),
]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
TOOLS = ("parallel-pool", "pip", "pytest", "python", "uv")
FIRST = re.compile(rf"(?:[A-Z_]+=\S+ )*(?:{'|'.join(TOOLS)}) ")
NOT_HERE = {"cmake", "git", "ssh", "."}
"""Commands that belong to others, in the middle of a line."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = tomllib.loads((ROOT / "core/pyproject.toml").read_text())["project"][
    "optional-dependencies"
]
OF_A_PLUGIN = {"parallel-pool-classic[render]"}
MODULES = {"build", "parallel_pool.cli", "pybind11", "pytest", "venv", "ziglang"}
WITH_VALUE = {"--durations", "--group", "--package", "--python", "--with"}
WITH_VALUE |= {f"-{letter}" for letter in "ckmnop"}
OF_UV = {"--isolated", "--no-default-groups", "--no-editable", "--no-sync", "--python", "--with"}
FAMILIES = {path.parent.name for path in ROOT.glob("plugins/*/pyproject.toml")}


def commands(page: Path) -> Iterator[str]:
    text = page.read_text("utf-8")
    for language, block in FENCE.findall(text):
        if language in ("", "console", "sh", "text"):
            for line in block.replace("\\\n", " ").splitlines():
                line = line.strip().removeprefix("$ ")
                if FIRST.match(line):
                    yield line
    for code in re.findall(r"`([^`]+)`", FENCE.sub("", text)):
        if FIRST.match(code) and "..." not in code:
            yield " ".join(code.split())


CASES = sorted({(page, command) for page in PAGES for command in commands(page)})


@pytest.mark.parametrize(("page", "line"), CASES, ids=[f"{p.name}: {c}" for p, c in CASES])
def test_a_command_is_there(page: Path, line: str) -> None:
    for part in re.split(r"\s&&\s|\s\|\s", line):
        words = shlex.split(part, comments=True)
        while words and re.match(r"[A-Z_]+=", words[0]):
            words.pop(0)
        check(words, ROOT if page.parent != ROOT / "benchmarks" else page.parent)


def test_the_page_of_the_command_names_every_subcommand() -> None:
    page = (ROOT / "docs/command-line.md").read_text("utf-8")
    assert {each for each in COMMANDS if f"| `parallel-pool {each}" in page} == set(COMMANDS)


def check(words: list[str], folder: Path) -> None:
    tool, *rest = words
    if tool in ("python", "uv"):
        (python if tool == "python" else uv)(rest, folder)
    elif tool in TOOLS:
        {"parallel-pool": subcommand, "pip": pip, "pytest": of_pytest}[tool](rest)
    else:
        assert tool in NOT_HERE


def uv(words: list[str], folder: Path) -> None:
    sync = words[0] == "sync"
    assert words.pop(0) in ("run", "sync")
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option == "--group":
            assert words[0] in PROJECT["dependency-groups"]
        elif option == "--package":
            assert f"parallel_pool_{words[0].removeprefix('parallel-pool-')}" in FAMILIES
        else:
            assert option in OF_UV
        if option in WITH_VALUE:
            words.pop(0)
    if not sync and words[0] != "towncrier":
        check(words, folder)


def pip(words: list[str]) -> None:
    if not words:
        return  # pip itself is meant
    assert words[0] in ("index", "install", "uninstall", "wheel")
    for word in words[1:]:
        if word.startswith("parallel-pool[") and word not in OF_A_PLUGIN:
            assert set(word[14:-1].split(",")) <= set(EXTRAS)
        elif word.startswith("./"):
            folders = list(ROOT.glob(word.removeprefix("./")))  # ./plugins/* is several
            assert folders
            assert all((folder / "pyproject.toml").is_file() for folder in folders)


def python(words: list[str], folder: Path) -> None:
    if words[0] == "-m":
        assert words[1] in MODULES
        if words[1] == "parallel_pool.cli" and words[2:]:
            subcommand(words[2:])
        elif words[1] == "pytest":
            of_pytest(words[2:])
        return
    script, *arguments = words
    (path,) = [at / script for at in (folder, ROOT) if (at / script).is_file()][:1]
    sources = known_to(path)
    for option in (word.partition("=")[0] for word in arguments if word.startswith("--")):
        field = option.removeprefix("--").replace("-", "_")
        assert re.search(rf'"{option}"|^ +{field}: ', sources, re.MULTILINE), option


def known_to(script: Path) -> str:
    """The sources of a script and of the files beside it that it imports."""
    text = script.read_text("utf-8")
    beside = {
        script.with_name(f"{name}.py")
        for name in re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE)
    }
    return text + "".join(each.read_text("utf-8") for each in beside if each.is_file())


def of_pytest(words: list[str]) -> None:
    known = {each.partition(":")[0] for each in PROJECT["tool"]["pytest"]["ini_options"]["markers"]}
    words = [word for word in words if word]
    while words:
        word = words.pop(0)
        if word in WITH_VALUE:
            value = words.pop(0)
            if word == "-m":
                assert set(re.findall(r"\w+", value)) - {"not", "or", "and"} <= known
        elif not word.startswith("-"):
            assert (ROOT / word.partition("::")[0]).exists(), word


def subcommand(words: list[str]) -> None:
    if len(words) == 1 and words[0] != "list":
        assert words[0] in COMMANDS, words  # a command by its name
        return
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            _parse(words)
    except SystemExit as end:
        raise AssertionError(said.getvalue()) from end
