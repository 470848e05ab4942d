"""Hostile `model_overrides`: every member of a model with values of any kind, in processes of their own.

    python override_fuzz.py dmc/cheetah-run 7 1000   # task, seed, cases

A case that is accepted is played for some steps. Allowed: errors with a text of ours, warnings, and rows of
physics without sense. A process that dies or computes for a minute is the finding.
"""

import faulthandler
import json
import reprlib
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

STEPS = 24
_ENDS = ("refused", "unbuildable", "played", "warned", "failed")
_OWNERS = ("opt", "stat", "vis.global_", "vis.quality", "vis.headlight", "vis.map", "vis.scale")
_NUMBERS = (
    *(float("nan"), float("inf"), -1, 0, 1, 2, 7, 99, 1e300, -1e300, 1e-300, 10**6, -(10**6), 77),
    *(1e10, -1e10, 1e-15, 0.5, 1e-4, 1000, 2**31, 2**32, 2**63, 10**400, -0.0, True, False),
)
_OTHERS: tuple[Any, ...] = (
    *(None, "", "1", "heavy", b"1", [], [[]], {}, {"a": 1}, [None], ["1"], [1, [2]], object(), 1j),
    *(np.zeros(10**7), np.zeros((3, 0)), np.array(["a"]), np.array([None]), np.float16(1)),
)


def members(model: Any) -> list[str]:
    """Every member of an mjModel that Python shows, and some that it has not."""
    result = [name for name in dir(model) if not callable(getattr(model, name))]
    for owner in (*_OWNERS, "vis.rgba"):
        held = model
        for name in owner.split("."):
            held = getattr(held, name)
        result += [f"{owner}.{name}" for name in dir(held)]
    return [*result, "", ".", "opt", "opt.", "opt.gravity.x", "no_such", "_address", "opt.nothing"]


def values(present: Any, draw: np.random.Generator) -> Iterator[Any]:
    """Values of any kind for a member, without end; many have the right shape."""
    old = np.asarray(present)
    shape = old.shape if old.dtype.kind in "iufb" else ()
    while True:
        kind = draw.integers(8)
        number = _NUMBERS[draw.integers(len(_NUMBERS))]
        if kind == 0:
            yield _OTHERS[draw.integers(len(_OTHERS))]
        elif kind == 1 and shape:
            wrong = tuple(draw.integers(0, 4, draw.integers(1, 5)))
            yield np.full(wrong, float(min(number, 1e300)))
        elif kind <= 3 or not shape or not old.size:
            yield number
        elif kind == 4:
            yield np.full(shape, float(min(number, 1e300)))
        elif kind == 5:  # one element is another one
            new = np.array(old, np.float64)
            new.flat[draw.integers(new.size)] = float(min(number, 1e300))
            yield new
        elif kind == 6:
            yield old * draw.choice([-1, 0, 1e-12, 0.5, 2, 1e3, 1e9, 1e300])
        else:
            new = old + draw.normal(0, draw.choice([1e-3, 1, 100]), shape)
            norm = np.linalg.norm(new, axis=-1, keepdims=True) if old.ndim == 2 else 1
            yield (new / norm, np.abs(new), np.sort(new, axis=-1))[draw.integers(3)]


def cases(model: Any, seed: int) -> Iterator[dict[str, Any]]:
    """Overrides of one member, or of several; members that may be changed more often."""
    from parallel_pool_mujoco.sdk.changeable import CHANGEABLE

    draw = np.random.default_rng(seed)
    everything = members(model)
    changeable = [name for name in CHANGEABLE if name in everything]
    while True:
        rounds = [*everything, *changeable]
        draw.shuffle(rounds)
        for path in rounds:
            case = {path: next(values(held(model, path), draw))}
            while draw.random() < 0.2:
                other = changeable[draw.integers(len(changeable))]
                case[other] = next(values(held(model, other), draw))
            yield case


def held(model: Any, path: str) -> Any:
    for name in path.split("."):
        model = getattr(model, name, None)
    return model


def play(task: str, seed: int, first: int, count: int) -> None:
    """In a child: says the number of each case before it begins, and how it ended."""
    faulthandler.enable()
    import parallel_pool
    from parallel_pool import EnvBuildError, EnvError, OptionError
    from parallel_pool_mujoco.sdk.copies import model_at

    with parallel_pool.make(task) as pool:
        pool.reset(seed=1)
        model = model_at(int(pool.read_array("mjmodel_address")[0]))
    source = cases(model, seed)
    for number in range(first + count):
        case = next(source)
        if number < first:
            continue
        print(f"case {number}: {reprlib.repr(case)}", flush=True)
        signal.setitimer(signal.ITIMER_PROF, 60)  # of this process: the machine may be busy
        try:
            pool = parallel_pool.make(task, num_envs=2, num_threads=1, model_overrides=case)
        except OptionError as error:
            assert "model_overrides" in str(error) or "timestep" in str(error), error
            print("refused", flush=True)
            continue
        except EnvBuildError:
            print("unbuildable", flush=True)
            continue
        with pool:
            print(f"{_played(pool, EnvError)} {[*case]}", flush=True)
    signal.setitimer(signal.ITIMER_PROF, 0)


def _played(pool: Any, env_error: type[Exception]) -> str:
    draw, result = np.random.default_rng(0), "played"
    shape = pool.action_space.shape
    for step in range(STEPS):
        try:
            if step == 0:
                pool.reset(seed=1)
            *_, truncated, info = pool.step(draw.uniform(-1, 1, shape).astype(np.float32))
            if info["mujoco_warning"].any() if "mujoco_warning" in info else truncated.any():
                result = "warned"
        except env_error as error:
            assert "MuJoCo" in str(error) or "dmc/" in str(error), error
            return "failed"
    return result


def fuzz(task: str, seed: int, count: int, chunk: int = 500) -> Counter[str]:
    """How the cases ended. Raises AssertionError that says which one ended its process."""
    ends: Counter[str] = Counter()
    for first in range(0, count, chunk):
        arguments = [task, str(seed), str(min(chunk, count - first)), str(first)]
        child = subprocess.run(
            [sys.executable, __file__, *arguments], capture_output=True, text=True, check=False
        )
        lines = child.stdout.splitlines()
        assert child.returncode == 0, (
            f"{task}, seed {seed}: {lines[-1:]} ended with {child.returncode}: {child.stderr[-3000:]}"
        )
        ends.update(word for line in lines if (word := line.partition(" ")[0]) in _ENDS)
    return ends


def main(task: str, seed: str, count: str, first: str = "") -> None:
    """A child's part with `first`, without it all of it."""
    if first:
        play(task, int(seed), int(first), int(count))
    else:
        print(task, json.dumps(fuzz(task, int(seed), int(count))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
