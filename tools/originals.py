"""Records the originals of families anew, on this platform: the tests that play beside them need them no more.

uv run python tools/originals.py record [FAMILY ...]
uv run python tools/originals.py check [FAMILY ...]     # fails where anew is not as recorded

Tests of a module M play against tests/recorded/M.jsonl if there is such a file; an empty one has it recorded.
docs/testing.md says when files are used.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def by_platform(text: str) -> dict[str, str]:
    """What a file has of each platform, by the line that says versions and platform."""
    found: dict[str, str] = {}
    for line in text.splitlines(keepends=True):
        if "platform" in json.loads(line):
            where = line
        found[where] = found.get(where, "") + line
    return found


def described(line: str) -> str:
    """What was played: all but what came of it."""
    return json.dumps({key: said for key, said in json.loads(line).items() if key != "digests"})


def versions(where: str) -> dict[str, str]:
    return {key: said for key, said in json.loads(where).items() if key != "platform"}


def main(command: str, families: list[str]) -> int:
    """0 where all was recorded, or is as recorded."""
    files = sorted(
        file
        for file in ROOT.glob("plugins/*/tests/recorded/*.jsonl")
        if not families or file.parts[-4].removeprefix("parallel_pool_") in families
    )
    modules = [str(file.parent.parent / f"{file.stem}.py") for file in files]
    if not modules:
        print(f"error: no family has plugins/{families or '*'}/tests/recorded/*.jsonl")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        played = subprocess.run(
            [sys.executable, "-m", "pytest", "-n0", "-q", "-m", "not slow", *modules],
            env={**os.environ, "PP_RECORD_ORIGINALS": folder},
            cwd=ROOT,
            check=False,
        )
        if played.returncode:
            return played.returncode
        status = 0
        for file in files:
            old = by_platform(file.read_text())
            ((where, new),) = by_platform(
                Path(folder, file.parts[-4], file.name).read_text()
            ).items()
            if command == "record":
                today = set(map(described, new.splitlines()))
                kept = {
                    each: "".join(
                        line
                        for line in text.splitlines(keepends=True)
                        if line == each or described(line) in today
                    )
                    for each, text in old.items()
                    if versions(each) == versions(where)
                }
                parts = kept | {where: new}
                file.write_text("".join(parts[each] for each in sorted(parts)))
                continue
            name = file.relative_to(ROOT)
            if where not in old:
                print(f"{name}: not compared, as it is of other platforms or other versions")
                continue
            recorded, anew = set(old[where].splitlines()), set(new.splitlines())
            if recorded - anew:
                print(f"error: {name} is not what is recorded today: tools/originals.py record")
                status = 1
            elif missing := len(anew - recorded):
                print(f"{name}: {missing} plays were recorded on other platforms alone")
    return status


if __name__ == "__main__":
    if sys.argv[1:2] not in (["record"], ["check"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
