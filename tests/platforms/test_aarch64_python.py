"""The Python module and classic, built for aarch64, in Debian's Python for it, which qemu runs.

Rows must be those of this machine, bit for bit.
"""

from pathlib import Path

import pytest
from aarch64_python import Aarch64Python
from platforms import ROOT, ROWS, rows_here, rows_said

# One source instead of two dozen, each with the headers of pybind11. -O2: from there on GCC fuses what it may.
CORE = (
    "-DCMAKE_UNITY_BUILD=ON",
    "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0",
    "-DCMAKE_CXX_FLAGS_RELEASE=-O2",
)
pytestmark = [
    pytest.mark.slow,  # builds the module and a plugin
    pytest.mark.timeout(1800),
]


def test_classic_environments(tmp_path: Path) -> None:
    python = Aarch64Python(tmp_path / "aarch64")
    python.install("gymnasium", "dm-env", "numpy", "pluggy")
    python.build(ROOT / "core", *CORE)
    python.build(ROOT / "plugins/parallel_pool_classic")
    assert rows_said(python.run("-W", "ignore", ROWS, "classic")) == rows_here("classic")
