"""The limits: the dynamics or the engine alone, without a pool, as drivers like the others."""

from __future__ import annotations

import ctypes
import multiprocessing
import random
import shutil
import subprocess
import tempfile
import time
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from parallel_pool import get_include
from parallel_pool.benchmarking.contestants import Absent, quiet_ale
from parallel_pool.benchmarking.drivers import Driver, Observer, Slice


class BareLoop(Driver):
    """One of bare_loops/, compiled for this machine, on one thread; a call makes many steps."""

    def __init__(self, name: str, loop: str, num_envs: int) -> None:
        super().__init__(name, num_envs)
        library = _compiled(Path(__file__).parent / "bare_loops" / f"{loop}.cpp")
        library.bare_new.restype = ctypes.c_void_p
        library.bare_step.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
        library.bare_delete.argtypes = [ctypes.c_void_p]
        self._library = library
        self._loop = library.bare_new(num_envs)

    def advance(self, calls: int) -> None:
        self._library.bare_step(self._loop, calls)

    def close(self) -> None:
        self._library.bare_delete(self._loop)


@cache
def _compiled(source: Path) -> ctypes.CDLL:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise Absent("the bare loop needs g++ or clang++")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, f"{source.stem}.so")
        flags = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC", f"-I{get_include()}"]
        subprocess.run([compiler, *flags, source, "-o", target], check=True)
        return ctypes.CDLL(str(target))


class BareAle(Driver):
    """Emulators with random actions, no preprocessing, one in each process.

    Processes, because ale-py's `act` holds the GIL. An environment step is `frame_skip` frames of
    one action; a finished game is reset without no-ops.
    """

    def __init__(self, name: str, game: str, processes: int, frame_skip: int) -> None:
        super().__init__(name, 1)
        context = multiprocessing.get_context("spawn")
        self._workers = []
        self._pipes: list[Connection] = []
        for seed in range(processes):
            ours, theirs = context.Pipe()
            worker = context.Process(
                target=_emulate, args=(theirs, game, seed, frame_skip), daemon=True
            )
            worker.start()
            theirs.close()
            self._workers.append(worker)
            self._pipes.append(ours)
        self.advance(1)  # waits for all to have started

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        """Each process for so long; the sum of their steps over the mean of their times."""
        for pipe in self._pipes:
            pipe.send(seconds)
        answers = [pipe.recv() for pipe in self._pipes]
        steps = sum(answer[0] for answer in answers)
        mean = sum(answer[1] for answer in answers) / len(answers)
        return Slice(steps, steps, mean)

    def advance(self, calls: int) -> None:
        self.run(0.0)

    def close(self) -> None:
        for pipe in self._pipes:
            pipe.send(None)  # closing is not enough: AsyncVectorEnv's forks hold copies of the pipe
            pipe.close()
        for worker in self._workers:
            worker.join()


def _emulate(pipe: Connection, game: str, seed: int, frame_skip: int) -> None:
    """A worker: answers a number of seconds with (environment steps, seconds); None ends it."""
    import ale_py
    from ale_py import roms

    quiet_ale()
    emulator: Any = ale_py.ALEInterface()
    emulator.setInt("random_seed", seed)
    emulator.setFloat("repeat_action_probability", 0.0)
    emulator.loadROM(roms.get_rom_path(game))
    choices = random.Random(seed).choices(emulator.getMinimalActionSet(), k=4096)
    act, frames, steps = emulator.act, range(frame_skip), 0
    while True:
        try:
            seconds = pipe.recv()
        except EOFError:
            return
        if seconds is None:
            return
        begin = now = time.perf_counter()
        first = steps
        while now - begin < seconds:
            action = choices[steps % len(choices)]
            for _ in frames:
                act(action)
            if emulator.game_over():
                emulator.reset_game()
            steps += 1
            now = time.perf_counter()
        pipe.send((steps - first, now - begin))
