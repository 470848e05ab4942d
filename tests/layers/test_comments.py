"""Comments and docstrings of the core's C++ and of plugins are sentences, as tools/comment_style.py has it."""

import comment_style


def test_comments_are_sentences() -> None:
    paths = comment_style.sources(comment_style.PLACES)
    assert {path.suffix for path in paths} >= {".hpp", ".cpp", ".py"}
    assert not [
        f"{path}:{line}: {text}" for path in paths for line, _, text in comment_style.findings(path)
    ]
