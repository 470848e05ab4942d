"""The core where there can be no workers, as on systems other than Linux: it links, imports, and says so."""

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
import sys
sys.modules["fcntl"] = sys.modules["resource"] = None  # Windows has none
import gymnasium, numpy as np, parallel_pool
from parallel_pool import _core

parallel_pool.register(parallel_pool.EnvSpec("test/Count-v0"), library={library!r})
with parallel_pool.make("test/Count-v0", num_envs=3) as pool:
    pool.reset()
    pool.step(np.zeros(3, np.int64))
for arguments in (
    {{"task_id": "test/Count-v0", "isolation": "process"}},
    {{"task_id": "gym:CartPole-v1"}},
):
    try:
        parallel_pool.make(**arguments)
    except ValueError as error:
        assert "Linux" in str(error), error
    else:
        raise AssertionError(arguments)
print("as it should be")
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_core_without_workers(tmp_path: Path, test_envs_library: str) -> None:
    build = tmp_path / "build"
    configure = [
        *("cmake", "-S", CORE, "-B", build, "-G", "Ninja", "-DPP_WORKERS=OFF", "-DPP_WERROR=ON"),
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
