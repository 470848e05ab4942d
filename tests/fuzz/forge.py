"""Gives pools forged states, and sees that nothing hangs, crashes or disables them.

    python tests/fuzz/forge.py COUNT [--seed N] [--first N] [--only NAME ...]

COUNT forgeries are shared among the environments of `CASES` by weight. Each is a number, and decides all
of itself together with the seed: `--only NAME --seed N --first NUMBER` and a COUNT of 1 plays it again.
"""

import argparse
import faulthandler
import mmap
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

CPU_LIMIT = 5.0
"""Seconds of processor time for one forgery; the slowest environment needs a tenth of one."""
WALL_LIMIT = 120.0
"""Seconds for one forgery that does nothing, on a machine that does much else."""
START_LIMIT = 600.0
"""Seconds until the first forgery: some environments compile their model."""
STEPS = 20
N = 2  # environments of a pool: one is given forgeries, and the other must not notice


@dataclass(frozen=True)
class Case:
    env: str
    options: dict[str, Any] = field(default_factory=dict)
    weight: int = 1

    @property
    def name(self) -> str:
        return ",".join([self.env, *(f"{key}={value}" for key, value in self.options.items())])


class Unsound(AssertionError):
    """A forgery did what no state may do."""


class Player:
    """Forgeries of one case, one after the other, on one pool."""

    def __init__(self, case: Case, seed: int) -> None:
        import parallel_pool
        from test_envs.forged_states import forge

        self._forge = forge
        self._errors = parallel_pool
        self._name = f"{seed} {case.name}"
        self._arguments = {"num_envs": N, "num_threads": 1, **case.options}
        self._env = case.env
        self._pool = self._make()
        self._saved = self._collect(Random(self._name))

    def _make(self) -> Any:
        return self._errors.make(self._env, **self._arguments)

    def _collect(self, draw: Random) -> list[bytes]:
        """States of one place and another: just reset, in the middle, at the end."""
        pool = self._pool
        pool.action_space.seed(draw.randrange(2**31))
        saved: list[bytes] = []
        for seed in (1, 2):
            pool.reset(seed=seed)
            saved += pool.get_state()
            for _ in range(3):
                with suppress(self._errors.ResetNeededError):  # without autoreset, at the end
                    self._steps(draw.choice((1, 3, 10)))
                saved += pool.get_state()
        return saved

    def _action(self) -> Any:
        return self._pool.action_space.sample()

    def _steps(self, count: int) -> None:
        for _ in range(count):
            try:
                info = self._pool.step(self._action())[4]
            except self._errors.EnvError:  # of an environment that noticed: documented
                return
            if int(info["elapsed_step"].min()) < 0:
                raise Unsound("elapsed_step is negative")

    def _look(self) -> None:
        if self._pool.render_mode is not None:
            with suppress(self._errors.EnvAccessError):  # documented: a picture may be impossible
                self._pool.render([0])

    def play(self, number: int) -> bool:
        draw = Random(f"{number} {self._name}")
        state = self._forge(draw, self._saved)
        pool = self._pool
        pool.action_space.seed(draw.randrange(2**31))
        before = pool.get_state()
        taken = True
        try:
            pool.set_state([0], [state])
        except self._errors.StateError as error:
            taken = False
            self._refused(before, str(error))
        if taken:
            again = pool.get_state()
            pool.set_state(None, again)
            try:
                self._look()
                self._steps(STEPS)
                self._look()
                pool.set_state(None, pool.get_state())
            except self._errors.ResetNeededError:
                pass  # it failed, or it waits for a reset
        with suppress(self._errors.EnvError):  # documented: it may draw from what was made up
            pool.reset()
        with suppress(self._errors.ResetNeededError):
            self._steps(3)
        pool.reset(seed=draw.randrange(2**31))  # after which nothing of it is left
        for _ in range(3):
            pool.step(self._action())
        return taken

    def _refused(self, before: list[bytes], why: str) -> None:
        pool = self._pool
        if "refused its state" not in why:
            if _lasting(pool.get_state()) != _lasting(before):
                raise Unsound(f"a refused state changed the pool: {why}")
            return
        if _lasting(pool.get_state([1])) != _lasting(before[1:]):
            raise Unsound(f"a refused state changed another environment: {why}")
        try:
            pool.get_state([0])
        except self._errors.ResetNeededError:
            return
        raise Unsound(f"the environment goes on with what it refused: {why}")


def _lasting(states: list[bytes]) -> list[bytes]:
    """All but the seconds since the reset, which go on where episodes are counted, and the checksum."""
    return [state[:8] + state[16:24] + state[32:] for state in states]


def _play(case: Case, seed: int, first: int, count: int, shared: str) -> None:
    """In a process of its own: forgeries first .. first + count - 1."""
    import resource

    faulthandler.enable()
    warnings.simplefilter("ignore")
    if "asan" not in os.environ.get("LD_PRELOAD", ""):
        resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
    player = Player(case, seed)
    with open(shared, "r+b") as file, mmap.mmap(file.fileno(), 0) as beat:
        taken = 0
        for number in range(first, first + count):
            struct.pack_into("<qq", beat, 0, number, taken)
            signal.setitimer(signal.ITIMER_VIRTUAL, CPU_LIMIT)  # which ends the process
            taken += player.play(number)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        struct.pack_into("<qq", beat, 0, first + count, taken)


@dataclass
class Outcome:
    played: int
    taken: int
    harm: list[str]


def play(case: Case, seed: int, first: int, count: int, most_harm: int = 20) -> Outcome:
    """Those forgeries of that case, each under a watchdog; goes on behind one that did harm."""
    end = first + count
    outcome = Outcome(0, 0, [])
    with tempfile.TemporaryDirectory() as folder:
        shared = Path(folder, "beat")
        while first < end and len(outcome.harm) < most_harm:
            shared.write_bytes(struct.pack("<qq", -1, 0))
            reached, taken, why = _watch(case, seed, first, end - first, shared)
            outcome.taken += taken
            outcome.played += min(reached + 1, end) - first
            if why:
                again = f"--only '{case.name}' --seed {seed} --first {reached} 1"
                outcome.harm.append(f"{again}: {why}")
            if reached < first:
                break  # there is no such pool
            first = reached + 1
    return outcome


def _watch(case: Case, seed: int, first: int, count: int, shared: Path) -> tuple[int, int, str]:
    """The last number begun, how many were taken, and what harm that number did."""
    arguments = [case.name, str(seed), str(first), str(count), str(shared)]
    command = [sys.executable, str(HERE / "forge.py"), "--child", *arguments]
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(command, stdout=said, stderr=said)
        try:
            hung = not _beats(child, shared)
        finally:
            if child.poll() is None:
                child.kill()
            status = child.wait()
        said.seek(0)
        text = said.read()
    reached, taken = _heard(shared.read_bytes())
    if status == 0:
        return reached, taken, ""
    if hung:
        return reached, taken, f"waits for more than {_patience(reached)} s"
    if status == -signal.SIGVTALRM:
        return reached, taken, f"hangs: more than {CPU_LIMIT} s of processor time"
    name = signal.Signals(-status).name if status < 0 else str(status)
    return reached, taken, f"ends with {name}: {text[-1500:]}"


def _heard(beat: bytes) -> tuple[int, int]:
    """The number begun last, -1 before the first, and how many were taken."""
    return struct.unpack("<qq", beat)


def _patience(reached: int) -> float:
    return WALL_LIMIT if reached >= 0 else START_LIMIT


def _beats(child: subprocess.Popen[bytes], shared: Path) -> bool:
    """Waits for its end. Whether it came, and no number took too long."""
    last, since = b"", time.monotonic()
    while True:
        try:
            child.wait(timeout=1)
            return True
        except subprocess.TimeoutExpired:
            beat = shared.read_bytes()
            if beat != last:
                last, since = beat, time.monotonic()
            elif time.monotonic() - since > _patience(_heard(beat)[0]):
                return False


def _numbers(total: int) -> Iterator[tuple[Case, int]]:
    from forged_cases import CASES

    weights = sum(case.weight for case in CASES)
    for case in CASES:
        yield case, max(1, round(total * case.weight / weights))


def main() -> int:
    from forged_cases import find

    if sys.argv[1:2] == ["--child"]:
        name, seed, first, count, shared = sys.argv[2:]
        _play(find(name), int(seed), int(first), int(count), shared)
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", nargs="+", default=[])
    given = parser.parse_args()
    work = [(find(name), given.count) for name in given.only] or list(_numbers(given.count))
    total = harm = 0
    for case, count in work:
        began = time.monotonic()
        outcome = play(case, given.seed, given.first, count)
        total += outcome.played
        harm += len(outcome.harm)
        seconds = time.monotonic() - began
        print(
            f"{case.name}: {outcome.played} forgeries, {outcome.taken} taken, "
            f"{len(outcome.harm)} did harm, {seconds:.0f} s",
            flush=True,
        )
        for line in outcome.harm:
            print("   ", line, flush=True)
    print(f"{total} forgeries, {harm} did harm")
    return 1 if harm else 0


if __name__ == "__main__":
    sys.exit(main())
