"""A program is data: one that is damaged is refused by line and word, or plays; it reaches no other memory."""

import random
from functools import cache
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool_tasks import handed_over
from parallel_pool_tasks.examples import Cheetah
from parallel_pool_tasks.models import compiled
from parallel_pool_tasks.program.ops import ops
from parallel_pool_tasks.trace.tracer import traced
from task_classes import Blocks, Randomised, Reacher, Senses
from test_language import Program

MUTATIONS = 300
ACTION = np.full((1, 6), 0.3, np.float32)


@cache
def program(task: Any = Cheetah) -> str:
    return traced(task(), compiled(task)[0])


CHANGED = [
    (
        "parallel-pool-tasks 1",
        "parallel-pool-tasks 2",
        "line 1 ('parallel-pool-tasks'), word 2 (version) is '2'",
    ),
    ("registers ", "registers 99999", "(count) is '99999"),
    ("registers ", "registers -", "expected a whole number, 1 .."),
    ("kept ", "kept 9", "(first)"),
    ("generator Generator", "generator Numpy", "expected Generator or RandomState"),
    ("bound -1.0 1.0", "bound 1.0 -1.0", "expected a number not below the first"),
    ("bound -1.0 1.0\n", "", "the action has another size"),
    ("observation - float64 17", "observation - float64 18", "has 18 numbers, and 17 are written"),
    (
        "observation float64 17 0+0 r",
        "observation float64 9 0+0 r0 0 1\nobservation float64 8 0+0 r",
        "expected number 9 to be next",
    ),
    (
        "observation - float64 17",
        "observation - float16 17",
        "expected float64, float32, int64 or bool",
    ),
    ("info x_position float64", "info x_velocity float64", "expected another name"),
    ("add float64 9", "sum_up float64 9", "there is no operation of that name"),
    ("add float64 9 r", "add float64 9 q", "expected a register, such as r7"),
    ("add float64 9 r", "add float64 99999 r", "there are not so many registers"),
    ("add float64 9 r", "add float64 9 r9", "(result)"),
    ("mj_step float64 5", "mj_step float64 0", "1 .. 10000"),
    ("qpos+0", "qpos-0", "expected a place, such as qpos+2"),
    ("qpos+1", "qpos+2", "mjData.qpos has 9 numbers"),
    ("qpos+1", "contact+1", "mjData.contact has 0 numbers"),
    ("store float64 9 qpos+0", "store float64 9 xpos+0", "MuJoCo computes mjData.xpos"),
    ("0+0", "1+0", "word 4 (place)"),
    ("\nend\n", "\n", "the text ends too early"),
    ("\nend\n", "\nend\nadd\n", "expected nothing behind 'end'"),
]
INSERTED = [
    ("action float32", "tunables 9", "word 2 (count) is '9'"),
    ("action float32 6 r", "reset", "there is no operation"),
    ("mj_step", "end_when float64 0 1", "no block of this kind is to be ended here"),
    ("mj_step", "when float64 r0 0 1", "a block cannot hold results"),
    (
        "mj_step",
        "repeat float64 9999 0 1\nrepeat float64 9999 0 1",
        "loops within each other take more",
    ),
    ("add float64 9", "exp int64 1 r0 r0 0 1", "expected the dtype float64 or float32"),
    ("add float64 9", "matmul float64 9 9 9 r0 r0 r99999 0 0 1", "(operand)"),
    ("mj_step", "write_model float64 1 body_mass+0 r0 0 1", "a step does not write the model"),
    ("forward", "set_const float64 0 1\nset_const float64 0 1", "as it is behind set_const"),
    (
        "forward",
        "when float64 r0 0 1\nset_const float64 0 1\nend_when float64 0 1",
        "a block cannot hold set_const",
    ),
    (
        "forward",
        "write_model float64 1 geom_dataid+0 r0 0 1",
        "mjModel.geom_dataid is none of the arrays",
    ),
    ("forward", "write_model float64 1 body_mass+99 r0 0 1", "mjModel.body_mass has 8 numbers"),
    ("mj_step", "n_contacts int64 r0 1,99 * 0 1", "has no geom 99"),
    ("mj_step", "n_contacts int64 r0 1,,2 * 0 1", "word 4 (geoms) is '1,,2'"),
    ("mj_step", "object_velocity float64 r0 site:5 0 0 1", "has no site 5"),
    ("mj_step", "object_velocity float64 r0 joint:0 0 0 1", "such as site:3"),
    ("mj_step", "ray float64 9 r0 r0* r99 0 127 0 1", "(operand)"),
    ("mj_step", "load_int float64 1 r0 qpos+0 0 1", "numbers of another type"),
    ("mj_step", "store_bool bool 1 bvh_active+0 r0 0 1", "MuJoCo computes mjData.bvh_active"),
    ("add float64 9", "lookup float64 9 r0 9 r0 r99999 0 1", "word 7"),
]
"""Before the first line that begins so, what, and what is said of it."""
REFUSED = [*CHANGED, *((f"\n{at}", f"\n{new}\n{at}", message) for at, new, message in INSERTED)]


@pytest.mark.parametrize(("part", "other", "message"), REFUSED)
def test_damage_is_named(
    part: str, other: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = program()
    assert part in text
    monkeypatch.setattr(handed_over, "traced", lambda *_: text.replace(part, other, 1))
    with pytest.raises(Exception, match=r"program|cheetah") as raised, parallel_pool.make(Cheetah):
        pass
    assert message in str(raised.value)


def test_random_damage_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Characters, words and lines are changed. Counted: some are refused, some are played."""
    draw = random.Random(1)
    tasks = (Cheetah, Reacher, Blocks, Randomised, Senses, Program)
    texts = [program(each) for each in tasks]
    refused = 0
    for _ in range(MUTATIONS):
        task, text = draw.choice(list(zip(tasks, texts, strict=True)))
        for _ in range(draw.choice((1, 1, 1, 4))):
            text = damaged(draw, text)
        monkeypatch.setattr(handed_over, "traced", lambda *_, text=text: text)
        try:
            with parallel_pool.make(task, num_threads=1) as pool:
                pool.reset(seed=0)
                for _ in range(2):
                    pool.step(np.zeros(pool.action_space.shape, pool.action_space.dtype))
        except parallel_pool.ParallelPoolError:
            refused += 1
    assert MUTATIONS // 5 < refused < MUTATIONS


def damaged(draw: random.Random, text: str) -> str:
    lines = text.split("\n")
    at = draw.randrange(len(lines))
    kind = draw.randrange(6)
    if kind == 0:
        return text[: draw.randrange(len(text))]
    if kind == 1:
        del lines[at]
    elif kind == 2:
        lines.insert(draw.randrange(len(lines)), lines[at])
    elif kind == 3:
        words = lines[at].split(" ")
        words[draw.randrange(len(words))] = draw.choice(text.split())
        lines[at] = " ".join(words)
    else:
        place = draw.randrange(len(text))
        return text[:place] + draw.choice("0123456789 r*+-.\n") + text[place + kind % 2 :]
    return "\n".join(lines)


def test_every_operation_of_a_ufunc_is_numpys() -> None:
    """The tracer finds operations by numpy's names: a name that numpy has not would never be recorded."""
    elementwise = [name for name, form in ops().items() if form in ("nDA", "nDAB")]
    others = {"scalar_power", "uniform", "normal", "integers"}
    assert all(
        isinstance(getattr(np, name), np.ufunc) for name in elementwise if name not in others
    )
