"""Policies for watched environments."""

from __future__ import annotations

import argparse
import runpy
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from parallel_pool.errors import OptionError, ParallelPoolError
from parallel_pool.pool_api import imported

Policy = Callable[[Any, int], Any]
"""(observations of all environments, number of the step) -> their actions."""

FORMS = "random, FILE.py:FUNCTION, or a model that Stable-Baselines3 saved (FILE.zip)"


def add_policy(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments of `find_policy` for a command."""
    parser.add_argument(
        "--policy",
        default="random",
        metavar="P",
        help="random, FILE.py:FUNCTION of the observations, or a FILE.zip of Stable-Baselines3",
    )
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="a file for the policy: FUNCTION(FILE) returns the function of the observations",
    )
    parser.add_argument(
        "--vecnormalize",
        metavar="FILE",
        help="statistics that VecNormalize of Stable-Baselines3 saved, for a FILE.zip",
    )


def find_policy(
    word: str,
    space: gymnasium.Space[Any],
    seed: int,
    checkpoint: str | None = None,
    statistics: str | None = None,
) -> Policy:
    """The policy that `word` names: see FORMS. Raises OptionError for other words.

    space: the action space of all environments. checkpoint: passed to the file's function, which returns the
    policy; None: the file's function is the policy. statistics: a file of VecNormalize, for a model.
    """
    path, colon, name = word.rpartition(":")
    if statistics is not None and not word.endswith(".zip"):
        raise OptionError("--vecnormalize is for a model that Stable-Baselines3 saved (FILE.zip)")
    if colon and path.endswith(".py"):
        return _stepped(from_file(Path(path), name, checkpoint), checkpoint)
    if checkpoint is not None:
        raise OptionError("--checkpoint is for a policy of the form FILE.py:FUNCTION")
    if word == "random":
        return random_policy(space, seed)
    if word.endswith(".zip"):
        saved = imported("parallel_pool_learning.sb3_models", "0", f"--policy {word}", extra="sb3")
        act: Callable[[Any], Any] = saved.policy_of(Path(word), statistics)
        return lambda observations, _: act(observations)
    raise OptionError(f"--policy {word!r}: expected {FORMS}")


def random_policy(space: gymnasium.Space[Any], seed: int) -> Policy:
    """Random actions, the same for the same step, so that a step back in time repeats the same future."""

    def act(_: Any, step: int) -> Any:
        space.seed(int(np.random.SeedSequence([seed, step]).generate_state(1)[0]))
        return space.sample()

    return act


def from_file(path: Path, name: str, checkpoint: str | None) -> Callable[[Any], Any]:
    """Returns what a Python file has under this name, or makes of the checkpoint. Raises OptionError."""
    if not path.is_file():
        raise OptionError(f"--policy: there is no file {path}")
    sys.path.insert(
        0, str(path.resolve().parent)
    )  # `python FILE.py` does it, too: files beside it can be imported
    found = _names_of(path).get(name)
    if not callable(found):
        raise OptionError(f"--policy: {path} has no function {name!r}")
    function: Callable[[Any], Any] = found
    if checkpoint is not None:
        if not Path(checkpoint).exists():
            raise OptionError(f"--checkpoint: there is no file {checkpoint}")
        function = found(checkpoint)
        if not callable(function):
            raise OptionError(
                f"--policy: {name}({checkpoint!r}) of {path} gives {function!r}, expected a function of the "
                "observations"
            )
    return function


def _stepped(function: Callable[[Any], Any], checkpoint: str | None) -> Policy:
    def act(observations: Any, step: int) -> Any:
        try:
            return function(observations)
        except Exception as error:
            if checkpoint is None and step == 0:
                error.add_note("a function that loads a policy needs its file: --checkpoint FILE")
            raise

    return act


def _names_of(path: Path) -> dict[str, Any]:
    """Runs the user's Python file and returns its names. Raises ParallelPoolError for what was raised in it."""
    try:
        return runpy.run_path(str(path))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f", line {where.lineno}" if Path(where.filename) == path else ""
        raise ParallelPoolError(
            f"--policy: {path}{place}: {type(error).__name__}: {error}"
        ) from error
