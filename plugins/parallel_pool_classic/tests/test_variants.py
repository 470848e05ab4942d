"""The whole library built for older processors gives the same trajectories in every bit."""

import shutil
import subprocess
from pathlib import Path

import parallel_pool
import pytest
from test_envs.programs import python

SOURCE = Path(__file__).parent.parent / "src"
FLAGS = ["-std=c++20", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
SCRIPT = """
import hashlib, pathlib, sys
import numpy as np
import parallel_pool
import parallel_pool_classic._plugin as plugin

library = sys.argv[1]
if library:
    plugin.find_library = lambda package, family: pathlib.Path(library)

def add(digest, value):
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value) if not key.startswith("_")]
    if isinstance(value, (tuple, list)):
        for each in value:
            add(digest, each)
    else:
        digest.update(np.ascontiguousarray(value).tobytes())

for spec in plugin.ENVS:
    digest = hashlib.sha256()
    for num_envs in (1, 37):  # with and without a part that does not fill a vector
        with parallel_pool.make(spec.id, num_envs=num_envs, seed=3) as envs:
            add(digest, envs.reset())
            envs.action_space.seed(0)
            for _ in range(400):
                add(digest, envs.step(envs.action_space.sample()))
    print(spec.id, digest.hexdigest())
"""


@pytest.mark.slow  # compiles the library, which takes a minute
@pytest.mark.parametrize("level", [0, 1])
def test_variants_agree(level: int, tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    assert compiler, "the tests need a C++ compiler"
    library = tmp_path / "classic.so"
    command = [
        *[compiler, *FLAGS, f"-DPP_CLASSIC_LEVEL={level}", "-shared", "-fPIC"],
        *[f"-I{SOURCE}", f"-I{parallel_pool.get_include()}", "-fvisibility=hidden"],
        *sorted(SOURCE.rglob("*.cpp")),
        *["-o", library],
    ]
    subprocess.run(command, check=True)
    assert python("-c", SCRIPT, library) == python("-c", SCRIPT, "")
