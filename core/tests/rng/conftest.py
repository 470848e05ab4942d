"""The generators of both generations, ours and numpy's, that the tests here compare."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_envs.once import once

HERE = Path(__file__).resolve().parent
# pytest's importlib mode leaves the folder of the tests off the path.
sys.path.insert(0, str(HERE))

from native_generators import GENERATIONS, MakePair, NativeGenerator  # noqa: E402
from numpy_generators import NumpyGenerator  # noqa: E402

INCLUDE_DIR = HERE.parents[1] / "include"
FLAGS = ["-std=c++20", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC"]

# The second build takes every path that the first leaves out: the 128-bit arithmetic for compilers
# without such a type, fused multiply-add instructions where this machine has them, and checks for
# undefined behaviour.
BUILDS = {
    "plain": [],
    "other_paths": [
        "-O1",
        "-march=native",
        "-DPP_RNG_PORTABLE_UINT128",
        "-fsanitize=undefined",
        "-fno-sanitize-recover=all",
    ],
}


@pytest.fixture(scope="session", params=BUILDS)
def library(request: pytest.FixtureRequest, shared_folder: Path) -> ctypes.CDLL:
    compiler = os.environ.get("CXX", "g++")
    sources = [str(HERE / f"{name}_capi.cpp") for name in ("rng", "random_state")]
    flags = [*FLAGS, *BUILDS[request.param], f"-I{INCLUDE_DIR}"]
    command = [compiler, *flags, *sources, "-o"]
    output = shared_folder / f"rng_{request.param}.so"
    once(output, lambda new: subprocess.run([*command, str(new)], check=True))
    return ctypes.CDLL(str(output))


@pytest.fixture(params=GENERATIONS)
def generation(request: pytest.FixtureRequest) -> str:
    """A test that takes it is run for each of numpy's generations."""
    return str(request.param)


@pytest.fixture
def make_pair(library: ctypes.CDLL, generation: str) -> Iterator[MakePair]:
    """Makes a generator of each kind from one seed; their states must be equal in the end."""
    native, numpy = GENERATIONS[generation]
    pairs: list[tuple[NativeGenerator, NumpyGenerator]] = []

    def make(seed: int) -> tuple[NativeGenerator, NumpyGenerator]:
        pairs.append((native(library, seed), numpy(seed)))
        return pairs[-1]

    yield make
    for ours, reference in pairs:
        assert ours.state() == reference.state()
