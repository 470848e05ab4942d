import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # platforms

from windows_packages import install_core, install_plugin
from windows_python import WindowsPython

REQUIRED = ("cloudpickle", "dm-env", "farama-notifications", "gymnasium", "numpy", "pluggy")


@pytest.fixture(scope="session")
def windows(tmp_path_factory: pytest.TempPathFactory) -> WindowsPython:
    """A Windows Python with core, classic and what they require."""
    folder = tmp_path_factory.mktemp("windows") / "x64"
    python = WindowsPython(folder, [*REQUIRED, "typing-extensions"])
    install_core(python)
    install_plugin(python, "classic")
    return python
