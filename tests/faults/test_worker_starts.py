"""Worker processes start no processes without end, and children of environments never answer for them.

What would go wrong here multiplies: every program counts its processes, and ends those that are too many.
"""

from pathlib import Path

import pytest
from test_envs.programs import ran

COUNTED = """
import os, signal
with open(os.environ["PP_COUNT"], "a") as file:
    file.write(".")
signal.alarm(60)  # every process: what goes wrong multiplies
if os.path.getsize(os.environ["PP_COUNT"]) > 8:
    os._exit(9)
"""
ENV = f"""{COUNTED}
import gymnasium, parallel_pool
from gymnasium.envs.classic_control import CartPoleEnv

class Env(CartPoleEnv):
    pass

"""
MAKES = f"""{ENV}
gymnasium.register("Env-v0", ENTRY)
pool = parallel_pool.make("gym:Env-v0", num_envs=1, num_threads=1, isolation="process")
"""
NESTS = f"""{COUNTED}
import gymnasium, parallel_pool
from gymnasium.envs.classic_control import CartPoleEnv

def register():
    gymnasium.register("Outer-v0", Outer, disable_env_checker=True)

class Outer(CartPoleEnv):
    def __init__(self, levels):
        super().__init__()
        id, options = ("CartPole-v1", {{}}) if levels == 0 else ("Outer-v0", {{"levels": levels - 1}})
        from parallel_pool.workers import nesting
        self.inner = None
        if nesting.depth:  # in a worker: the program has described it already
            register()
            self.inner = parallel_pool.make(f"gym:{{id}}", num_threads=1, isolation="process", **options)

    def reset(self, *, seed=None, options=None):
        if self.inner is not None:
            self.inner.reset()
        return super().reset(seed=seed, options=options)

    def close(self):
        if self.inner is not None:
            self.inner.close()

if __name__ == "__main__":
    register()
    for levels in (0, 1):
        with parallel_pool.make("gym:Outer-v0", num_threads=1, levels=levels) as pool:
            pool.reset()
            print("made")
"""


def run(folder: Path, *command: str) -> tuple[int, str, int]:
    """Its status, what it said, and how often the counted module was executed."""
    count = folder / "count"
    done = ran(*command, folder=folder, complaints=True, PP_COUNT=str(count))
    return done.returncode, done.stdout, count.stat().st_size if count.exists() else 0


@pytest.mark.parametrize("entry", ["Env", "'its_own:Env'"])
def test_row_28_a_module_that_makes_a_pool_when_it_is_imported(tmp_path: Path, entry: str) -> None:
    """Its class goes to workers by name, or they import it to make their environments."""
    (tmp_path / "its_own.py").write_text(MAKES.replace("ENTRY", entry))
    status, said, count = run(tmp_path, "-c", "import its_own")
    assert status == 1, said
    assert count <= 2  # the program, and its worker
    last = said.strip().splitlines()[-1]
    assert "EnvBuildError" in said
    assert "module its_own makes a pool with worker processes when it is imported" in said, said
    assert 'if __name__ == "__main__"' in last


def test_row_28_a_module_that_another_one_makes_import_it(tmp_path: Path) -> None:
    """The innermost is named; and one with its pool where it belongs works."""
    (tmp_path / "inner.py").write_text(MAKES.replace("ENTRY", "'its_own:Env'"))
    (tmp_path / "its_own.py").write_text(
        "from gymnasium.envs.classic_control import CartPoleEnv as Env\nimport inner\n"
    )
    status, said, count = run(tmp_path, "-c", "import inner")
    assert (status, count <= 2) == (1, True), said
    assert "module inner makes a pool" in said


def test_row_28_pools_that_start_no_process_may_be_made_on_import(tmp_path: Path) -> None:
    (tmp_path / "its_own.py").write_text(
        f"""{ENV}
import sys
sys.path.append({str(Path(__file__).parents[1])!r})
from test_envs.pools import register_test_envs
register_test_envs()
native = parallel_pool.make("test/Count-v0", num_envs=2, num_threads=2)
native.reset()

gymnasium.register("Env-v0", Env)

def main():
    with parallel_pool.make("gym:Env-v0", num_threads=1, isolation="process") as pool:
        pool.reset()
        print("made")
"""
    )
    status, said, count = run(tmp_path, "-c", "import its_own; its_own.main()")
    assert (status, said) == (0, "made\n")
    assert count == 2


def test_row_28_a_pool_of_an_environment_has_no_pools_for_ever(tmp_path: Path) -> None:
    """It may have one, which is the second process."""
    (tmp_path / "nests.py").write_text(NESTS)
    status, said, _ = run(tmp_path, "nests.py")
    assert status == 1
    assert said.splitlines().count("made") == 1
    assert "this is a worker process inside of 1 other, and starts none" in said


FORKS = """
import os, sys, warnings
import gymnasium, numpy as np, parallel_pool
from gymnasium import spaces

warnings.simplefilter("ignore", DeprecationWarning)  # of fork, where there are threads
isolation = sys.argv[1]
RETURN, RAISE, EXIT = range(1, 4)

class Forking(gymnasium.Env):
    observation_space = spaces.Box(-999, 999, (2,), np.float64)
    action_space = spaces.Discrete(4)
    child = None

    def fork(self, way):
        self.child = os.fork()
        if self.child == 0:
            if way == RAISE:
                raise ValueError("the child's")
            if way == EXIT:
                sys.exit(7)
            return 777.0
        return 1.0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.full(2, self.fork(options["fork"]) if options else 1.0), {}

    def step(self, action):
        got = self.fork(action) if action else 1.0
        return np.full(2, got), got, False, False, {"got": got}

    def status(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])

    def close(self):
        print("closed", flush=True)

class Forks:
    child = None

    def __reduce__(self):
        if self.child is None:
            self.child = os.fork()
            if self.child == 0:
                return str, ("the child's",)
        return str, ("the parent's",)

class Packed(Forking):
    observation_space = spaces.Sequence(spaces.Discrete(3))
    def reset(self, *, seed=None, options=None):
        return (), {}

    def step(self, in_obs):
        with open("stepped", "a") as file:
            file.write(".")
        self.forks = Forks()
        obs, info = ((self.forks,), {}) if in_obs else ((), {"got": self.forks})
        return obs, 1.0, False, False, info

    def status(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.forks.child, 0)[1])

    def close(self):
        pass

gymnasium.register("Forking-v0", Forking, disable_env_checker=True, order_enforce=False)
gymnasium.register("Packed-v0", Packed, disable_env_checker=True, order_enforce=False)
made = {"num_envs": 2, "num_threads": 1, "isolation": isolation}
with parallel_pool.make("gym:Forking-v0", **made) as pool:
    pool.reset()
    print("made", flush=True)
    for way, expected in ((RETURN, 0), (RAISE, 1), (EXIT, 7)):
        for _ in range(2):
            obs, reward, *_, info = pool.step([0, way])
            assert reward.tolist() == [1, 1] and obs.tolist() == [[1, 1]] * 2, (obs, reward)
            assert info["got"].tolist() == [1, 1]
            assert pool.call_of([1], "status") == (expected,)
            assert pool.step([0, 0])[0].tolist() == [[1, 1]] * 2
        assert pool.reset(options={"fork": way})[0].tolist() == [[1, 1]] * 2
        assert pool.call("status") == (expected,) * 2
        assert pool.call("fork", way) == (1.0, 1.0)
        assert pool.call("status") == (expected,) * 2
    pool.step([0, 0])
    print("done", flush=True)
with parallel_pool.make("gym:Packed-v0", check_obs="off", **made) as pool:
    pool.reset()
    for turn in range(4):
        in_obs = int(turn % 2 or isolation == "thread")  # threads pack no infos
        obs, *_, info = pool.step([in_obs] * 2)
        got = [row[0] for row in obs] if in_obs else list(info["got"])
        assert got == ["the parent's"] * 2, got
        assert pool.call("status") == (0, 0)
        assert os.path.getsize("stepped") == 2 * turn + 2, "a child stepped"
print("packed")
"""


@pytest.mark.parametrize("isolation", ["process", "thread"])
def test_row_23_a_child_of_an_environment_ends_where_it_comes_back(
    tmp_path: Path, isolation: str
) -> None:
    """Also one of what is packed ends there."""
    (tmp_path / "forks.py").write_text(FORKS)
    status, said, _ = run(tmp_path, "forks.py", isolation)
    assert status == 0, said
    # One was closed by who described it. No child closes the environments that it has copies of.
    words = ("made", "done", "closed", "packed")
    lines = [line for line in said.splitlines() if line in words]
    assert lines == ["closed", "made", "done", "closed", "closed", "packed"]
    assert said.count("ValueError: the child's") == 6


def test_row_23_a_child_of_a_module_ends_where_it_comes_back(tmp_path: Path) -> None:
    forks = 'if "PP_PROGRAM" not in os.environ:\n    child = os.fork()\n'
    (tmp_path / "its_own.py").write_text(ENV + forks)
    program = """
import os
os.environ["PP_PROGRAM"] = "1"
import gymnasium, its_own, parallel_pool
del os.environ["PP_PROGRAM"]
gymnasium.register("Env-v0", its_own.Env)
with parallel_pool.make("gym:Env-v0", num_threads=1, isolation="process") as pool:
    pool.reset()
    for _ in range(5):
        pool.step([0])
    print("done")
"""
    status, said, _ = run(tmp_path, "-c", program)
    assert (status, said) == (0, "done\n")
