"""The next version, in a copy of this repository: nothing states the old one, the tests of releases pass."""

import re
from pathlib import Path

import release
from test_envs.programs import python
from test_envs.repository import repository_copy

MAY_SAY_IT = re.compile(
    # What was measured with it, versions of plugins by others, and the changelog.
    r"benchmarks/|docs/|README\.md|CHANGELOG\.md|changelog\.d/|examples/third_party/|tests/|plugins/\w+/tests/|.*/template/"
)


def test_the_next_version(tmp_path: Path) -> None:
    old, new = release.project("core")["version"], "7.8.9"
    copy = repository_copy(tmp_path)
    python(copy / "tools/release.py", "version", new)
    stated = re.compile(rf"(?<![\d.]){re.escape(old)}(?![\d.])")
    for path in copy.rglob("*"):
        name = path.relative_to(copy).as_posix()
        if path.is_file() and not MAY_SAY_IT.match(name) and path.suffix != ".lock":
            assert not stated.search(path.read_text("utf-8", "ignore")), name
    quiet = ("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider")
    python(*quiet, "tests/release/test_release.py", folder=copy)
