"""Many cores and a GPU: threads, batches, copies, pictures, compiled programs and a training, beside the peers.

On a machine with an index:

    uv run --group bench --group learners --group training python benchmarks/on_a_gpu.py --json FILE

For one without: `on_a_gpu.py pack FOLDER --wheels DIR`, then there `sh FOLDER/run.sh`. It takes about ten
minutes on 16 cores. At the end it says which figures are worse than those stored for the same GPU and CPU;
`on_a_gpu.py store FILE` stores the new ones. What needs a GPU is left out, aloud, where there is none, and so
is what fails, with the reason.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from statistics import median
from typing import Any

import baselines
import numpy as np
import other_machines
from figures import Row, rounded, say, table, times, without_folders
from in_turn import Case, Slice, again, take_turns
from measuring.apart import Apart
from measuring.baselines import Absent, Task, module_of, parallel_pool
from measuring.drivers import Driver
from measuring.envpool import envpool
from parallel_pool import _core
from parallel_pool.making import make
from study import Build, Study, id_and_size, reason_of, run, side_by_side

CPUS = _core.usable_cpus()
THREADS = [*(count for count in (1, 2, 4, 8, 16, 32, 64) if count < CPUS), CPUS]

WORK = (
    *("Pong-v5:128", "CartPole-v1:256", "CartPole-v1:16384", "Ant-v4:256", "HalfCheetah-v4:256"),
    *("Humanoid-v4:128", "CheetahRun-v1:256", "LunarLander-v3:1024"),
    "MiniGrid-DoorKey-8x8-v0:4096",
)
BATCHES = {"Pong-v5:128": 32, "Ant-v4:64": 16, "HalfCheetah-v4:64": 16}
PEERS = ("Pong-v5:16", "Pong-v5:64", "Pong-v5:128", "Ant-v5:32", "CartPole-v1:32")
COPIES = (16, 64, 256, 1024)
PICTURES = {"full": (1, 4, 16), "fast": (1, 4, 16)}
XLA = ("CartPole-v1:1024", "CartPole-v1:16384", "Pong-v5:128")
CASES = [
    # Those that fork come first, before any pool has threads.
    *(f"peers/{each}" for each in PEERS),
    *(f"threads/{each}" for each in WORK),
    *(f"batches/{each}/{size}" for each, size in BATCHES.items()),
    *(f"copies/Pong-v5:{each}" for each in COPIES),
    *(f"pictures/{each}" for each in PICTURES),
    "training/Pong-v5:256",
    # Last: a program that is wrong can end its process, or leave the GPU in a bad state.
    *(f"xla/{each}" for each in XLA),
]
TITLES = {
    "threads": "steps a second",
    "batches": "asynchronous batches, steps a second",
    "peers": "in lockstep, steps a second",
    "copies": "with output=torch, steps a second",
    "pictures": "cheetah-run, 84 x 84, pictures a second",
    "xla": "programs, steps a second",
    "training": "PPO, network on the GPU, steps a second",
}


def threads(work: str, args: argparse.Namespace) -> Iterator[Row]:
    """Numbers of threads, processes that share nothing, and EnvPool with the two largest numbers."""
    task_id, num_envs = id_and_size(work)
    task = partial(Task, task_id, num_envs)
    builds: list[Build] = [partial(Apart, "apart", task())]
    builds += [
        partial(parallel_pool, task(num_threads=count), view="gym", name=name_of(count))
        for count in THREADS
    ]
    builds.append(partial(parallel_pool, task(), view="gym", name="default"))
    builds += [
        partial(envpool, task(num_threads=count), name=f"EnvPool, {name_of(count)}")
        for count in THREADS[-2:]
    ]
    return measured(builds, args)


def name_of(count: int) -> str:
    """A column of a table."""
    return "1 thread" if count == 1 else f"{count} threads"


def batches(work: str, args: argparse.Namespace) -> Iterator[Row]:
    """Batches of some of the environments."""
    of, _, size = work.rpartition("/")
    task_id, num_envs = id_and_size(of)
    theirs = Task(task_id, num_envs, int(size), num_threads=CPUS)
    ours = Task(task_id, num_envs, int(size))
    return measured([partial(parallel_pool, ours, view="gym"), partial(envpool, theirs)], args)


def peers(work: str, args: argparse.Namespace) -> Iterator[Row]:
    """What else a person would take."""
    task = Task(*id_and_size(work))
    return measured(
        [
            partial(baselines.gymnasium_vector, task, "async", name="AsyncVectorEnv"),
            partial(baselines.ale, task),
            partial(parallel_pool, task),
        ],
        args,
    )


class Receiving(Driver):
    """Tensors of 84 x 84 pictures are received, and nothing is done with them."""

    def __init__(self, name: str, num_envs: int, receive: Callable[[Any], Any]) -> None:
        super().__init__(name, num_envs)
        self.env = make("Pong-v5", num_envs=num_envs, output="torch", seed=0)
        self._receive = receive
        self._action = np.zeros(num_envs, np.int64)
        self.env.reset()

    def advance(self, calls: int) -> Any:
        """So many steps."""
        result = None
        for _ in range(calls):
            self.env.send(self._action)
            result = self._receive(self.env)
        return result

    def close(self) -> None:
        """Frees the pool."""
        self.env.close()


def copies(work: str, args: argparse.Namespace) -> Iterator[Row]:
    """Results on the CPU; moved by the pool; moved by torch, the observations or all that a learner keeps."""
    expect_cuda()
    _, num_envs = id_and_size(work)
    ways: dict[str, Callable[[Any], Any]] = {
        "recv()": lambda pool: pool.recv(),
        'recv(device="cuda")': lambda pool: pool.recv(device="cuda", non_blocking=True),
        'recv()[0].to("cuda")': lambda pool: pool.recv()[0].to("cuda"),
        "four .to": lambda pool: [each.to("cuda") for each in pool.recv()[:4]],
    }
    return measured([partial(Receiving, name, num_envs, way) for name, way in ways.items()], args)


def expect_cuda() -> None:
    """Raises Absent without torch or a device of it."""
    if not module_of("torch").cuda.is_available():
        raise Absent("torch finds no CUDA device")


class Renderer(Driver):
    """MuJoCo's own renderer, in a loop."""

    def __init__(self, quality: str) -> None:
        super().__init__("mujoco.Renderer", 1)
        mujoco = module_of("mujoco")
        physics = module_of("dm_control.suite").load("cheetah", "run").physics
        model = self._model = physics.model.ptr
        model.vis.global_.offwidth = model.vis.global_.offheight = 84
        if quality == "fast":
            model.vis.quality.shadowsize = model.vis.quality.offsamples = 0
        self._data = physics.data.ptr
        mujoco.mj_forward(model, self._data)
        self._renderer = mujoco.Renderer(model, 84, 84)

    def advance(self, calls: int) -> Any:
        """So many pictures."""
        for _ in range(calls):
            self._renderer.update_scene(self._data)
            self._renderer.render()

    def close(self) -> None:
        """Frees the context."""
        self._renderer.close()


def pictures(quality: str, args: argparse.Namespace) -> Iterator[Row]:
    """One renderer, and pools of several environments."""
    builds: list[Build] = [partial(Renderer, quality)]
    options = {"from_pixels": True, "render_quality": quality}
    for num_envs in PICTURES[quality]:
        task = Task("CheetahRun-v1", num_envs, options=options)
        builds.append(partial(parallel_pool, task, name=f"pool of {num_envs}"))
    return measured(builds, args)


def xla(work: str, args: argparse.Namespace) -> Iterator[Row]:
    """Compiled programs on JAX's default device, and a loop, each in a process of its own."""
    module_of("jax")
    import xla as study_of_xla

    names = study_of_xla.builds(*id_and_size(work), args.slice)
    specs = {who: {"program": who, "work": work, "seconds": args.slice} for who in names}
    return processes(specs, args.slice, args)


def training(work: str, args: argparse.Namespace) -> Iterator[Row]:
    """PPO with the network on the GPU, in turn, and the share of the time in `step`."""
    expect_cuda()
    _, num_envs = id_and_size(work)
    settings = {"row": "Pong-v5, 84 x 84", "num_steps": 32, "minibatch": 2048, "device": "cuda"}
    # A process for each environment, so fewer of them.
    layers = {"ParallelPool": num_envs, "EnvPool": num_envs, "Gymnasium AsyncVectorEnv": 64}
    specs = {
        layer: {**settings, "layer": layer, "num_envs": count} for layer, count in layers.items()
    }
    return processes(specs, 12 * args.slice, args)


def processes(
    specs: dict[str, dict[str, Any]], seconds: float, args: argparse.Namespace
) -> Iterator[Row]:
    """A row for each whose process came to its end, and one that says why for each other."""
    left_out: list[str] = []
    slices = take_turns(again(specs), rounds=args.rounds, seconds=seconds, left_out=left_out)
    for who, mine in slices.items():
        row = {key: median(each[key] for each in mine) for key in mine[0]}
        yield {"who": who, "rate": row.pop("steps/s"), **row}
    yield from ({"left out": without_folders(reason)} for reason in left_out)


class Program(Case):
    """A case of `xla`, in its process."""

    def __init__(self, program: str, work: str, seconds: float) -> None:
        import xla as study_of_xla

        self._driver = study_of_xla.builds(*id_and_size(work), seconds, CPUS)[program]()

    def slice(self, seconds: float) -> Slice:
        """Calls it for that long."""
        return {"steps/s": self._driver.run(seconds).rate}

    def close(self) -> None:
        """Frees the pool."""
        self._driver.close()


def case_of(**spec: Any) -> Case:
    """What the process of a case of `xla` or `training` steps."""
    if "program" in spec:
        return Program(**spec)
    from end_to_end import Training

    return Training(**spec)


def measured(builds: Sequence[Build], args: argparse.Namespace) -> Iterator[Row]:
    """A row for each that could be built, and one that says why for each other."""
    left_out: list[str] = []
    for name, timing in side_by_side(builds, args, left_out).items():
        yield {"who": name, "rate": timing.median}
    yield from ({"left out": reason} for reason in left_out)


GROUPS: dict[str, Callable[[str, argparse.Namespace], Iterable[Row]]] = {
    **{"threads": threads, "batches": batches, "peers": peers},
    **{"copies": copies, "pictures": pictures, "xla": xla, "training": training},
}


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row for each peer; one that says why, where the case cannot be measured here."""
    group, _, work = case.partition("/")
    try:
        yield from GROUPS[group](work, args)
    except Exception as error:  # the other cases go on, whatever it is
        say(f"left out: {case}: {reason_of(error)}")
        yield {"left out": reason_of(error)}


def shown(rows: Sequence[Row], group: str) -> str:
    """A table of a group: a line for each case, a column for each peer. What was left out is said below."""
    lines: dict[str, Row] = {}
    columns: dict[str, Callable[[Any], str]] = {TITLES[group]: str}
    absent: dict[str, None] = {}
    for row in rows:
        begin, _, work = row["case"].partition("/")
        if begin != group:
            continue
        if "left out" in row:
            absent[row["left out"]] = None
            continue
        title = work.replace("/", " in batches of ").replace(":", ", ")
        lines.setdefault(title, {TITLES[group]: title})[row["who"]] = row["rate"]
        columns[row["who"]] = rounded
    columns = {name: columns[name] for name in sorted(columns, key=_place)}
    text = table(columns, list(lines.values())) if lines else ""
    return text + "".join(f"\nLeft out ({group}): {reason}.\n" for reason in absent)


def _place(name: str) -> tuple[bool, bool, bool, int]:
    """Of a column: the title, ours by number, those of EnvPool."""
    number = re.search(r"\d+", name)
    theirs, default = name.startswith("EnvPool"), name in ("default", "apart")
    return name not in TITLES.values(), theirs, default, int(number[0]) if number else 0


def best(rows: Sequence[Row]) -> str:
    """The README's lines: the most that each has reached in one pool, with any number of threads."""
    lines: dict[str, Row] = {}
    for row in rows:
        group, _, work = row["case"].partition("/")
        if group not in ("threads", "batches") or "rate" not in row or row["who"] == "apart":
            continue
        title = work.replace("/", " in batches of ").replace(":", ", ")
        line = lines.setdefault(title, {"environments": title})
        who = "EnvPool" if row["who"].startswith("EnvPool") else "ParallelPool"
        line[who] = max(line.get(who, 0.0), row["rate"])
        if row["who"] == "1 thread":
            line["one thread"] = row["rate"]
    for line in lines.values():
        if "EnvPool" in line and "ParallelPool" in line:
            line["to EnvPool"] = line["ParallelPool"] / line["EnvPool"]
    columns: dict[str, Callable[[Any], str]] = {"environments": str, "one thread": rounded}
    columns |= {"ParallelPool": rounded, "EnvPool": rounded, "to EnvPool": times}
    return table(columns, list(lines.values()))


def text(rows: Sequence[Row]) -> dict[str, str]:
    """By page."""
    cores, gpu = ("threads", "batches", "peers"), ("copies", "pictures", "xla", "training")
    pages = {"docs/many-cores.md": cores, "docs/gpu.md": gpu}
    texts = {
        page: "\n".join(filter(None, (shown(rows, group) for group in groups)))
        for page, groups in pages.items()
    }
    return {**texts, "README.md": best(rows)}


STUDY = Study(
    CASES,
    measure,
    text,
    "docs/gpu.md and docs/many-cores.md",
    rounds=3,
    seconds=0.4,
    packages=("ale-py", "mujoco", "torch", "jax"),
    process=case_of,
)

if __name__ == "__main__":
    os.environ.setdefault("MUJOCO_GL", "egl")
    # Else JAX holds most of the GPU's memory while others take their turns.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    if not other_machines.command(sys.argv[1:]):
        facts, rows = run(STUDY, __doc__)
        say(other_machines.verdict(facts, rows))
