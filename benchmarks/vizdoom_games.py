"""ViZDoom's games: ParallelPool, EnvPool, the package vizdoom in threads and in processes, and the limit.

All play the same cfg in turn, with random buttons: drawn in gray at 160x120, or in colour at 320x240 as most
scenarios are by default; resized to 84x84, four pictures stacked, four tics a step, 525 steps an episode at
most, on two threads. EnvPool's engine is ViZDoom 1.3.0, built by itself, with another Freedoom. The table is
in tics: environment steps x 4. A file `vizdoom.py` would hide the package.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from bare import BareVizdoom
from figures import Row, percent, table, times, whole
from measuring.baselines import Absent, Task, drive, module_of
from measuring.baselines import parallel_pool as pool_of
from measuring.drivers import Driver
from parallel_pool import make_spec
from study import Build, Study, id_and_size, ratio, run, side_by_side, sized

THREADS = 2
SKIP = 4
STEPS = 525
FORMATS = {"gray": ("GRAY8", "RES_160X120"), "colour": ("CRCGCB", "RES_320X240")}


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each that plays."""
    scenario, size = id_and_size(case)
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # where vizdoom's own engines leave files
        cfg = matched(*scenario.split(" in "), Path(folder))
        builds: list[Build] = [partial(CASES[name], name, cfg, size) for name in CASES]
        timings = side_by_side(builds, args)
        os.chdir(before)
    for name, timing in timings.items():
        yield {
            "scenario": scenario,
            "games": str(size),
            "pool": name,
            "tics/s": SKIP * timing.median,
            "of bare": ratio(timing, timings.get("bare loop")),
            "to EnvPool": ratio(timing, timings.get("EnvPool")),
        }


def text(rows: Sequence[Row]) -> str:
    columns = {"scenario": str, "games": str, "pool": str, "tics/s": whole}
    return table({**columns, "of bare": percent, "to EnvPool": times}, rows)


def matched(name: str, colours: str, folder: Path) -> Path:
    """The scenario's cfg with one of FORMATS, in a folder with its map."""
    from parallel_pool_vizdoom._package import package_folder, scenario_folders

    for place in scenario_folders(package_folder()):
        if (place / f"{name}.cfg").is_file():
            shutil.copy(place / f"{name}.wad", folder)
            lines = (place / f"{name}.cfg").read_text()
            screen_format, resolution = FORMATS[colours]
            lines += f"\nscreen_resolution = {resolution}\nscreen_format = {screen_format}"
            lines += "\nepisode_timeout = 0\n"
            path = folder / f"{name}.cfg"
            path.write_text(lines)
            return path
    raise SystemExit(f"{name}.cfg is not here: pip install envpool-assets")


def pool(name: str, cfg: Path, size: int, batch: int | None = None) -> Driver:
    options = {"cfg_path": str(cfg), "max_episode_steps": STEPS}
    task = Task("vizdoom/VizdoomCustom-v1", size, batch, num_threads=THREADS, options=options)
    buttons = make_spec(task.task_id, cfg_path=str(cfg)).action_space.shape[-1]
    view = "gymnasium" if batch is None else "gym"
    return pool_of(task, view=view, name=name, actions=presses(buttons, task.rows))


def halves(name: str, cfg: Path, size: int) -> Driver:
    """An asynchronous pool: half of the games are received at a time, whoever is ready."""
    if size == 1:
        raise Absent("one game has no halves")
    return pool(name, cfg, size, size // 2)


def envpools(name: str, cfg: Path, size: int) -> Driver:
    module = module_of("envpool")
    wad = cfg.with_suffix(".wad")
    env = module.make_gymnasium(
        "VizdoomCustom-v1",
        num_envs=size,
        num_threads=THREADS,
        cfg_path=str(cfg),
        wad_path=str(wad),
        max_episode_steps=STEPS,
    )
    return drive(
        name, env, Task("VizdoomCustom-v1", size), actions=presses(env.action_space.shape[-1], size)
    )


def presses(buttons: int, size: int) -> list[Any]:
    """Of each button, half of the time: what all of them play, so that episodes last as long."""
    draw = np.random.default_rng(0)
    return [draw.integers(0, 2, (size, buttons)).astype(np.float64) for _ in range(64)]


class OneGame:
    """DoomGame with what the pools do: resized, stacked, begun again."""

    def __init__(self, cfg: Path, seed: int) -> None:
        import vizdoom

        self.game = vizdoom.DoomGame()
        self.game.load_config(str(cfg))
        self.game.set_window_visible(False)
        self.game.set_seed(seed)
        self.game.init()
        planes = self.game.get_screen_channels()
        self.stack = np.zeros((4, planes, 84, 84), np.uint8)
        self.steps = 0
        self.observe()

    def observe(self) -> None:
        import cv2

        state = self.game.get_state()
        if state is not None:
            self.stack[:-1] = self.stack[1:]
            screen = state.screen_buffer.reshape(-1, *state.screen_buffer.shape[-2:])
            for plane, target in zip(screen, self.stack[-1], strict=True):
                cv2.resize(plane, (84, 84), target, interpolation=cv2.INTER_AREA)

    def step(self, action: Any) -> tuple[float, Any]:
        self.steps += 1
        reward = 0.0
        if self.game.is_episode_finished() or self.steps > STEPS:
            self.game.new_episode()
            self.steps = 0
        else:
            reward = self.game.make_action(action, SKIP)
        self.observe()
        return reward, self.stack.copy()


class InThreads(Driver):
    """One DoomGame each, stepped by a thread each: the package lets go of Python's lock while it waits."""

    def __init__(self, name: str, cfg: Path, size: int) -> None:
        super().__init__(name, size)
        self._threads = ThreadPoolExecutor(size)
        self._games = list(self._threads.map(partial(OneGame, cfg), range(size)))
        count = self._games[0].game.get_available_buttons_size()
        self._actions = [each.tolist() for each in presses(count, size)]
        self._turn = 0

    def advance(self, calls: int) -> Any:
        for _ in range(calls):
            actions = self._actions[self._turn % len(self._actions)]
            self._turn += 1
            result = list(self._threads.map(OneGame.step, self._games, actions))
            np.stack([observation for _, observation in result])
        return None

    def close(self) -> None:
        for each in self._games:
            each.game.close()
        self._threads.shutdown()


def in_processes(name: str, cfg: Path, size: int) -> Driver:
    """Gymnasium's AsyncVectorEnv of its own environments."""
    if importlib.util.find_spec("pygame") is None:
        raise Absent("ViZDoom's Gymnasium environments need pygame-ce")
    from gymnasium.vector import AsyncVectorEnv

    env = AsyncVectorEnv([partial(wrapped, str(cfg))] * size)
    return drive(name, env, Task("VizdoomCustom-v1", size))


def wrapped(cfg: str) -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import cv2
    import gymnasium
    from vizdoom.gymnasium_wrapper.base_gymnasium_env import VizdoomEnv

    cv2.setNumThreads(1)
    env: Any = VizdoomEnv(cfg, frame_skip=SKIP, max_buttons_pressed=0)
    shape = (84, 84, *env.observation_space["screen"].shape[2:])
    space = gymnasium.spaces.Box(0, 255, shape, np.uint8)
    env = gymnasium.wrappers.TimeLimit(env, STEPS)

    def resized(observation: Any) -> Any:
        picture = cv2.resize(observation["screen"], (84, 84), interpolation=cv2.INTER_AREA)
        return picture.reshape(shape)  # cv2 drops the axis of a single channel

    env = gymnasium.wrappers.TransformObservation(env, resized, space)
    return gymnasium.wrappers.FrameStackObservation(env, 4)


def bare(name: str, cfg: Path, size: int) -> Driver:
    return BareVizdoom(name, str(cfg), size, THREADS)


def bare_in_lockstep(name: str, cfg: Path, size: int) -> Driver:
    if size == 1:
        raise Absent("one game has none to wait for")
    return BareVizdoom(name, str(cfg), size, THREADS, lockstep=True)


CASES: dict[str, Callable[[str, Path, int], Driver]] = {
    "Gymnasium AsyncVectorEnv": in_processes,  # first: it starts processes
    "ParallelPool": pool,
    "ParallelPool, half at a time": halves,
    "EnvPool": envpools,
    "vizdoom in threads": InThreads,
    "bare loop in lockstep": bare_in_lockstep,
    "bare loop": bare,
}


if __name__ == "__main__":
    scenarios = ("D1_basic in gray", "health_gathering in gray")
    scenarios += ("basic in colour", "defend_the_center in colour")
    cases = sized(scenarios, (1, 8, 32))
    run(
        Study(
            cases, measure, text, "docs/vizdoom.md", rounds=5, seconds=1.0, packages=("vizdoom",)
        ),
        __doc__,
    )
