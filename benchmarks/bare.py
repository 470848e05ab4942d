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

from baselines import quiet_ale
from parallel_pool import get_include
from parallel_pool.benchmarking.baselines import Absent
from parallel_pool.benchmarking.drivers import Driver, Observer, Slice

PLUGINS = Path(__file__).parents[1] / "plugins"
MUJOCO = f"-I{PLUGINS / 'parallel_pool_mujoco/include'}"


class BareLoop(Driver):
    """One of bare_loops/, on one thread; a call makes many steps.

    Compiled for this machine, unless flags say otherwise.
    """

    def __init__(self, name: str, loop: str, num_envs: int, *flags: str) -> None:
        super().__init__(name, num_envs)
        library = _compiled(Path(__file__).parent / "bare_loops" / f"{loop}.cpp", *flags)
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
def _compiled(source: Path, *more: str) -> ctypes.CDLL:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise Absent("the bare loop needs g++ or clang++")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, f"{source.stem}.so")
        flags = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC", "-pthread"]
        flags += [f"-I{get_include()}"]
        subprocess.run([compiler, *flags, source, *more, "-o", target], check=True)
        return ctypes.CDLL(str(target))


class BareSimulations(Driver):
    """Simulations on so many threads, with observations, rewards and resets; each subclass is a source."""

    SOURCE = ""
    FLAGS: tuple[str, ...] = ()
    TASKS: tuple[str, ...] = ()

    def __init__(self, name: str) -> None:
        super().__init__(name, 1)
        library = _compiled(Path(__file__).with_name(self.SOURCE), *self.FLAGS)
        library.bare_new.restype = ctypes.c_void_p
        library.bare_run.restype = ctypes.c_uint64
        library.bare_run.argtypes = [ctypes.c_void_p, ctypes.c_double]
        library.bare_delete.argtypes = [ctypes.c_void_p]
        self._library = library
        self._bare: Any = None

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        begin = time.perf_counter()
        steps = self._library.bare_run(self._bare, seconds)
        return Slice(steps, steps, time.perf_counter() - begin)

    def advance(self, calls: int) -> None:
        self.run(0.0)

    def close(self) -> None:
        self._library.bare_delete(self._bare)


_XML = {
    "Ant-v5": "ant",
    "HalfCheetah-v5": "half_cheetah",
    "Humanoid-v5": "humanoid",
    "HumanoidStandup-v5": "humanoidstandup",
}


class BareMujoco(BareSimulations):
    """bare_mujoco.cpp: Gymnasium's tasks."""

    SOURCE = "bare_mujoco.cpp"
    FLAGS = (MUJOCO,)
    TASKS = tuple(_XML)

    def __init__(self, name: str, task: str, num_envs: int, threads: int) -> None:
        super().__init__(name)
        from parallel_pool_mujoco._models import model_path
        from parallel_pool_mujoco.sdk import compile_file, hand_over

        path = model_path(task, f"{_XML[task]}.xml")
        new = self._library.bare_new
        new.argtypes = [ctypes.c_uint64, ctypes.c_int, ctypes.c_uint32, ctypes.c_uint32]
        model = hand_over(compile_file(path), str(path))
        self._bare = new(model, self.TASKS.index(task), threads, num_envs)


class BareSuite(BareSimulations):
    """bare_suite.cpp: dm_control's tasks, as the plugin has them."""

    SOURCE = "bare_suite.cpp"
    FLAGS = (MUJOCO, f"-I{PLUGINS / 'parallel_pool_dmc/src'}")
    TASKS = (
        "cheetah-run",
        "walker-walk",
        "cartpole-swingup",
        "humanoid-run",
        "dog-run",
        "manipulator-bring_ball",
        "dog-walk",
        "humanoid_CMU-run",
        "quadruped-escape",
    )

    def __init__(self, name: str, task: str, num_envs: int, threads: int) -> None:
        super().__init__(name)
        from parallel_pool import make_spec
        from parallel_pool_dmc._models import compiled
        from parallel_pool_mujoco.sdk import hand_over

        model = compiled(*task.split("-"))
        seconds = make_spec(f"dmc/{task}").config.control_timestep
        sub_steps = max(1, round(seconds / model.opt.timestep))
        new = self._library.bare_new
        new.argtypes = [ctypes.c_uint64, *[ctypes.c_uint32] * 4]
        number = self.TASKS.index(task)
        self._bare = new(hand_over(model, task), number, sub_steps, threads, num_envs)


class BareVizdoom(BareSimulations):
    """bare_vizdoom.cpp: games on so many threads, with pictures, rewards and new episodes."""

    SOURCE = "bare_vizdoom.cpp"
    FLAGS = (f"-I{PLUGINS / 'parallel_pool_vizdoom/src'}", "-lrt")

    def __init__(
        self, name: str, cfg_path: str, num_envs: int, threads: int, *, lockstep: bool = False
    ) -> None:
        super().__init__(name)
        from parallel_pool.registry import registry
        from parallel_pool_vizdoom._scenario import completed

        spec = registry().resolve("vizdoom/VizdoomCustom-v1").spec
        options = completed(spec, {"cfg_path": cfg_path, "frame_skip": 4, "stack_num": 4})
        new = self._library.bare_new
        new.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        new.argtypes += [ctypes.c_uint32, ctypes.c_uint32, ctypes.c_bool]
        texts = (options[key].encode() for key in ("scenario_settings", "map_id"))
        self._bare = new(*texts, threads, num_envs, lockstep)


class MujocoRollout(Driver):
    """mujoco.rollout: MuJoCo's own threads; nothing is observed, rewarded or reset."""

    def __init__(self, name: str, task: str, num_envs: int, threads: int) -> None:
        super().__init__(name, num_envs)
        import mujoco
        import numpy as np
        from mujoco import rollout
        from parallel_pool_mujoco._models import model_path
        from parallel_pool_mujoco.sdk import compile_file

        self._model = compile_file(model_path(task, f"{_XML[task]}.xml"))
        self._datas = [mujoco.MjData(self._model) for _ in range(threads)]
        self._rollout = rollout.Rollout(nthread=threads)
        full = mujoco.mjtState.mjSTATE_FULLPHYSICS
        self._state = np.zeros((num_envs, mujoco.mj_stateSize(self._model, full)))
        for row in self._state:
            mujoco.mj_getState(self._model, self._datas[0], row, full)
        low, high = self._model.actuator_ctrlrange.T
        draw = np.random.default_rng(0)
        shape = (64, num_envs, 1, self._model.nu)
        self._controls = np.repeat(draw.uniform(low, high, shape), 5, axis=2)
        self._turn = 0

    def advance(self, calls: int) -> None:
        for _ in range(calls):
            controls = self._controls[self._turn % len(self._controls)]
            self._turn += 1
            states, _ = self._rollout.rollout(self._model, self._datas, self._state, controls)
            self._state = states[:, -1].copy()

    def close(self) -> None:
        self._rollout.close()


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
