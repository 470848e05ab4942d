"""The limits: the dynamics or the engine alone, without a pool, as drivers like the others."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from measuring.baselines import Absent
from measuring.drivers import Driver, Observer, Slice
from parallel_pool import get_include

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


class BareLoopThreads(Driver):
    """One of bare_loops/, on so many threads that share nothing and wait for nobody."""

    def __init__(self, name: str, loop: str, num_envs: int, threads: int, *flags: str) -> None:
        super().__init__(name, num_envs)
        library = _compiled(Path(__file__).parent / "bare_loops" / f"{loop}.cpp", *flags)
        library.bare_threads_new.restype = ctypes.c_void_p
        library.bare_threads_run.restype = ctypes.c_uint64
        library.bare_threads_run.argtypes = [ctypes.c_void_p, ctypes.c_double]
        library.bare_threads_delete.argtypes = [ctypes.c_void_p]
        self._library = library
        self._each = num_envs // threads
        self._threads = library.bare_threads_new(threads, self._each)

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        begin = time.perf_counter()
        calls = self._library.bare_threads_run(self._threads, seconds)
        return Slice(calls * self._each, calls, time.perf_counter() - begin)

    def advance(self, calls: int) -> None:
        self.run(0.0)

    def close(self) -> None:
        self._library.bare_threads_delete(self._threads)


@cache
def _compiled(source: Path, *flags: str) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        library = shared_library(source, folder, "-march=native", "-pthread", *flags)
        return ctypes.CDLL(str(library))


def shared_library(source: Path, folder: str, *flags: str) -> Path:
    """Compiles a file with a plugin's optimisation and these flags."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise Absent(f"{source.name} needs g++ or clang++")
    target = Path(folder, f"{source.stem}.so")
    command = [compiler, "-O3", "-std=c++20", "-shared", "-fPIC", f"-I{get_include()}"]
    subprocess.run([*command, source, *flags, "-o", target], check=True)
    return target


def plugin_library(source: Path) -> Path:
    """Compiles a file as a plugin's library, which lasts as long as this process."""
    return shared_library(source, _PLUGINS.name, "-DNDEBUG", "-fvisibility=hidden")


_PLUGINS = tempfile.TemporaryDirectory()


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
