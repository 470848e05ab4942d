"""A half-edited source gives a sentence that says what to write, with a line of the author's file."""

import re
import subprocess
from pathlib import Path

import pytest
from sdk.bad_sources.kinds import KINDS
from sdk.bad_sources.scalar import BAD_SCALAR, SAME_NAMES, SCALAR
from test_envs.compiling import check_text

INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)


def is_clang(command: list[str]) -> bool:
    return "clang" in subprocess.check_output([command[0], "--version"], text=True)


def together(sources: list[str]) -> str:
    """Makes one unit, which takes a fifth of the time: each in a namespace, with lines of a file N.cpp."""
    headers = dict.fromkeys(name for source in sources for name in INCLUDE.findall(source))
    parts = [
        f"#undef parallel_pool_plugin\n#define parallel_pool_plugin plugin_{number}\n"
        f'namespace n{number} {{\n#line 1 "{number}.cpp"\n{INCLUDE.sub("", source)}\n}}\n'
        for number, source in enumerate(sources)
    ]
    return "\n".join([*headers, *parts])


def errors_by_source(said: str) -> dict[int, list[str]]:
    """Finds GCC's errors by the number of the file, whose line it shows before an error of a header."""
    messages: list[list[str]] = [[]]
    for line in said.splitlines():
        if (": In " in line or " error: " in line) and any(" error: " in x for x in messages[-1]):
            messages.append([])
        messages[-1].append(line)
    found: dict[int, list[str]] = {}
    number = -1
    for message in messages:
        if shown := re.search(r"^(\d+)\.cpp:\d+:\d+", "\n".join(message), re.MULTILINE):
            number = int(shown[1])
        found.setdefault(number, []).extend(line for line in message if " error: " in line)
    return found


def test_the_sources_are_right_as_they_stand(tmp_path: Path, compilers: list[list[str]]) -> None:
    text = together([*(source for source, _ in KINDS.values()), SAME_NAMES])
    for command in compilers:
        done = check_text(text, tmp_path / "all.cpp", [*command, "-Wall", "-Wextra"])
        assert done.returncode == 0, done.stderr
        assert not done.stderr


@pytest.mark.parametrize("kind", KINDS)
def test_a_mistake_gives_a_sentence(kind: str, tmp_path: Path, compilers: list[list[str]]) -> None:
    source, changes = KINDS[kind]
    assert all(right in source for right, _, _ in changes.values())
    sources = [source.replace(right, wrong, 1) for right, wrong, _ in changes.values()]
    for command in compilers:
        if is_clang(command):  # it shows the author's line behind the error, and stops at twenty
            texts = [check_text(each, tmp_path / "0.cpp", command).stderr for each in sources]
            lines = [text.splitlines() for text in texts]
            errors = {
                number: [line for line in each if " error: " in line]
                for number, each in enumerate(lines)
            }
            said = "\n".join(texts)
        else:
            said = check_text(together(sources), tmp_path / "all.cpp", command).stderr
            errors = errors_by_source(said)
        for number, (name, (_, _, sentence)) in enumerate(changes.items()):
            # The sentence comes first; what follows shows the author's line and is no flood.
            assert sentence in errors[number][0], f"{name}:\n{said}"
            assert len(errors[number]) <= 3, f"{name}:\n{said}"


@pytest.mark.parametrize(
    ("change", "place", "keys"),
    [
        (("Action::Value action, Obs", "const char* action, Obs"), "pp::Outcome step", ()),
        (BAD_SCALAR["a key that the dict lacks"][:2], "void look", ("feul", "fuel", "mass")),
    ],
    ids=["no signature fits", "no key"],
)
def test_the_authors_line_is_shown_and_the_keys_of_a_dict(
    change: tuple[str, str],
    place: str,
    keys: tuple[str, ...],
    tmp_path: Path,
    compilers: list[list[str]],
) -> None:
    text = SCALAR.replace(*change)
    line = 1 + text[: text.index(place)].count("\n")
    for command in compilers:
        said = check_text(text, tmp_path / "walk.cpp", command).stderr
        assert f"walk.cpp:{line}:" in said
        for key in keys:  # clang before 15 gives numbers of letters
            letters = ", ".join(str(ord(letter)) for letter in key)
            assert f'"{key}"' in said or letters in said, said
