"""Games of PufferLib 3.0 in a pool, compared with PufferLib's own vectorised binding of the same C sources.

The sources are fetched by hash, compiled here with PufferLib's flags, and never copied: its binding as it
is, and the same game behind `ocean/env_binding.h`, of which `ocean/kernel.cpp` makes a batch kernel, with a
plugin's flags. What is timed is what a training calls: `envs.step(actions)` of the pool, with `copy=False`, as
PufferLib's arrays are, and with copies; and PufferLib's `step`, which copies actions, steps all environments on
one thread and reads the log every 128 steps. One thread is timed by its CPU time. Before a game is timed, one
environment of each must be equal over 1,000 steps. Needs gcc and pip: `--with pip`.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from bare import shared_library
from figures import Row, rounded, table, times, whole
from measuring.baselines import Task, parallel_pool
from measuring.drivers import ByCpu, Driver
from parallel_pool import EnvSpec, make, register
from study import Study, compare, id_and_size, run, sized

SHA256 = "7df3a3e3f5f894d78d2a1f5374097890aec01473183e748abefe4f3faa10eaa9"
HERE = Path(__file__).parent / "ocean"
_FOLDER = tempfile.TemporaryDirectory()


@dataclass(frozen=True)
class Game:
    """What PufferLib's Python class of a game says."""

    dtype: Any
    shape: tuple[int, ...]
    actions: int
    options: Mapping[str, float]
    float_actions: bool = False
    in_place: bool = True
    """A step writes the whole observation, so that it may write it anywhere."""
    optimised: str = "-O3"
    """The level of a plugin, or the one that suits the game."""


PADDLE = {"paddle_height": 8, "ball_width": 32, "ball_height": 32, "continuous": 0}
GAMES = {
    "squared": Game(np.uint8, (121,), 5, {"size": 11}, in_place=False),
    "pong": Game(
        np.float32,
        (8,),
        3,
        {
            **PADDLE,
            **{"width": 500, "height": 640, "paddle_width": 20, "paddle_height": 70},
            **{"paddle_speed": 8, "ball_initial_speed_x": 10, "ball_initial_speed_y": 1},
            **{"ball_speed_y_increment": 3, "ball_max_speed_y": 13, "max_score": 21},
            "frameskip": 1,
        },
        float_actions=True,
        in_place=False,
    ),
    "cartpole": Game(np.float32, (4,), 2, {"continuous": 0}, float_actions=True),
    "breakout": Game(
        np.float32,
        (118,),
        3,
        {
            **PADDLE,
            **{"width": 576, "height": 330, "paddle_width": 62, "frameskip": 4},
            **{"brick_width": 32, "brick_height": 12, "brick_rows": 6, "brick_cols": 18},
        },
        float_actions=True,
    ),
    "snake": Game(
        np.int8,
        (121,),
        4,
        {
            **{"width": 32, "height": 24, "num_snakes": 1, "num_food": 8, "vision": 5},
            **{"leave_corpse_on_death": 1, "reward_food": 0.1, "reward_corpse": 0.1},
            **{"reward_death": -1.0, "max_snake_length": 128, "cell_size": 20},
        },
        optimised="-O2",  # it copies 11 bytes at a time, which no vector has
    ),
    "tetris": Game(np.float32, (234,), 7, {"n_cols": 10, "n_rows": 20, "deck_size": 3}),
    "go": Game(
        np.float32,
        (100,),
        50,
        {
            **{"width": 950, "height": 512, "grid_size": 7, "board_width": 600},
            **{"board_height": 600, "grid_square_size": 600 / 9, "moves_made": 0, "komi": 7.5},
            **{"score": 0.0, "last_capture_position": -1, "reward_move_pass": -0.25},
            **{"reward_move_invalid": -0.1, "reward_move_valid": 0.1},
            **{"reward_player_capture": 0.25, "reward_opponent_capture": -0.25},
        },
    ),
}


@cache
def sources() -> Path:
    """PufferLib's folder `ocean`, unpacked, and raylib's headers, which its archive has.

    pip checks the archive and unpacks it. It then asks setup.py for metadata, which would import torch
    and download engines: a module of that name ends it.
    """
    folder = Path(_FOLDER.name)
    (folder / "torch.py").write_text("raise SystemExit('only the sources are wanted')")
    (folder / "wanted.txt").write_text(f"pufferlib==3.0.0 --hash=sha256:{SHA256}")
    options = "--quiet --no-clean --no-deps --no-build-isolation --require-hashes"
    command = [sys.executable, "-m", "pip", "download", *options.split()]
    command += ["--no-binary", "pufferlib", "-r", str(folder / "wanted.txt")]
    paths = {"TMPDIR": str(folder), "PYTHONPATH": str(folder)}
    done = subprocess.run(command, env={**os.environ, **paths}, capture_output=True, text=True)
    for header in folder.glob("*/*/pufferlib/ocean/env_binding.h"):
        return header.parent
    raise SystemExit(f"pip could not fetch pufferlib 3.0.0:\n{done.stdout}{done.stderr}")


def compiled(target: Path, source: Path, *flags: str) -> Path:
    """With the flags of PufferLib's setup.py."""
    raylib = sources().parents[1] / "raylib-5.5_linux_amd64"
    command = ["gcc", source, "-O2", "-flto", "-fwrapv", "-fPIC", "-w", f"-I{raylib / 'include'}"]
    subprocess.run([*command, *flags, "-o", target], check=True)
    return target


@cache
def binding(name: str) -> ModuleType:
    """PufferLib's own module of a game."""
    includes = (sysconfig.get_path("include"), np.get_include())
    raylib = sources().parents[1] / "raylib-5.5_linux_amd64/lib/libraylib.a"
    target = Path(_FOLDER.name) / name / "binding.so"
    target.parent.mkdir()
    flags = [*(f"-I{path}" for path in includes), "-DPLATFORM_DESKTOP", "-shared"]
    compiled(target, sources() / name / "binding.c", *flags, str(raylib), "-lm")
    spec = importlib.util.spec_from_file_location("binding", target)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def plugin(name: str) -> str:
    """The id of the game in pools, once its library is there."""
    env_id = f"ocean_{name}/Game-v0"
    register(EnvSpec(env_id), library=library(name))
    return env_id


@cache
def library(name: str) -> Path:
    """The plugin of a game."""
    game = GAMES[name]
    element = {"uint8": "uint8_t", "int8": "int8_t", "float32": "float"}
    macros = {
        "ID": f'"ocean_{name}/Game-v0"',
        "FAMILY": f'"ocean_{name}"',
        "ELEMENT": element[np.dtype(game.dtype).name],
        "ELEMENTS": int(np.prod(game.shape)),
        "ACTIONS": game.actions,
        "ACTION": "float" if game.float_actions else "int32_t",
        "IN_PLACE": int(game.in_place),
        "GIVEN": ", ".join(f'{{"{key}", {value}}}' for key, value in game.options.items()),
    }
    defines = [f"-DOCEAN_{key}={value}" for key, value in macros.items()]
    folder = Path(_FOLDER.name) / "ours" / name
    folder.mkdir(parents=True)
    for file in (sources() / name).glob("*.[ch]"):
        (folder / file.name).write_bytes(file.read_bytes())
    (folder.parent / "env_binding.h").write_bytes((HERE / "env_binding.h").read_bytes())
    ours = (game.optimised, "-ffunction-sections", "-fvisibility=hidden", *defines)
    game_object = folder / "game.o"
    compiled(game_object, folder / "binding.c", "-include", str(HERE / "rand.h"), *ours, "-c")
    # Of one kind of arithmetic, so that the game becomes part of the kernel's loop.
    flags = ["-DNDEBUG", "-flto", "-fwrapv", "-Wl,--gc-sections", *ours]
    return shared_library(HERE / "kernel.cpp", str(folder), *flags, str(game_object))


class Binding(Driver):
    """PufferLib's class of a game, without its checks."""

    def __init__(self, name: str, game: str, num_envs: int) -> None:
        super().__init__(name, num_envs)
        made, self._binding = GAMES[game], binding(game)
        self.observations = np.zeros((num_envs, *made.shape), made.dtype)
        self.actions = np.zeros(num_envs, np.float32 if made.float_actions else np.int32)
        self.rewards = np.zeros(num_envs, np.float32)
        self.terminals = np.zeros(num_envs, bool)
        arrays = (self.observations, self.actions, self.rewards, self.terminals)
        truncations = np.zeros(num_envs, bool)
        self._envs = self._binding.vec_init(*arrays, truncations, num_envs, 0, **made.options)
        self._tick = 0
        self._drawn = actions(game, num_envs)
        self.reset(0)

    def reset(self, seed: int) -> None:
        self._binding.vec_reset(self._envs, seed)

    def step(self, actions: np.ndarray[Any, Any]) -> None:
        self._tick += 1
        self.actions[:] = actions
        self._binding.vec_step(self._envs)
        if self._tick % 128 == 0:
            self._binding.vec_log(self._envs)

    def results(self) -> list[Any]:
        """Copies of what the pool calls observation, reward and terminated."""
        return [x.ravel().copy() for x in (self.observations, self.rewards, self.terminals)]

    def advance(self, calls: int) -> None:
        for _ in range(calls):
            self.step(self._drawn[self._tick % len(self._drawn)])

    def close(self) -> None:
        self._binding.vec_close(self._envs)


@cache
def is_the_same_game(name: str) -> None:
    """Raises SystemExit unless a pool of one environment gives what PufferLib's binding does."""
    drawn = actions(name, 1)[:1000]
    libc = ctypes.CDLL(None)
    with closing(Binding("", name, 1)) as theirs:
        expected = [theirs.results()]
        for action in drawn:
            theirs.step(action)
            expected.append(theirs.results())
    for copy in (True, False):
        with closing(make(plugin(name), num_envs=1, copy=copy)) as envs:
            of_process = ctypes.c_int.in_dll(ctypes.CDLL(str(library(name))), "ocean_of_process")
            of_process.value = 1
            libc.srand(0)
            results = [[np.array(envs.reset()[0]), 0, 0]]
            results += [[np.array(each) for each in envs.step(action)[:3]] for action in drawn]
            of_process.value = 0
        for step, (ours, other) in enumerate(zip(results, expected, strict=True)):
            if not all(np.array_equal(np.ravel(x), y) for x, y in zip(ours, other, strict=True)):
                raise SystemExit(f"{name}: PufferLib's step {step} is another")


def actions(name: str, num_envs: int) -> list[Any]:
    """The same for both."""
    random = np.random.default_rng(0)
    count = max(16, min(1000, 2**20 // num_envs))
    return list(random.integers(0, GAMES[name].actions, (count, num_envs), np.int32))


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each number of threads."""
    name, num_envs = id_and_size(case)
    is_the_same_game(name)
    # They fill the heap's holes, or the games of what is built first would lie scattered, and be 5% slower.
    fill = [Binding("", name, num_envs) for _ in range(4)]
    for threads in (1, 2) if num_envs == max(SIZES) else (1,):

        def pool(column: str, copy: bool, threads: int = threads) -> Driver:
            task = Task(plugin(name), num_envs, num_threads=threads, options={"copy": copy})
            return parallel_pool(task, name=column, actions=actions(name, num_envs))

        builds = {
            "pool": partial(pool, "pool", copy=False),
            "with copies": partial(pool, "with copies", copy=True),
            "PufferLib": partial(Binding, "PufferLib", name, num_envs),
        }
        if threads == 1:
            builds = {column: partial(ByCpu.of, build, CALLS) for column, build in builds.items()}
        row = compare(builds, args)
        row["with copies, to PufferLib"] = row["with copies"] / row["PufferLib"]
        yield {"game": name, "environments": num_envs, "threads": threads, **row}
    for each in fill:
        each.close()


def text(rows: Sequence[Row]) -> str:
    columns = {"game": str, "environments": whole, "threads": whole}
    ratios = {"pool": rounded, "to PufferLib": times, "to PufferLib, quartiles": str}
    copies = {"with copies, to PufferLib": times}
    return table({**columns, "PufferLib": rounded, **ratios, **copies}, rows)


CALLS = 64
"""Steps between two looks at the clock."""


SIZES = (256, 4096)

if __name__ == "__main__":
    cases = sized(GAMES, SIZES)
    run(Study(cases, measure, text, "docs/writing-a-plugin.md", rounds=100, seconds=0.01), __doc__)
