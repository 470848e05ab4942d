"""Counts comments and docstrings that begin with "What", "Whether", "Of" and the like: few are sentences.

python tools/comment_style.py [--list] [PATH ...]

A comment says who does what: "Returns the rows", "True if the batch is full". One that begins with a question
word has neither subject nor verb, as a rule, and has to be read twice.
"""

from __future__ import annotations

import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = (
    ROOT / "core/include",
    ROOT / "core/src",
    *(path for folder in ("include", "src", "python") for path in ROOT.glob(f"plugins/*/{folder}")),
)
SUFFIXES = (".hpp", ".cpp", ".h", ".py")
OPENING = re.compile(
    r"(What|Whether|Of|The same|How|Which|As|Where|Those|That of)\b(?!\()", re.IGNORECASE
)
ANYWHERE = re.compile(r"\bso (?:many|much)\b(?! (?:that|as)\b)")
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(r"^(?P<before>.*?)//+ ?(?P<text>.*)$")
COMMENT_OF_PYTHON = re.compile(COMMENT.pattern.replace("//", "#"))


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """Yields the first line and the text of each comment; lines without code before them are joined."""
    pattern = COMMENT_OF_PYTHON if path.suffix == ".py" else COMMENT
    number, words, alone = 0, list[str](), False
    for line, source in enumerate([*path.read_text().splitlines(), ""], 1):
        found = pattern.match(TEXT.sub(lambda text: '"' * len(text[0]), source))
        text = source[found.start("text") :].strip() if found else ""
        goes_on = found and alone and not found["before"].strip()
        if words and not (goes_on and text):
            yield number, " ".join(words)
            words = []
        if text:
            number = number if words else line
            words.append(text)
        alone = bool(found and not found["before"].strip())


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yields the line and the text of each string that is a statement of its own.

    It looks at tokens and not at the syntax tree, for a template of a plugin is not Python yet.
    """
    starts = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
    before = tokenize.ENCODING
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.STRING and before in starts:
                yield token.start[0], " ".join(token.string.lstrip("r").strip("\"'").split())
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                before = token.type


def findings(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yields the line, the words and the text of each comment or docstring that is no sentence."""
    of_python = docstrings(path) if path.suffix == ".py" else ()
    for line, text in [*comments(path), *of_python]:
        if opening := OPENING.match(text):
            yield line, opening[1].capitalize(), text
        for _ in ANYWHERE.finditer(text):
            yield line, "so many", text


def sources(paths: Iterable[Path]) -> list[Path]:
    """Returns the files of C++ and Python in these folders, and those of these that are files."""
    return sorted(
        each
        for path in paths
        for each in (path.rglob("*") if path.is_dir() else [path])
        if each.suffix in SUFFIXES and "build" not in each.relative_to(ROOT).parts
    )


def main() -> int:
    """Prints how many there are of each kind."""
    arguments = [Path(each).resolve() for each in sys.argv[1:] if each != "--list"]
    counts: Counter[str] = Counter()
    for path in sources(arguments or PLACES):
        for line, words, text in findings(path):
            counts[words] += 1
            if "--list" in sys.argv:
                print(f"{path.relative_to(ROOT)}:{line}: {text}")
    print(", ".join(f"{words} {count}" for words, count in counts.most_common()) or "none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
