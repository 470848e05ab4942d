"""The walk of `make`: the files that it leads through, as the table of docs/architecture.md has them."""

import itertools
import re
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import parallel_pool
from parallel_pool.computed_once import computed_once

ROOT = Path(__file__).parents[2]
PACKAGE = str(ROOT / "core/python/parallel_pool") + "/"
ROOMS, RETURNS = 27, 4
"""Helpers included."""


class Walk:
    """What one call leads through. Properties, and functions inside of functions, do not count."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        """Files that are entered, where no function of theirs was running, and functions."""
        self.callers: set[str] = set()
        """Files that call another one; the others are helpers."""
        self._running: list[str] = []
        self._skipped = _properties()
        self._seen: set[CodeType] = set()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if not code.co_filename.startswith(PACKAGE):
            return
        file = code.co_filename.removeprefix(PACKAGE)
        if event == "return" and self._running:
            self._running.pop()
        elif event == "call":
            if code not in self._skipped and "<" not in code.co_qualname:
                self.callers.update(each for each in self._running[-1:] if each != file)
                if code not in self._seen and file not in self._running:
                    self.calls.append((file, code.co_qualname))
                self._seen.add(code)
            self._running.append(file)

    def stays(self, files: set[str]) -> list[tuple[str, list[str]]]:
        """Those of these files that are entered, each time, and the functions called in them."""
        calls = [each for each in self.calls if each[0] in files]
        return [
            (file, [name for _, name in stay])
            for file, stay in itertools.groupby(calls, lambda each: each[0])
        ]


def _properties() -> set[CodeType]:
    modules = [each for name, each in sys.modules.items() if name.startswith("parallel_pool")]
    classes = [
        each for module in modules for each in vars(module).values() if isinstance(each, type)
    ]
    found: set[CodeType] = {vars(computed_once)["__get__"].__code__}
    for value in (value for cls in classes for value in vars(cls).values()):
        getter = value.fget if isinstance(value, property) else None
        getter = value.func if isinstance(value, computed_once) else getter
        if (code := getattr(getter, "__code__", None)) is not None:
            found.add(code)
    return found


def test_the_walk_of_make_is_short_and_on_the_page() -> None:
    """Of the second one: in the first, modules are imported and plugins found."""
    parallel_pool.make("CartPole-v1", num_envs=4).close()
    walk = Walk()
    sys.setprofile(walk)
    try:
        envs = parallel_pool.make("CartPole-v1", num_envs=4)
    finally:
        sys.setprofile(None)
    envs.close()
    rooms = {file for file, _ in walk.calls}
    every = walk.stays(rooms)
    assert len(rooms) <= ROOMS, every
    assert len(every) - len(rooms) <= RETURNS, every
    stays = walk.stays(walk.callers)
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    section = page.partition("\n## `make`\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([\w/]+\.py)` \| (.+?) \|", section, re.MULTILINE)
    assert [file for file, _ in rows] == [file for file, _ in stays]
    for (file, named), (_, called) in zip(rows, stays, strict=True):
        assert set(re.findall(r"`([\w.]+)`", named)) <= set(called), file
    missing = sorted(each for each in rooms - walk.callers if f"`{each}`" not in section)
    assert not missing, f"name these helpers in the row of the file that calls them: {missing}"
