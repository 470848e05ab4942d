"""Comments of C++ in core and plugins are sentences: tools/comment_style.py says which are not, as a rule."""

import comment_style

SENTENCES = 16
"""Comments that begin with such a word and have a subject and a verb all the same."""


def test_comments_are_sentences() -> None:
    paths = [
        path
        for place in comment_style.PLACES
        for path in (comment_style.ROOT / place).rglob("*.[hc]*")
    ]
    found = [
        f"{path}:{line}: {text}" for path in paths for line, _, text in comment_style.findings(path)
    ]
    assert paths
    assert len(found) <= SENTENCES, "\n".join(found)
