"""Plugins of old times, built against frozen headers alone, do in today's core all that they did then."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from test_envs.checks import refused

TODAY = Path(parallel_pool.get_include(), "parallel_pool")
FROZEN = sorted(Path(__file__).parent.glob("frozen_abi/*"))
HEADERS = sorted(path.relative_to(TODAY) for path in TODAY.glob("ext/*.h"))


def test_the_frozen_copy_has_every_extension_of_this_version() -> None:
    """Released copies stay as they were; the newest are today's."""
    newest = FROZEN[-1]
    assert sorted(path.relative_to(newest) for path in newest.glob("ext/*.h")) == HEADERS
    for header in HEADERS:
        assert (newest / header).read_bytes() == (TODAY / header).read_bytes(), header


def build(source: Path, language: str, standard: str, folder: Path) -> Path:
    """A library from frozen headers: none of today's can be found."""
    shutil.copytree(source.parent, folder / "include" / "parallel_pool")
    compiler = os.environ.get("CC", "cc") if language == "c" else os.environ.get("CXX", "c++")
    command = [compiler, "-x", language, f"-std={standard}", "-pedantic-errors", "-Wall", "-Wextra"]
    command += ["-Werror", "-O1", "-fPIC", "-shared", "-fvisibility=hidden"]
    library = folder / "old.so"
    done = subprocess.run(
        [*command, f"-I{folder / 'include'}", str(source), "-o", str(library)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return library


@pytest.mark.parametrize(("language", "standard"), [("c", "c99"), ("c++", "c++17")])
@pytest.mark.parametrize("era", FROZEN, ids=lambda path: path.name)
def test_all_extensions_of_an_old_plugin_work(
    era: Path, language: str, standard: str, tmp_path: Path
) -> None:
    library = build(era / "abilities.c", language, standard, tmp_path)
    env_id = "able_c/Able-v0" if language == "c" else "able_cpp/Able-v0"
    spec = parallel_pool.EnvSpec(env_id, render_modes=("rgb_array",))
    parallel_pool.register(spec, library=library)
    with parallel_pool.make(env_id, num_envs=3, render_mode="rgb_array") as pool:
        obs, _ = pool.reset(options={"begin": 5})
        assert obs.tolist() == [5, 5, 5]
        with refused(ValueError, "13 brings bad luck"):
            pool.reset(options={"begin": 13})
        obs, *_ = pool.step(np.array([1, 2, 3]))
        assert obs.tolist() == [6, 7, 8]

        states = pool.get_state()
        pool.step(np.array([9, 9, 9]))
        pool.set_state(None, states)
        obs, *_ = pool.step(np.array([0, 0, 1]))
        assert obs.tolist() == [6, 7, 9]

        assert pool.read_array("sum").tolist() == [6, 7, 9]
        pool.write_array("sum", np.array([20, 30, 40]))
        frames = pool.render()
        assert [frame.shape for frame in frames] == [(1, 2, 3)] * 3
        assert [int(frame.max()) for frame in frames] == [20, 30, 40]

        obs, _ = pool.reset()
        assert obs.tolist() == [0, 0, 0]
