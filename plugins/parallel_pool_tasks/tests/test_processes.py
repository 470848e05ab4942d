"""Another process plays a class that no plugin lists: a worker, and one that loads a pickled pool."""

import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import _core
from parallel_pool_tasks import TaskError
from task_classes import Reacher
from test_envs.programs import python

pytestmark = pytest.mark.skipif(not _core.WORKER_PROCESSES, reason="needs worker processes")

SCRIPT = """
import pickle, sys
import numpy as np, parallel_pool
from parallel_pool_tasks import Step, Task

class Pendulum(Task):
    id, model = "script/Pendulum-v0", "pendulum.xml"
    gain: float = 2.0
    def reset(self, sim, rng, ep):
        sim.qpos[:] = rng.uniform(-1, 1, sim.nq)
    def observe(self, sim, rng, ep):
        return sim.qpos[:]
    def step(self, sim, action, rng, ep):
        sim.ctrl[:] = action
        sim.step()
        return Step(self.gain * sim.qpos[0])

def played(pool):
    with pool:
        pool.reset()
        return pool.step(np.ones((2, 1), np.float32))[1].tolist()

if __name__ == "__main__":
    arguments = {"num_envs": 2, "num_threads": 1, "seed": 1, "gain": 3.0}
    here, there = (parallel_pool.make(Pendulum, isolation=each, **arguments) for each in (None, "process"))
    data = pickle.dumps(here).hex()
    assert played(there) == played(here)
    print(played(parallel_pool.make(Pendulum, **arguments)), data)
"""

LOADS = """
import pickle, sys
import numpy as np
with pickle.loads(bytes.fromhex(sys.stdin.read())) as pool:
    pool.reset()
    print(pool.step(np.ones((2, 1), np.float32))[1].tolist(), pool.config["gain"])
"""

MODEL = """<mujoco><worldbody><body><joint name="hinge" axis="0 1 0"/><geom type="capsule" size="0.05"
 fromto="0 0 0 0 0 -1"/></body></worldbody>
<actuator><motor joint="hinge" ctrlrange="-1 1"/></actuator></mujoco>"""


def test_a_class_of_the_main_script(tmp_path: Path) -> None:
    """Its code goes along, and where its model is."""
    (tmp_path / "pendulum.xml").write_text(MODEL)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    rewards, _, data = python(script).rpartition(" ")
    assert python("-c", LOADS, given=data) == f"{rewards} 3.0\n"


def test_a_class_of_a_module() -> None:
    """It is imported where it is needed; what an episode keeps is in the states of workers too."""
    action = np.full((2, 2), 0.3, np.float32)
    results = []
    for isolation in (None, "process"):
        how = {"num_threads": 1, "isolation": isolation}
        with parallel_pool.make(Reacher, num_envs=2, seed=4, **how) as pool:
            pool.reset()
            pool.step(action)
            results.append((pool.get_state(), pool.step(action)[1].tolist()))
    assert results[0] == results[1]


def test_a_class_is_evaluated() -> None:
    played = parallel_pool.evaluate(Reacher, lambda obs: np.zeros((2, 2), np.float32), 2, rows=2)
    assert played.lengths.tolist() == [40, 40]


def test_a_class_that_cannot_be_sent() -> None:
    lock = threading.Lock()

    class Locked(Reacher):
        id = "tests/Locked-v0"

        def reset(self, sim: Any, rng: Any, ep: Any) -> None:
            with lock:
                super().reset(sim, rng, ep)

    for send in (
        lambda: parallel_pool.make(Locked, isolation="process"),
        lambda: pickle.dumps(parallel_pool.make(Locked)),
    ):
        with pytest.raises(TaskError, match=r"tests/Locked-v0: .*Locked cannot be sent.*lock"):
            send()
