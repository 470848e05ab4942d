"""Random expressions of the language: the machine's numbers are numpy's, in every bit and dtype."""

import functools
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
import parallel_pool
import pytest
from parallel_pool_tasks import (
    Step,
    Task,
    gymnasium_model,
    lookup,
    reference,
    rotations,
    substeps,
    until,
    when,
)
from parallel_pool_tasks.models import compiled
from parallel_pool_tasks.program.ops import loops
from parallel_pool_tasks.trace.tracer import traced
from task_classes import crawler

ROUNDS, TERMS = 24, 40
ONE = [getattr(np, name) for name in loops() if getattr(np, name).nin == 1]
TWO = [getattr(np, name) for name in loops() if getattr(np, name).nin == 2]
"""numpy's functions whose own loops the machine calls."""


def expressions(seed: int, values: dict[str, Any], terms: int = TERMS) -> dict[str, Any]:
    """Results by name: `values` and what random functions make of them, in the same order for one seed."""
    draw = np.random.default_rng(seed)
    pool = list(values.values())
    results: dict[str, Any] = {}

    def some(kind: str = "fib", shape: Any = None) -> Any:
        good = [x for x in pool if x.dtype.kind in kind and (shape is None or x.shape == shape)]
        return good[draw.integers(len(good))]

    def matrix(x: Any) -> Any:
        """Of sizes from 2 to 11, either way in memory."""
        x, rows, columns = np.atleast_1d(x), draw.integers(2, 12), draw.integers(2, 12)
        flat = np.tile(x, -(-rows * columns // x.size))[: rows * columns]
        flat = flat * 0.5 + np.arange(rows * columns, dtype=flat.dtype)
        return flat.reshape(rows, columns) if draw.random() < 0.5 else flat.reshape(columns, rows).T

    def product(left: Any, right: Any) -> Any:
        kind, inner = draw.integers(6), min(left.shape[1], right.shape[0])
        left, right = left[:, :inner].copy(), right[:inner].copy()
        if kind < 2:
            return left @ left.T if kind else np.dot(left, right)
        if kind < 4:
            return left @ right[:, 0].copy() if kind == 2 else left[0] @ right
        return np.linalg.norm(left[0]) if kind == 4 else left[0].dot(right[:, 0].copy())

    def combined(x: Any) -> Any:
        if draw.random() < 0.5:
            function = [np.add, np.subtract, np.multiply, np.maximum, np.minimum][draw.integers(5)]
            return function(x, some("fi", x.shape if x.dtype.kind == "f" else None))
        return x * float(draw.normal()) + int(draw.integers(3))

    def of_two(x: Any) -> Any:
        y = some("f", x.shape) if draw.random() < 0.5 else float(draw.uniform(0.5, 3))
        return TWO[draw.integers(len(TWO))](*((x, y) if draw.random() < 0.5 else (y, x)))

    def folded(x: Any) -> Any:
        folds = [np.sum, np.mean, np.min, np.max, np.argmax, np.argmin, np.linalg.norm]
        return np.ravel(folds[draw.integers(7)](matrix(x), axis=int(draw.integers(2))))

    flat = np.atleast_1d
    plain = [np.abs, np.square, np.sign, np.floor, np.rint, np.negative]
    functions: list[Callable[[Any], Any]] = [
        combined,
        lambda x: plain[draw.integers(6)](x),
        lambda x: np.sqrt(np.abs(x)) / (1.5 + np.abs(x)),
        lambda x: np.where(x > float(draw.normal()), x, 0.25 * x),
        lambda x: np.clip(x, -0.5, float(draw.uniform(-1, 1))),
        lambda x: [np.sum, np.mean, np.min, np.max][draw.integers(4)](flat(x)),
        lambda x: np.concatenate([flat(x)[::-1], flat(some("f"))])[:200],
        lambda x: flat(x)[: max(1, x.size // 2)] ** 2 + some("f", ()).astype(np.float64) ** 3,
        lambda x: (flat(x) > 0) & ~(flat(x) > 0.5),
        lambda x: some("b").sum() % 5 - 2,
        lambda x: np.stack([flat(x), np.roll(flat(x), 1)]).T.reshape(-1)[:200],
        lambda x: ONE[draw.integers(len(ONE))](x if draw.random() < 0.5 else flat(x)[::-1].copy()),
        of_two,
        lambda x: flat(x) ** [3, -1, 0.5, 1.7, 0][draw.integers(5)],
        folded,
        lambda x: np.ravel(product(matrix(x), matrix(some("f")))),
        lambda x: np.fmod(7, 4) * np.remainder(x, 0.75) if x.dtype == float else x.astype(float),
    ]
    for number in range(terms):
        x = some("f")
        made = functions[draw.integers(len(functions))](x)
        pool.append(made)
        results[f"r{number}"] = made
    return results


def rotated(quat: Any, vector: Any, rng: Any) -> dict[str, Any]:
    """Each function of rotations by its name."""
    quat = quat / np.linalg.norm(quat)
    heading = rotations.quat_from_yaw(rng.uniform(-3, 3))
    return {
        "product": rotations.quat_mul(quat, heading),
        "turned": rotations.quat_rotate(quat, vector),
        "back": rotations.quat_rotate_inverse(quat, vector),
        "heading": np.atleast_1d(rotations.yaw(heading)),
        "wrapped": rotations.wrap_to_pi(9 * vector),
        "of_euler": rotations.euler2quat(vector),
        "euler": rotations.mat2euler(np.stack([vector, 2 * vector[::-1], vector**2])),
    }


def test_rotations_are_mujocos() -> None:
    draw = np.random.default_rng(2)
    quat, vector = draw.normal(size=(2, 4))
    unit, vector = quat / np.linalg.norm(quat), vector[:3]
    angle = np.random.default_rng(3).uniform(-3, 3)
    got = rotated(quat, vector, np.random.default_rng(3))
    back, heading, wanted = np.zeros(4), np.zeros(4), np.zeros(3)
    mujoco.mju_axisAngle2Quat(heading, np.array([0.0, 0.0, 1.0]), angle)
    product = np.zeros(4)
    mujoco.mju_mulQuat(product, unit, heading)
    mujoco.mju_rotVecQuat(wanted, vector, unit)
    np.testing.assert_allclose(got["product"], product, atol=1e-14)
    np.testing.assert_allclose(got["turned"], wanted, atol=1e-14)
    mujoco.mju_negQuat(back, unit)
    mujoco.mju_rotVecQuat(wanted, vector, back)
    np.testing.assert_allclose(got["back"], wanted, atol=1e-14)
    np.testing.assert_allclose(got["heading"], angle, atol=1e-14)
    np.testing.assert_allclose(np.exp(1j * got["wrapped"]), np.exp(9j * vector), atol=1e-13)
    assert np.all(np.abs(got["wrapped"]) <= np.pi)
    mujoco.mju_euler2Quat(back, vector, "xyz")
    np.testing.assert_allclose(got["of_euler"], back, atol=1e-14)


@pytest.mark.parametrize("middle", [0.4, -1.2, np.pi / 2, -np.pi / 2])
def test_euler_angles_of_matrices(middle: float) -> None:
    """They turn as the matrix does, also where the first and the third turn around one line."""
    angles, mat, again = np.array([2.8, middle, -0.7]), np.zeros(9), np.zeros(9)
    mujoco.mju_quat2Mat(mat, rotations.euler2quat(angles))
    got = rotations.mat2euler(mat)
    mujoco.mju_quat2Mat(again, rotations.euler2quat(got))
    np.testing.assert_allclose(again, mat, atol=1e-14)
    if abs(middle) < 1.5:
        np.testing.assert_allclose(got, angles, atol=1e-14)


RARE: list[Callable[[Any, Any, Any], Any]] = [
    lambda x, action, rng: np.diag(x[1, :3], 1),
    lambda x, action, rng: np.cross([0.1, 0.2, 0.3], action[:3]),
    lambda x, action, rng: np.clip(0.3, action, 1.0),
    lambda x, action, rng: action * rng.uniform() + rng.exponential(),
    lambda x, action, rng: x.sum(axis=1)[np.argmax(np.abs(action)) - 1] + rng.integers(-5, 900),
    lambda x, action, rng: (
        lookup(np.arange(12.0).reshape(6, 2), rng.integers(6)) + rng.integers(3, size=2)
    ),
    lambda x, action, rng: np.stack([x, 2 * x]).transpose(2, 0, 1).sum(axis=1).sum(),
    lambda x, action, rng: np.any(x > 0.1, axis=0) ^ np.all(x.T > 0.01, axis=1),
    lambda x, action, rng: np.concatenate(
        list(rotated(rng.normal(size=4), x[1, :3], rng).values())
    ),
    # Sums in the order of the memory, which operations and transposed constants keep.
    lambda x, action, rng: np.sum(np.moveaxis(np.stack([x, 0.3 * x]), 0, 1) * 1.1),
    lambda x, action, rng: np.sum(np.broadcast_to(x[1], (3, 10)) * 1.1),
    lambda x, action, rng: np.sum(x[1, 0] * np.arange(1.0, 101.0).reshape(10, 10).T + x[1, 1]),
]
"""What random expressions do not reach. Takes a matrix, the action and the generator."""


class Random(Task):
    """Results of random expressions."""

    id = "language/Random-v0"
    model = gymnasium_model("ant.xml")
    number: int = 0

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        sim.qpos[:] = sim.model.qpos0 + rng.uniform(-0.1, 0.1, sim.nq)
        sim.forward()

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        return sim.qpos[:]

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        sim.ctrl[:] = action
        sim.step()
        if self.number < 0:
            return Step(0.0, info={"r": RARE[self.number](sim.cinert[:], action, rng)})
        values = {
            "action": action,
            "wide": rng.normal(0.0, 2.0, 150),
            "qvel": sim.qvel[:],
            "force": sim.qfrc_passive[:] + sim.qacc[:],
            "one": sim.qpos[2],
            "small": np.square(action) * 0.3,
            "true": action > 0,
        }
        return Step(0.0, info=expressions(self.number, values))


@pytest.mark.parametrize("seed", range(-len(RARE), ROUNDS))
def test_random_expressions(seed: int) -> None:
    env = reference(Random, number=seed)
    env.reset(seed=4)
    draw = np.random.default_rng(abs(seed))
    with (
        np.errstate(all="ignore"),
        parallel_pool.make(Random, seed=4, number=seed) as pool,
    ):
        pool.reset()
        for _ in range(20):
            action = draw.uniform(-1, 1, (1, 8)).astype(np.float32)
            info = pool.step(action)[4]
            for name, wanted in env.step(action[0])[4].items():
                got = info[name][0]
                assert got.dtype == wanted.dtype, name
                np.testing.assert_array_equal(got, wanted, err_msg=name)
                if wanted.dtype.kind == "f":
                    nonzero = (wanted != 0) & ~np.isnan(wanted)  # a NaN has no sign that counts
                    same = np.signbit(got) == np.signbit(wanted)
                    assert np.all(same | ~nonzero)


class Program(Task):
    """Random statements in random blocks. What a body does depends on the seed of that body alone, for it may
    run often or never.
    """

    id = "language/Program-v0"
    model, frame_skip = crawler, 2
    number: int = 0

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        draw = np.random.default_rng([self.number, 1])
        names = ["body_mass", "geom_friction", "dof_damping", "actuator_gear", "geom_size"]
        for name in draw.permutation(names)[: draw.integers(4)]:
            numbers = getattr(sim.model, name)

            def write(numbers: Any = numbers) -> None:
                numbers[1:] *= rng.uniform(0.7, 1.1)

            write() if draw.random() < 0.5 else when(rng.random() < 0.5)(write)
        if draw.random() < 0.5:
            sim.set_const()
        sim.qpos[7:] = rng.uniform(-0.5, 0.5, 2)
        sim.equality("tie").active[:] = False
        sim.forward()
        ep.mixed, ep.rounds = np.zeros(4), 0
        self.block(2, 1, sim, rng, ep, {"action": rng.random(2).astype(np.float32)})

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        return np.concatenate([sim.qpos[:], sim.qvel[:], ep.mixed, [ep.rounds]])

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        sim.ctrl[:] = action
        sim.step(self.frame_skip)
        made = self.block(3, 0, sim, rng, ep, {"action": action})
        return Step(np.sum(ep.mixed), info=made)

    def block(self, seed: int, depth: int, *given: Any) -> Any:
        sim, rng, ep, values = given
        draw = np.random.default_rng([self.number, seed])
        values = {**values, "wide": rng.normal(0.0, 2.0, 20), "qvel": sim.qvel[:]}
        values |= {"one": sim.qpos[2], "true": sim.qvel[:] > 0.1, "small": 0.3 * ep.mixed}
        for number in range(draw.integers(3, 7)):
            inner = int(draw.integers(1 << 60))
            run = functools.partial(self.block, inner, depth + 1, sim, rng, ep, values)
            body = lambda run=run: (run(), ep.mixed)[1]  # noqa: E731
            kind = draw.integers(6 if depth > 2 else 9)
            if kind < 2:
                made = expressions(inner, values, 4)
                values |= {f"{number}{name}": each for name, each in made.items()}
            elif kind == 2:
                ep.mixed = 0.5 * ep.mixed + rng.uniform(-0.1, 0.1)
            elif kind == 3:
                [sim.step, sim.forward, sim.step2][draw.integers(3)]()
                values |= {f"{number}f": sim.contact_force(), f"{number}n": sim.n_contacts("box")}
                values[f"{number}v"] = sim.object_velocity("site", "tip")
                far, geoms = sim.ray(sim.qpos[:3], rng.normal(size=(3, 3)), bodyexclude="trunk")
                values |= {f"{number}r": far, f"{number}g": geoms}
            elif kind == 4:
                sim.ctrl[:] = np.clip(ep.mixed[:2], -1.0, 1.0)
                sim.equality("tie").active[0] = rng.random() < 0.1
            elif kind == 5:
                sim.qvel[:] = 0.9 * sim.qvel[:] + 0.01 * rng.standard_normal(sim.nv)
                values[f"{number}i"] = lookup(np.arange(30.0).reshape(6, 5), rng.integers(6))
            elif kind == 6:
                when((ep.mixed[draw.integers(4)] > 0.2) | (rng.random() < 0.3))(
                    lambda b=body: (b(), None)[1]
                )
            elif kind == 7:
                accept = lambda found: found[0] < 0.6  # noqa: E731
                found = until(lambda b=body: (rng.random(), b()), accept, limit=60)
                values |= {f"{number}u": found[0], f"{number}b": found[1]}
            else:
                values[f"{number}s"] = substeps(int(draw.integers(1, 4)), body)
        ep.rounds = ep.rounds + 1
        flat = np.concatenate([np.ravel(each).astype(np.float64) for each in values.values()])
        bounded = np.where(np.isfinite(flat), np.clip(flat, -9.0, 9.0), 0.5)
        ep.mixed = 0.5 * ep.mixed + np.sin(np.sum(bounded)) * np.arange(1.0, 5.0)
        return values


@np.errstate(all="ignore")
@pytest.mark.parametrize(
    "numbers",
    [
        range(8),
        *(pytest.param(range(i, i + 32), marks=pytest.mark.slow) for i in range(8, 296, 32)),
    ],
    ids=lambda each: f"from{each.start}",
)
def test_random_programs(numbers: range) -> None:
    """Counted: the instructions that differ in nothing, and the rounds of blocks."""
    instructions, rounds = 0, 0.0
    for number in numbers:
        text = traced(Program(number=number), compiled(Program)[0])
        instructions += text.partition("\nreset\n")[2].count("\n")
        env = reference(Program, number=number)
        draw = np.random.default_rng(number)
        options = {"number": number, "on_warning": "ignore", "num_threads": 1}
        with parallel_pool.make(Program, seed=number, **options) as pool:
            np.testing.assert_array_equal(pool.reset()[0][0], env.reset(seed=number)[0])
            for _ in range(6):
                action = draw.uniform(-1, 1, (1, 2)).astype(np.float32)
                obs, reward, *_, info = pool.step(action)
                wanted, paid, *_, said = env.step(action[0])
                np.testing.assert_array_equal(obs[0], wanted, err_msg=f"program {number}")
                assert reward[0] == paid
                for name, each in said.items():
                    np.testing.assert_array_equal(info[name][0], each, err_msg=name)
            rounds += wanted[-1]
    assert instructions > 500 * len(numbers)
    assert rounds > 20 * len(numbers)
