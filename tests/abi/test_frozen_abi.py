"""Plugins of old times, built against the headers of their time alone, do in today's core all that they did.

A released version has a frozen copy of its headers beside its plugins; the next release has today's headers.
"""

import shutil
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from parallel_pool import _core
from test_envs.checks import refused
from test_envs.compiling import compile_plugin

TODAY = Path(parallel_pool.get_include(), "parallel_pool")
FROZEN = sorted(Path(__file__).parent.glob("frozen_abi/*"))
RELEASED = [era for era in FROZEN if (era / "abi.h").exists()]


def test_only_the_next_version_has_no_headers_of_its_own() -> None:
    assert FROZEN[: len(RELEASED)] == RELEASED
    assert len(FROZEN) - len(RELEASED) <= 1
    assert FROZEN[-1].name == "v{}_{}".format(*_core.ABI_VERSION)


def build(source: Path, language: str, standard: str, folder: Path) -> Path:
    """A library from headers of the ABI alone, those of its version."""
    headers = source.parent if source.parent in RELEASED else TODAY
    include = folder / "include" / "parallel_pool"
    shutil.copytree(headers / "ext", include / "ext")
    shutil.copy(headers / "abi.h", include)
    named = shutil.copy(source, folder / ("old.c" if language == "c" else "old.cpp"))
    flags = [f"-std={standard}", "-pedantic-errors"]
    library = folder / "old.so"
    return compile_plugin(named, library, include=str(folder / "include"), flags=flags)


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
