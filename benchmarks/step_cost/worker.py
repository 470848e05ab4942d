"""Steps the pool of one case, in the interpreter whose build is measured.

python -m step_cost.worker count CASE: under callgrind, with window.c preloaded; prints the processor
and the versions that the count depends on as JSON. python -m step_cost.worker time CASE: a case of
in_turn.py, whose slices say the pool's steps per second.

Only public names of the package: the build may be an older one.
"""

from __future__ import annotations

import ctypes
import gc
import json
import platform
import sys
import sysconfig
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from itertools import cycle, islice
from typing import Any

import numpy as np
import parallel_pool

from step_cost.cases import Case, case_named

BATCHES = 64
"""How many batches of actions there are; used in turn."""
PYTHON_OPTIONS = ("--enable-shared", "--enable-optimizations", "--with-lto", "--with-pydebug")
"""Of how Python was built, what its own instructions depend on."""
CHUNK_SECONDS = 0.002
"""The clock is looked at about this often."""


def draw_actions(envs: Any, num_envs: int) -> list[np.ndarray]:
    """The same valid actions in every process."""
    random = np.random.default_rng(0)
    space = envs.single_action_space
    if space.shape:
        size = (num_envs, *space.shape)
        return [
            random.uniform(space.low, space.high, size).astype(space.dtype) for _ in range(BATCHES)
        ]
    return [random.integers(0, space.n, num_envs, dtype=space.dtype) for _ in range(BATCHES)]


def step_through(step: Callable[[Any], Any], actions: Sequence[np.ndarray]) -> None:
    """What is measured. Results are returned, not looked at, and given back."""
    for action in actions:
        step(action)


def count(case: Case, envs: Any, actions: Sequence[np.ndarray]) -> None:
    """Steps the case with the window of callgrind open for `case.steps`."""
    window = ctypes.CDLL(None)  # preloaded
    window.window_set_tick(ctypes.c_int64(case.tick))
    script = list(islice(cycle(actions), case.warm_up + case.steps))
    step_through(envs.step, script[: case.warm_up])
    counted = script[case.warm_up :]
    gc.collect()
    gc.disable()
    window.window_open()
    step_through(envs.step, counted)
    window.window_close()
    processor = ctypes.create_string_buffer(49)
    window.window_processor(processor)
    print(json.dumps({"processor": processor.value.decode().strip(), **versions()}))


def versions() -> dict[str, str]:
    """What is in the process besides this project's libraries."""
    found = {name: version(name) for name in ("numpy", "gymnasium", "mujoco")}
    options = str(sysconfig.get_config_var("CONFIG_ARGS") or "")
    chosen = [name for name in PYTHON_OPTIONS if name in options]
    built = ", ".join([platform.python_compiler(), *chosen])
    return {"python": f"{platform.python_version()} ({built})", **found}


class Stepped:
    """A case of in_turn.py."""

    def __init__(self, envs: Any, actions: Sequence[np.ndarray]) -> None:
        gc.disable()
        self.close = envs.close
        self._step = envs.step
        self._actions = cycle(actions)

    def slice(self, seconds: float) -> dict[str, float]:
        """Steps for so long."""
        steps = 0
        chunk = 1
        begin = now = time.perf_counter()
        while now < begin + seconds:
            step_through(self._step, list(islice(self._actions, chunk)))
            steps += chunk
            before, now = now, time.perf_counter()
            if now - before < CHUNK_SECONDS / 2:
                chunk *= 2
        return {"steps/s": steps / (now - begin)}


def main() -> None:
    """The case of the command line."""
    mode, name = sys.argv[1:]
    case = case_named(name)
    envs: Any = parallel_pool.make(case.env_id, num_envs=case.num_envs, num_threads=1)
    envs.reset(seed=0)
    actions = draw_actions(envs, case.num_envs)
    if mode == "count":
        count(case, envs, actions)
        envs.close()
    else:
        from in_turn import serve

        step_through(envs.step, list(islice(cycle(actions), case.warm_up)))
        serve(lambda: Stepped(envs, actions))


if __name__ == "__main__":
    main()
