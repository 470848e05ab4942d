"""`envs.simulate` compared with `mujoco.rollout`: the same states, controls and calls of mj_step, in turn.

Both play on one thread, and rates are calls of mj_step per second of CPU time, those of the fastest slice: what
else a machine does makes slices slower, and none faster.
`mujoco.rollout` gives states, `simulate` rewards and the last observations; that they end in the same place is
checked. Options are such that no episode ends.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import quantiles
from typing import Any

import mujoco
import numpy as np
import parallel_pool
from figures import Row, table, times, whole
from gymnasium.envs.registration import make as make_original
from measuring.drivers import ByCpu
from mujoco import rollout
from study import Study, id_and_size, run, side_by_side, sized

HORIZON, FRAMES = 32, 5
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "HalfCheetah-v5": {},
    "Humanoid-v5": {"terminate_when_unhealthy": False},
}


@dataclass
class Problem:
    """Where sequences begin and what is done in them."""

    pool: Any
    state: bytes
    actions: Any
    model: Any
    begin: Any
    """The state as MuJoCo has it."""
    warmstart: Any


def problem(task_id: str, sequences: int) -> Problem:
    """An environment after twenty random steps, and random actions from there."""
    pool = parallel_pool.make(task_id, num_envs=1, num_threads=1, seed=1, **OPTIONS[task_id])
    pool.reset()
    pool.action_space.seed(1)
    pool.single_action_space.seed(2)
    for _ in range(20):
        pool.step(pool.action_space.sample())
    model = make_original(task_id).unwrapped.model  # type: ignore[attr-defined]
    data = mujoco.MjData(model)
    for name in ("qpos", "qvel", "qacc_warmstart"):
        getattr(data, name)[:] = pool.read_array(name)[0]
    begin = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(model, data, begin, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    count = sequences * HORIZON
    actions = np.array([pool.single_action_space.sample() for _ in range(count)])
    actions = actions.reshape(sequences, HORIZON, -1)
    return Problem(pool, pool.get_state()[0], actions, model, begin, data.qacc_warmstart.copy())


def players(given: Problem) -> dict[str, Callable[[], Any]]:
    """`simulate`, and `mujoco.rollout` with all of its arrays made before."""
    controls = np.repeat(given.actions.astype(float), FRAMES, axis=1)
    sequences = len(controls)
    first = np.tile(given.begin, (sequences, 1))
    warm = np.tile(given.warmstart, (sequences, 1))
    data = mujoco.MjData(given.model)
    states = np.zeros((sequences, HORIZON * FRAMES, first.shape[1]))
    sensors = np.zeros((sequences, HORIZON * FRAMES, given.model.nsensordata))

    def rolled() -> Any:
        rollout.rollout(
            given.model,
            data,
            first,
            controls,
            initial_warmstart=warm,
            state=states,
            sensordata=sensors,
        )
        return states

    def simulated() -> Any:
        return given.pool.simulate(given.state, given.actions)

    return {"simulate": simulated, "mujoco.rollout": rolled}


def measure(case: str, args: argparse.Namespace) -> Iterator[Row]:
    """A row. Raises AssertionError if the two do not do the same."""
    task_id, sequences = id_and_size(case)
    given = problem(task_id, sequences)
    play = players(given)
    simulation, states = (each() for each in play.values())
    assert (simulation.lengths == HORIZON).all(), "an episode has ended"
    nq = given.model.nq
    skipped = 1 if task_id == "HalfCheetah-v5" else 2  # places that the observation does not have
    shown = states[:, -1, 1 + skipped : 1 + nq + given.model.nv]
    np.testing.assert_array_equal(simulation.obs[:, : shown.shape[1]], shown)
    builds = {
        name: partial(ByCpu, name, sequences * HORIZON * FRAMES, each)
        for name, each in play.items()
    }
    mine, theirs = side_by_side(list(builds.values()), args).values()
    best = [max(slice_.rate for slice_ in each.slices) for each in (mine, theirs)]
    pairs = zip(mine.slices, theirs.slices, strict=True)
    low, _, high = quantiles((a.rate / b.rate for a, b in pairs), method="inclusive")
    yield {
        "environment": f"{task_id}, {sequences} sequences",
        "simulate": best[0],
        "mujoco.rollout": best[1],
        "ratio of the fastest": best[0] / best[1],
        "median of the ratios": mine.ratio_to(theirs),
        "their quartiles": f"{low:.2f} to {high:.2f}",
    }
    given.pool.close()


def text(rows: Sequence[Row]) -> str:
    return table(
        {
            "environment": str,
            "simulate": whole,
            "mujoco.rollout": whole,
            "ratio of the fastest": times,
            "median of the ratios": times,
            "their quartiles": str,
        },
        rows,
    )


if __name__ == "__main__":
    run(
        Study(
            sized(OPTIONS, (4, 16, 64)),
            measure,
            text,
            rounds=40,
            seconds=0.05,
            packages=["mujoco"],
        ),
        __doc__,
    )
