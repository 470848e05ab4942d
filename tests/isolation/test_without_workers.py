"""The core where there can be no worker processes, as elsewhere than on Linux, does the rest and says so."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pybind11
import pytest

CORE = Path(__file__).parents[2] / "core"

CHILD = """
import pickle, sys, warnings
sys.modules["fcntl"] = sys.modules["resource"] = None  # Windows has none
import gymnasium, numpy as np, parallel_pool
from parallel_pool import _core

parallel_pool.register(parallel_pool.EnvSpec("test/Count-v0"), library={library!r})
with parallel_pool.make("test/Count-v0", num_envs=3) as pool:
    pool.reset()
    pool.step(np.zeros(3, np.int64))
for arguments in (
    {{"task_id": "test/Count-v0", "isolation": "process"}},
    {{"task_id": "gym:CartPole-v1", "isolation": "process"}},
    {{"task_id": "gym:CartPole-v1", "step_timeout": 1.0}},
):
    try:
        parallel_pool.make(**arguments)
    except ValueError as error:
        assert "Linux" in str(error), error
    else:
        raise AssertionError(arguments)

# Environments written in Python run in threads, and die with them.
with warnings.catch_warnings(record=True, action="always") as said:
    pools = [parallel_pool.make("gym:CartPole-v1", num_envs=5, num_threads=n) for n in (None, 2)]
assert ["need Linux" in str(each.message) for each in said] == [True], said
pools.append(parallel_pool.make("gym:CartPole-v1", num_envs=5, batch_size=2))
theirs = gymnasium.make_vec("CartPole-v1", num_envs=5, vectorization_mode="sync")
wanted, _ = theirs.reset(seed=3)
for pool in pools[:2]:
    assert (pool.reset(seed=3)[0] == wanted).all()
for _ in range(100):
    actions = theirs.action_space.sample()
    wanted = theirs.step(actions)
    for pool in pools[:2]:
        for ours, each in zip(pool.step(actions)[:4], wanted):
            assert (ours == each).all()
pools[2].async_reset()
for _ in range(50):
    *_, info = pools[2].recv()
    pools[2].send(info["env_id"] % 2, info["env_id"])
assert pools[0].call("spec")[0].id == "CartPole-v1"
with pickle.loads(pools[0].pickled(include_state=True)) as again:
    ours = again.step(actions)
    for a, b in zip(ours[:4], pools[0].step(actions)[:4]):
        assert (a == b).all()
pools[0].close()  # and of the others the end of the program
print("as it should be")
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_core_without_workers(tmp_path: Path, test_envs_library: str) -> None:
    build = tmp_path / "build"
    configure = [
        *("cmake", "-S", CORE, "-B", build, "-G", "Ninja", "-DPP_PROCESSES=OFF", "-DPP_WERROR=ON"),
        *("-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0"),
        *(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}", f"-DPython_EXECUTABLE={sys.executable}"),
    ]
    subprocess.run(configure, check=True, capture_output=True)
    built = subprocess.run(["cmake", "--build", build], capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    package = tmp_path / "site" / "parallel_pool"
    shutil.copytree(CORE / "python/parallel_pool", package)
    for library in build.glob("_core*.so"):
        shutil.copy(library, package)
    child = subprocess.run(
        # -S: an editable install would put its own package before this one.
        [sys.executable, "-S", "-c", CHILD.format(library=test_envs_library)],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(package.parent), sysconfig.get_path("purelib")]),
            "PARALLEL_POOL_DISABLE_PLUGINS": "*",
        },
        capture_output=True,
        text=True,
    )
    assert child.returncode == 0, child.stderr
    assert child.stdout == "as it should be\n"
