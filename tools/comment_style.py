"""Counts comments of C++ sources that begin with "What", "Whether", "Of" and the like: few are sentences.

python tools/comment_style.py [--list] [PATH ...]

A comment says who does what: "Returns the rows", "True if the batch is full". One that begins with a question
word has neither subject nor verb, as a rule, and has to be read twice.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = (
    "core/include",
    "core/src",
    *(
        str(path.relative_to(ROOT))
        for folder in ("include", "src")
        for path in sorted(ROOT.glob(f"plugins/*/{folder}"))
    ),
)
OPENING = re.compile(r"(What|Whether|Of|The same|How|Which|As)\b", re.IGNORECASE)
ANYWHERE = re.compile(r"\bso (?:many|much)\b(?! (?:that|as)\b)")
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
COMMENT = re.compile(r"^(?P<before>.*?)//+ ?(?P<text>.*)$")


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """The number of the first line and the text of each comment; lines without code before them are joined."""
    number, words, alone = 0, list[str](), False
    for line, source in enumerate([*path.read_text().splitlines(), ""], 1):
        found = COMMENT.match(TEXT.sub(lambda text: '"' * len(text[0]), source))
        text = source[found.start("text") :].strip() if found else ""
        goes_on = found and alone and not found["before"].strip()
        if words and not (goes_on and text):
            yield number, " ".join(words)
            words = []
        if text:
            number = number if words else line
            words.append(text)
        alone = bool(found and not found["before"].strip())


def findings(path: Path) -> Iterator[tuple[int, str, str]]:
    """The line, the words and the comment of each one that is no sentence."""
    for line, text in comments(path):
        if opening := OPENING.match(text):
            yield line, opening[1].capitalize(), text
        for _ in ANYWHERE.finditer(text):
            yield line, "so many", text


def main() -> int:
    """Prints how many there are of each kind."""
    arguments = [each for each in sys.argv[1:] if each != "--list"]
    paths = [Path(each).resolve() for each in arguments] or [ROOT / place for place in PLACES]
    files = sorted(
        each
        for path in paths
        for each in (path.rglob("*") if path.is_dir() else [path])
        if each.suffix in (".hpp", ".cpp", ".h") and "build" not in each.relative_to(ROOT).parts
    )
    counts: Counter[str] = Counter()
    for path in files:
        for line, words, text in findings(path):
            counts[words] += 1
            if "--list" in sys.argv:
                print(f"{path.relative_to(ROOT)}:{line}: {text}")
    print(", ".join(f"{words} {count}" for words, count in counts.most_common()) or "none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
