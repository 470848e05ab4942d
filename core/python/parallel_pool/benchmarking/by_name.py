"""Baselines by the words of `parallel-pool bench --against`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from parallel_pool.benchmarking.baselines import Baselines, gymnasium_vector
from parallel_pool.benchmarking.envpool import envpool
from parallel_pool.errors import OptionError
from parallel_pool.imports.libraries import names_of

VECTORISED = "Gymnasium vectorised"
BASELINES: Baselines = {
    VECTORISED: partial(gymnasium_vector, mode="vector_entry_point", name=VECTORISED),
    "Gymnasium sync": partial(gymnasium_vector, mode="sync"),
    "Gymnasium async": partial(gymnasium_vector, mode="async"),
}
"""What `parallel-pool bench --against gymnasium` compares with, by name."""


def find_baselines(word: str) -> Baselines:
    """Those of "gymnasium" or "envpool", or the BASELINES of a Python file. Raises OptionError."""
    if word == "gymnasium":
        return BASELINES
    if word == "envpool":
        return {"EnvPool": envpool}
    path = Path(word)
    if path.suffix != ".py" or not path.is_file():
        raise OptionError(
            f"--against: {word!r} is unknown, expected gymnasium, envpool, or a Python file with a dict "
            "BASELINES, as benchmarks/baselines.py in ParallelPool's repository (ale-py)"
        )
    found: Any = names_of(path, "--against").get("BASELINES")
    if not isinstance(found, dict) or not all(map(callable, found.values())):
        raise OptionError(f"--against: {word} has no dict BASELINES of functions")
    made: Baselines = found
    return made
