"""What counts the instructions of a step is a part of the benchmarks."""

import sys
from pathlib import Path

# At the end: the benchmarks have names like memory.py.
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
