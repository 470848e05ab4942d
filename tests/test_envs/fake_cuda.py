"""A plugin of pytest: programs call pools as on a GPU, on the stand-in of fake_cuda.cpp."""

import ctypes
import tempfile
from pathlib import Path
from typing import Any

import jax
import pytest
from parallel_pool.pool_api import xla_targets
from parallel_pool_jax import platforms
from test_envs.compiling import SOURCES, compile_plugin

CORE = Path(__file__).parents[2] / "core/src"
DRIVER = "libcuda.so.1"


class Fake:
    """The loaded driver, which others find by its name: what it counts, and which function fails."""

    def __init__(self, folder: Path) -> None:
        flags = f"-I{CORE}", "-fvisibility=default", f"-Wl,-soname,{DRIVER}"
        library = compile_plugin(SOURCES / "fake_cuda.cpp", folder / DRIVER, flags=flags)
        self._library = ctypes.CDLL(str(library))
        self._library.on_the_cpu.restype = ctypes.c_void_p
        self._library.on_the_cpu.argtypes = [ctypes.c_int, ctypes.c_void_p]

    def __getattr__(self, counter: str) -> int:
        return ctypes.c_long.in_dll(self._library, counter).value

    def fail(self, function: str) -> None:
        """From now on this function fails; "": none."""
        self._failing = function.encode()
        ctypes.c_char_p.in_dll(self._library, "failing").value = self._failing

    def on_the_cpu(self, number: int, capsule: Any) -> Any:
        """The capsule of a handler for the CPU, of one for CUDA."""
        api = ctypes.pythonapi
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        api.PyCapsule_New.restype = ctypes.py_object
        api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        handler = self._library.on_the_cpu(number, api.PyCapsule_GetPointer(capsule, None))
        return api.PyCapsule_New(handler, None, None)


def pytest_configure(config: pytest.Config) -> None:
    folder = tempfile.TemporaryDirectory()
    config.add_cleanup(folder.cleanup)
    fake = config.fake_cuda = Fake(Path(folder.name))  # type: ignore[attr-defined]
    on_cuda = [(name, at) for (platform, name), at in xla_targets().items() if platform == "CUDA"]
    targets = {
        ("cpu", name): fake.on_the_cpu(number, target)
        for number, (name, target) in enumerate(on_cuda)
    }
    platforms.xla_targets = lambda: targets  # type: ignore[attr-defined]
    jax.lax.platform_dependent = lambda *arrays, cuda, default: cuda(*arrays)


@pytest.fixture
def cuda(request: pytest.FixtureRequest) -> Fake:
    return request.config.fake_cuda  # type: ignore[attr-defined, no-any-return]
