"""Shared by the tests of the box2d plugin."""

import sys
from pathlib import Path

# pytest's importlib mode leaves the folder of the tests off the path.
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[3] / "tests"))  # test_envs
