"""Plays a pool beside its originals, or against what such a play recorded, where a file of its family has that.

A family's conftest.py has `beside = fixture_of("minigrid", "numpy")`: tests call the fixture as
`Beside.__call__` says. `tools/originals.py` records; docs/testing.md has the reasons.
"""

import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.schema.trees import paths
from parallel_pool.testing import Play, play_beside
from parallel_pool_author.testing.beside import made

HUNDRED = 100
"""Steps of each digest."""


class Beside:
    """The plays of one test, or those of which nothing is recorded."""

    def __init__(
        self, test: str = "", recorded: Path | None = None, where: dict[str, Any] | None = None
    ) -> None:
        self.test, self.where, self.calls = test, where or {}, 0
        parts = read(recorded) if recorded else []
        exact = [records for there, records in parts if there == self.where]
        anywhere = {"platform": ""}
        versions = self.where | anywhere
        self.records = exact or [each for there, each in parts if there | anywhere == versions]
        folder = os.environ.get("PP_RECORD_ORIGINALS")
        self.new = Path(folder, recorded.parts[-4], recorded.name) if folder and recorded else None
        """Where to record."""
        self.in_full = self.new is not None or bool(exact)
        """Whether all has to be compared with the original where it is played at all."""

    def __call__(
        self,
        env_id: str,
        original: str | Callable[..., Any],
        policy: Callable[[Play], Any] | None = None,
        *,
        num_envs: int,
        ours: dict[str, Any] | None = None,
        seed: Any = 0,
        infos: Iterable[str] | None = (),
        steps: int = 0,
        episodes: int = 0,
        **options: Any,
    ) -> Play:
        """Plays a pool of this id beside what `original(**options)` makes, or Gymnasium of that name.

        ours: more options of the pool's.

        A policy that asks `Play.originals` cannot be recorded: that is for `play_beside` itself.
        """
        how = {"seed": seed, "steps": steps, "episodes": episodes, "infos": infos}
        options_of_pool = {**options, **(ours or {})}

        def play(original: Callable[[], Any] | None) -> tuple[Play, list[str]]:
            opened = parallel_pool.make(env_id, num_envs=num_envs, num_threads=1, **options_of_pool)
            with opened as pool:
                digested: Any = Digested(pool, infos)
                return play_beside(digested, original, policy, **how), digested.finish()

        self.calls += 1
        name = self.test if self.calls == 1 else f"{self.test} {self.calls}"
        known = [records[name]["digests"] for records in self.records if name in records]
        if known and self.new is None:
            played, digests = play(None)
            if digests in known:
                return played
        played, digests = play(partial(made, original, **options))
        if self.new is not None:
            self._write({"test": name, "id": env_id, "options": options_of_pool, **how}, digests)
        elif known and self.in_full:
            raise AssertionError(
                f"{env_id} equals its original, but not its record: uv run python tools/originals.py record"
            )
        return played

    def _write(self, call: dict[str, Any], digests: list[str]) -> None:
        assert self.new is not None
        ((_, records),) = read(self.new) or [(self.where, {})]
        kept = {key: value for key, value in call.items() if value or key == "seed"}
        records[call["test"]] = {**kept, "digests": digests}
        self.new.parent.mkdir(parents=True, exist_ok=True)
        lines = [self.where, *(records[name] for name in sorted(records))]
        self.new.write_text("".join(json.dumps(line, default=str) + "\n" for line in lines))


unrecorded = Beside()


class Digested:
    """A pool, and a digest of all that it shows in each hundred steps."""

    def __init__(self, pool: Any, infos: Iterable[str] | None) -> None:
        self._pool = pool
        self._infos = None if infos is None else set(infos)
        self._hash, self._results = hashlib.sha256(), 0
        self._digests: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    def reset(self, **arguments: Any) -> Any:
        return self._add(self._pool.reset(**arguments))

    def step(self, actions: Any) -> Any:
        return self._add(self._pool.step(actions))

    def finish(self) -> list[str]:
        return [*self._digests, self._hash.hexdigest()[:8]]

    def _add(self, result: Any) -> Any:
        *rows, info = result
        named = {
            name: value
            for name, value in info.items()
            if (name in self._infos if self._infos is not None else name[0] != "_")
        }
        for path, leaf in paths((*rows, named), ""):
            column = np.asarray(leaf)
            if column.dtype == object:
                column = np.array("\n".join(map(str, leaf)))
            self._hash.update(f"{path} {column.dtype} {column.shape}".encode())
            self._hash.update(np.ascontiguousarray(column).data)
        self._results += 1
        if self._results % HUNDRED == 0:
            self._digests.append(self._hash.hexdigest()[:8])
        return result


def read(path: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What was recorded, by the test's name, behind the versions and the platform of each record."""
    parts: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for line in map(json.loads, path.read_text().splitlines() if path.is_file() else []):
        if "platform" in line:
            parts.append((line, {}))
        else:
            parts[-1][1][line["test"]] = line
    return parts


def here() -> str:
    """The platform as far as results depend on it: its C library chooses functions by the processor."""
    info = Path("/proc/cpuinfo")
    flags = set(info.read_text().split()) if info.is_file() else set()
    words = [platform.system(), platform.machine(), *platform.libc_ver()]
    return " ".join([*words, *(flag for flag in ("fma", "avx2", "avx512f") if flag in flags)])


def installed(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def fixture_of(*distributions: str, **more: bool) -> Any:
    """The fixture `beside` of a family whose originals are of these distributions.

    more: what else of a platform counts.
    """

    @pytest.fixture
    def beside(request: pytest.FixtureRequest) -> Beside:
        platform = " ".join([here(), *(name for name, value in more.items() if value)])
        where = {**{name: installed(name) for name in distributions}, "platform": platform}
        recorded = request.path.parent / "recorded" / f"{request.path.stem}.jsonl"
        return Beside(request.node.name, recorded, where)

    return beside
