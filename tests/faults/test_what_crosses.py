"""Values on their way from a worker process, and the time that it may take."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from test_envs.compiling import SOURCES
from test_envs.faulty_pools import SLOW, faulty
from test_envs.programs import ran

OF_THE_MAIN_SCRIPT = """
import collections, dataclasses, enum, json, warnings
import gymnasium, numpy as np, parallel_pool
from gymnasium import spaces

@dataclasses.dataclass
class Score:
    points: int

class Colour(enum.Enum):
    RED = 1

Place = collections.namedtuple("Place", "x y")

class Env(gymnasium.Env):
    observation_space = spaces.Discrete(9)
    action_space = spaces.Discrete(2)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.score = Score(0)
        return 0, {}
    def step(self, action):
        self.score.points += 1
        lock = (i for i in "never")
        return 1, 0.0, False, False, {"score": self.score, "colour": Colour.RED, "place": Place(1, 2),
                                      "function": lambda: 3, "lock": lock}
    def best(self):
        return self.score

gymnasium.register("Main-v0", Env)
if __name__ == "__main__":
    pool = parallel_pool.make("gym:Main-v0", num_envs=2, isolation="process")
    pool.reset()
    with warnings.catch_warnings(record=True, action="always") as caught:
        for _ in range(3):
            info = pool.step(np.zeros(2, int))[4]
    (score,) = {type(each) for each in info["score"]}
    print(json.dumps({
        "score": [score is Score, info["score"][1].points],
        "colour": info["colour"][0] is Colour.RED,
        "place": isinstance(info["place"][0], Place),
        "function": info["function"][1](),
        "lock": "lock" in info,
        "said": [[each.category.__name__, str(each.message)] for each in caught],
        "call": isinstance(pool.call("best")[0], Score),
        "state": len(pool.get_state()),
    }))
    pool.set_state(None, pool.get_state()[::-1])
    pool.step(np.zeros(2, int))
    assert pool.call("best")[0].points == 4
"""


def test_finding_05_values_of_the_main_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(OF_THE_MAIN_SCRIPT)
    done = ran(script)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    said = found.pop("said")
    assert found == {
        "score": [True, 3],
        "colour": True,
        "place": True,
        "function": 3,
        "lock": False,
        "call": True,
        "state": 2,
    }
    ((kind, text),) = said  # once
    assert kind == "LostInfoWarning"
    assert "info['lock']" in text
    assert "builtins.generator" in text


STOPPED = """
import os, sys
sys.path.insert(0, os.environ["PP_TESTS"])
import numpy as np
import parallel_pool
from test_envs.faulty_pools import SLOW, faulty
kind = sys.argv[1]
if kind == "python":
    from test_envs.sleepy_envs import SLOW
    pool = parallel_pool.make("gym:Sleepy-v0", num_envs=2, nap=0.8, step_timeout=1.6, num_threads=2)
else:
    isolation = None if kind == "native" else "process"
    pool = faulty(num_envs=2, slow_ms=800, step_timeout=1.6, isolation=isolation, num_threads=2)
pool.reset()
print("steps", flush=True)
obs, *_ = pool.step(np.array([SLOW, SLOW]))
print(obs[:, 0].tolist(), flush=True)
"""


@pytest.mark.parametrize("kind", ["native", "isolated", "python"])
def test_finding_06_time_in_which_a_process_is_stopped_does_not_count(kind: str) -> None:
    """It and its workers: all of its group."""
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", STOPPED, kind],
        env={**os.environ, "PP_TESTS": str(SOURCES.parent)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "steps\n"
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGSTOP)
        time.sleep(2.0)
        os.killpg(process.pid, signal.SIGCONT)
        assert process.stdout.readline() == "[1.0, 1.0]\n"
        assert process.wait(20) == 0


@pytest.mark.own_process
def test_finding_06_a_worker_that_is_stopped_alone_is_given_up() -> None:
    pool = faulty(num_envs=2, step_timeout=0.5, isolation="process", num_threads=1)
    pool.reset()
    (pid,) = pool.stats()["worker_pids"]
    os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    with pytest.warns(parallel_pool.WorkerCrashWarning, match=r"took more than 0\.5 seconds"):
        assert pool.step(np.zeros(2, int))[3].all()
    assert time.monotonic() - began < 5


@pytest.mark.own_process
@pytest.mark.serial
@pytest.mark.parametrize("kind", ["native", "alone", "isolated"])
def test_finding_08_timeouts_are_kept(kind: str) -> None:
    arguments = {"num_threads": 2, "isolation": "process" if kind == "isolated" else None}
    if kind == "alone":
        arguments["num_threads"] = 1
    pool = faulty(num_envs=2, slow_ms=300 if kind == "alone" else 1500, **arguments)
    pool.reset()
    pool.send([SLOW, SLOW])
    if kind == "alone":  # nothing else would ever do it: one step for each call
        while True:
            try:
                assert pool.recv(timeout=0)[0][:, 0].tolist() == [1, 1]
                return
            except TimeoutError:
                continue

    def late(timeout: float) -> float:
        began = time.perf_counter()
        with pytest.raises(TimeoutError):
            pool.recv(timeout=timeout)
        return time.perf_counter() - began - timeout

    # In some quiet moment: other tests may have the CPUs in others.
    for timeout in (0, 2e-5, 1e-3, 5e-3):
        took = []
        while len(took) < 8 and min(took, default=1.0) > 1e-3:
            took.append(late(timeout))
        assert min(took) < 1e-3, (timeout, took)
    assert pool.recv()[0][:, 0].tolist() == [1, 1]


@pytest.mark.own_process
def test_finding_08_who_only_looks_is_served_by_others() -> None:
    """A call that its caller would have done alone is not left lying."""
    for threads in (1, 2, 4):
        pool = faulty(num_envs=4, num_threads=threads)
        pool.reset()
        for step in range(60):
            pool.send(np.zeros(4, int))
            while True:
                try:
                    obs = pool.recv(timeout=0)[0]
                    break
                except TimeoutError:
                    continue
            assert obs[:, 0].tolist() == [step + 1] * 4
