"""Gives pools forged states, and sees that nothing hangs, crashes or disables them.

    python tests/fuzz/forge.py NAME SEED NUMBER

plays one again: it is a number, which decides all of itself together with the seed and the case.
"""

import faulthandler
import json
import mmap
import os
import signal
import struct
import subprocess
import sys
import tempfile
import warnings
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
"""Seconds until the first forgery of a case: some environments compile their model.

A child sets itself alarms, which end it.
"""
STEPS = 20
BEAT = struct.Struct("<q?")
"""The place of the forgery begun last, and whether it is played: its pool is made.

A byte for each place follows: it was taken.
"""
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
        self.pool = parallel_pool.make(case.env, num_envs=N, num_threads=1, **case.options)
        self._saved = self._collect(Random(self._name))

    def _collect(self, draw: Random) -> list[bytes]:
        """States of one place and another: just reset, in the middle, at the end."""
        pool = self.pool
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

    def _steps(self, count: int) -> None:
        for _ in range(count):
            try:
                info = self.pool.step(self.pool.action_space.sample())[4]
            except self._errors.EnvError:  # of an environment that noticed: documented
                return
            if int(info["elapsed_step"].min()) < 0:
                raise Unsound("elapsed_step is negative")

    def _look(self) -> None:
        if self.pool.render_mode is not None:
            with suppress(self._errors.EnvAccessError):  # documented: a picture may be impossible
                self.pool.render([0])

    def play(self, number: int) -> bool:
        draw = Random(f"{number} {self._name}")
        state = self._forge(draw, self._saved)
        pool = self.pool
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
            pool.step(pool.action_space.sample())
        return taken

    def _refused(self, before: list[bytes], why: str) -> None:
        pool = self.pool
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


def _play(work: list[tuple[Case, int]], seed: int, first: int, at: int, shared: str) -> None:
    """In a process of its own: all of `work` from place `at` on; a case begins with number `first`."""
    import resource

    signal.setitimer(signal.ITIMER_REAL, START_LIMIT)
    faulthandler.enable()
    warnings.simplefilter("ignore")
    if "asan" not in os.environ.get("LD_PRELOAD", ""):
        resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
    with open(shared, "r+b") as file, mmap.mmap(file.fileno(), 0) as beat:
        begin = 0
        for case, count in work:
            end = begin + count
            if at < end:
                BEAT.pack_into(beat, 0, at, False)
                signal.setitimer(signal.ITIMER_REAL, START_LIMIT)
                player = Player(case, seed)
                for place in range(at, end):
                    BEAT.pack_into(beat, 0, place, True)
                    signal.setitimer(signal.ITIMER_REAL, WALL_LIMIT)
                    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_LIMIT)
                    beat[BEAT.size + place] = player.play(first + place - begin)
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                player.pool.close()
                at = end
            begin = end
        BEAT.pack_into(beat, 0, at, True)


@dataclass
class Outcome:
    played: int = 0
    taken: dict[str, int] = field(default_factory=dict)
    """By the name of the case."""
    harm: list[str] = field(default_factory=list)


def play(work: list[tuple[Case, int]], seed: int, first: int, most_harm: int = 20) -> Outcome:
    """So many forgeries of each case, in child processes; goes on behind one that did harm."""
    places = [(case, first + each) for case, count in work for each in range(count)]
    outcome = Outcome()
    at = 0
    named = json.dumps([(case.name, count) for case, count in work])
    with tempfile.TemporaryDirectory() as folder:
        shared = Path(folder, "beat")
        shared.write_bytes(bytes(BEAT.size + len(places)))
        while at < len(places) and len(outcome.harm) < most_harm:
            with shared.open("r+b") as file:
                file.write(BEAT.pack(at, False))
            arguments = map(str, ("--child", named, seed, first, at, shared))
            command = [sys.executable, str(HERE / "forge.py"), *arguments]
            done = subprocess.run(command, capture_output=True, text=True, errors="replace")
            reached, playing = BEAT.unpack_from(shared.read_bytes())
            outcome.played += min(reached + playing, len(places)) - at
            at = reached + 1
            if done.returncode != 0:
                case, number = places[min(reached, len(places) - 1)]  # or it ends wrongly
                outcome.harm.append(f"'{case.name}' {seed} {number}: {_why(done, playing)}")
            if not playing:
                break  # there is no such pool
        for (case, _), taken in zip(places, shared.read_bytes()[BEAT.size :], strict=True):
            outcome.taken[case.name] = outcome.taken.get(case.name, 0) + taken
    return outcome


def _why(done: subprocess.CompletedProcess[str], playing: bool) -> str:
    """How a child ended."""
    status = done.returncode
    if status == -signal.SIGVTALRM:
        return f"hangs: more than {CPU_LIMIT} s of processor time"
    if status == -signal.SIGALRM:
        return f"waits for more than {WALL_LIMIT if playing else START_LIMIT} s"
    name = signal.Signals(-status).name if status < 0 else str(status)
    return f"ends with {name}: {(done.stdout + done.stderr)[-1500:]}"


def main() -> int:
    from forged_cases import BY_NAME

    if sys.argv[1:2] == ["--child"]:
        named, seed, first, at, shared = sys.argv[2:]
        work = [(BY_NAME[name], count) for name, count in json.loads(named)]
        _play(work, int(seed), int(first), int(at), shared)
        return 0
    name, seed, number = sys.argv[1:]
    outcome = play([(BY_NAME[name], 1)], int(seed), int(number))
    print(*outcome.harm or ["it does no harm"])
    return 1 if outcome.harm else 0


if __name__ == "__main__":
    sys.exit(main())
