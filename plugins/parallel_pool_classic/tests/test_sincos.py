"""The vectorised sine and cosine are the C library's in every bit, and numpy's."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

HERE = Path(__file__).parent
FLAGS = ["-std=c++17", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    output = tmp_path_factory.mktemp("sincos") / "sincos.so"
    sources = [HERE / "sincos_capi.cpp", HERE.parent / "src" / "numeric" / "sincos.cpp"]
    compiler = shutil.which("c++")
    assert compiler, "the tests need a C++ compiler"
    subprocess.run([compiler, *FLAGS, "-shared", "-fPIC", *sources, "-o", output], check=True)
    return ctypes.CDLL(str(output))


def both(
    library: ctypes.CDLL, angles: npt.NDArray[np.float64]
) -> list[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
    pairs = []
    for name in ("fast", "reference"):
        sine, cosine = np.empty_like(angles), np.empty_like(angles)
        arrays = [angles, sine, cosine]
        if name == "fast":
            arrays.append(np.empty(angles.size, np.uint8))
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
        getattr(library, name)(ctypes.c_uint32(angles.size), *pointers)
        pairs.append((sine, cosine))
    return pairs


@pytest.mark.parametrize("scale", [1e-300, 1e-8, 0.01, 0.1, 0.126, 0.2, 0.3, 0.5, 1.0, 10.0])
def test_equals_the_c_library(library: ctypes.CDLL, scale: float) -> None:
    angles = np.random.default_rng(0).uniform(-scale, scale, 1_000_003)
    fast, reference = both(library, angles)
    for got, wanted in zip(fast, reference, strict=True):
        np.testing.assert_array_equal(got.view(np.uint64), wanted.view(np.uint64))


def test_equals_numpy_on_scalars(library: ctypes.CDLL) -> None:
    """Gymnasium computes with numpy scalars."""
    angles = np.random.default_rng(1).uniform(-0.4, 0.4, 20_000)
    sine, cosine = both(library, angles)[0]
    assert all(np.sin(angle) == value for angle, value in zip(angles, sine, strict=True))
    assert all(np.cos(angle) == value for angle, value in zip(angles, cosine, strict=True))


def test_edges(library: ctypes.CDLL) -> None:
    edges = [0.0, -0.0, 5e-324, 1e-160, 0.3, np.nextafter(0.3, 1), -0.3, np.inf, -np.inf, np.nan]
    fast, reference = both(library, np.array(edges))
    for got, wanted in zip(fast, reference, strict=True):
        np.testing.assert_array_equal(got, wanted)
        np.testing.assert_array_equal(np.signbit(got[:9]), np.signbit(wanted[:9]))
