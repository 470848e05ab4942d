"""The vectorised sines, cosines and squares are the C library's in every bit, and numpy's."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import parallel_pool
import pytest
from test_envs.once import once
from test_envs.programs import python

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src"
FLAGS = ["-std=c++20", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
SIZE = 20_003

Floats = npt.NDArray[np.float64]


class Library:
    """Calls of one build. Arrays in, arrays out."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))

    def call(self, name: str, x: npt.NDArray[Any], *outputs: Any, scratch: bool = True) -> Any:
        results = [np.empty(x.size, dtype) for dtype in outputs]
        arrays = [x, *results, *([np.empty(x.size, np.uint8)] if scratch else [])]
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
        getattr(self._library, name)(ctypes.c_uint32(x.size), *pointers)
        return results

    def sines(self, name: str, x: Floats) -> Any:
        return self.call(name, x, np.float64, np.float64, scratch=name != "reference")


def compile_for(level: int, output: Path, *what: object) -> None:
    """A library for processors of this level."""
    compiler = shutil.which("c++")
    assert compiler, "the tests need a C++ compiler"
    command = [compiler, *FLAGS, f"-DPP_CLASSIC_LEVEL={level}", f"-I{SOURCE}", "-shared", "-fPIC"]
    subprocess.run([*command, *map(str, what), "-o", output], check=True)


@pytest.fixture(scope="module", params=[2, 1, 0], ids=["best", "avx2", "portable"])
def library(request: Any, shared_folder: Path) -> Library:
    names = ("sincos", "square", "trigonometry")
    files = [SOURCE / "numeric" / f"{name}.cpp" for name in names]
    what = (HERE / "numeric_capi.cpp", *files)
    output = shared_folder / f"numeric_{request.param}.so"
    return Library(once(output, lambda new: compile_for(request.param, new, *what)))


def same_bits(got: Any, wanted: Any) -> None:
    for left, right in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(left.view(np.uint8), right.view(np.uint8))


@pytest.mark.parametrize(
    "scale", [1e-300, 1e-8, 0.01, 0.126, 0.3, 0.5, 0.86, 1.0, 1.6, 2.5, 3.3, 10.0, 99.0, 1e3, 1e9]
)
def test_angles_equal_the_c_librarys(library: Library, scale: float) -> None:
    angles = np.random.default_rng(0).uniform(-scale, scale, SIZE)
    reference = library.sines("reference", angles)
    same_bits(library.sines("small_fast", angles), reference)
    same_bits(library.sines("fast", angles), reference)
    same_bits(library.call("cosines", angles, np.float64), reference[1:])
    floats = library.call("floats", angles, np.float32, np.float32, np.float64, np.float64)[:2]
    same_bits(floats, [each.astype(np.float32) for each in reference])
    mixed = library.call("mixed", angles, np.float64, np.float32, np.float64)[:2]
    same_bits(mixed, [reference[0], reference[1].astype(np.float32)])


def test_multiples_of_a_quarter_turn(library: Library) -> None:
    """Where almost nothing of the angle is left."""
    quarters = np.arange(-700, 700) * (np.pi / 2)
    near = [quarters]
    for _ in range(8):
        near += [np.nextafter(near[-1], np.inf), np.nextafter(near[-1], -np.inf)]
    angles = np.concatenate([*near, quarters + 1e-9, quarters - 1e-7])
    reference = library.sines("reference", angles)
    same_bits(library.sines("fast", angles), reference)
    same_bits(library.call("cosines", angles, np.float64), reference[1:])


def test_equal_numpys_of_scalars(library: Library) -> None:
    """Gymnasium computes with numpy scalars."""
    angles = np.random.default_rng(1).uniform(-4, 4, 5_000)
    for name in ("small_fast", "fast"):
        sine, cosine = library.sines(name, angles)
        assert all(np.sin(angle) == value for angle, value in zip(angles, sine, strict=True))
        assert all(np.cos(angle) == value for angle, value in zip(angles, cosine, strict=True))


@pytest.mark.parametrize("name", ["small_fast", "fast"])
def test_edges(library: Library, name: str) -> None:
    edges = [0.0, -0.0, 5e-324, 1e-160, 0.3, np.nextafter(0.3, 1), -0.3, np.inf, -np.inf, np.nan]
    fast, reference = (library.sines(which, np.array(edges)) for which in (name, "reference"))
    np.testing.assert_array_equal(fast, reference)
    np.testing.assert_array_equal(np.signbit(fast)[:, :9], np.signbit(reference)[:, :9])


@pytest.mark.parametrize("scale", [1e-200, 1e-5, 1.0, 8.0, 30.0, 1e200])
def test_squares_equal_numpys_of_scalars(library: Library, scale: float) -> None:
    values = np.random.default_rng(2).uniform(-scale, scale, 10_000)
    (squares,) = library.call("squares", values, np.float64)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(squares, [value**2 for value in values])
    edges = np.array([0.0, -0.0, 1.0, -2.0, 0.5, 5e-324, 1e300, np.inf, np.nan])
    (squares,) = library.call("squares", edges, np.float64)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(squares, [value**2 for value in edges])


@pytest.mark.parametrize("scale", [1e-3, 1.0, 2.0, 1e4])
def test_float_squares_equal_numpys_of_scalars(library: Library, scale: float) -> None:
    values = np.random.default_rng(3).uniform(-scale, scale, 10_000).astype(np.float32)
    (squares,) = library.call("float_squares", values, np.float32)
    np.testing.assert_array_equal(squares, [value**2 for value in values])


@pytest.mark.parametrize("scale", [1e-8, 0.1, 1.0, 10.0, 1e5, 2e5])
def test_float_angles_equal_numpys(library: Library, scale: float) -> None:
    """Where numpy has fused multiply-add; elsewhere the last bit may differ."""
    angles = np.random.default_rng(4).uniform(-scale, scale, 20_000).astype(np.float32)
    got = library.call("numpy_floats", angles, np.float32, np.float32, scratch=False)
    same_bits(got, [np.sin(angles), np.cos(angles)])
    assert all(np.cos(angle) == value for angle, value in zip(angles[:999], got[1], strict=False))


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
    """The whole library built for older processors gives the same trajectories in every bit."""
    library = tmp_path / "classic.so"
    include = [f"-I{parallel_pool.get_include()}", "-fvisibility=hidden"]
    compile_for(level, library, *include, *sorted(SOURCE.rglob("*.cpp")))
    assert python("-c", SCRIPT, library) == python("-c", SCRIPT, "")
