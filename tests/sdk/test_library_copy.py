"""pp::LibraryCopy: environments around an engine whose game is in global variables."""

import os
import re
import sys
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from parallel_pool.pool_errors import EnvBuildError
from test_envs.compiling import compile_plugin

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="loads copies by memfd_create")


def is_copy(fd: int) -> bool:
    path = f"/proc/self/fd/{fd}"
    return os.path.lexists(path) and "library copy" in os.readlink(path)


SOURCE = Path(__file__).with_name("library_copy.cpp")


def test_each_environment_has_a_copy_with_shared_code(tmp_path: Path) -> None:
    engine = compile_plugin(SOURCE, tmp_path / "engine.so", "COUNTER")
    library = compile_plugin(SOURCE, tmp_path / "copies.so", f'ENGINE="{engine}"')
    parallel_pool.register(parallel_pool.EnvSpec("copies/Counter-v0"), library=library)
    with parallel_pool.make("copies/Counter-v0", num_envs=3) as pool:
        pool.reset()
        pool.step(np.array([1, 2, 3]))
        assert pool.step(np.array([1, 2, 3]))[0].tolist() == [2, 4, 6]
        maps = Path("/proc/self/maps").read_text().splitlines()
        code = [line for line in maps if str(engine) in line]
        assert len(code) == 3 and all(" r-xp " in line for line in code)
        assert not any("library copy" in line and " r-xp " in line for line in maps)
        copies = [os.stat(fd) for fd in range(256) if is_copy(fd)]
        assert len(copies) == 3 and all(each.st_blocks * 512 < each.st_size for each in copies)
    assert "library copy" not in Path("/proc/self/maps").read_text()  # unloaded with them
    with parallel_pool.make("copies/Counter-v0", num_envs=1) as pool:
        assert pool.reset()[0].tolist() == [0]
    engine.unlink()
    with pytest.raises(EnvBuildError, match=f"copy of {re.escape(str(engine))}: No such file"):
        parallel_pool.make("copies/Counter-v0")
