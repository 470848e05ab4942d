"""Policies for watched environments."""

from __future__ import annotations

import json
import pickle
import re
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from parallel_pool.errors import LibraryError, OptionError
from parallel_pool.imports.libraries import names_of

Policy = Callable[[Any, int], Any]
"""(observations of all environments, number of the step) -> their actions."""

FORMS = "random, FILE.py:FUNCTION, or a model that Stable-Baselines3 saved (FILE.zip)"

_ALGORITHMS = {
    "stable_baselines3.common.policies": "PPO",
    "stable_baselines3.dqn.policies": "DQN",
    "stable_baselines3.sac.policies": "SAC",
    "stable_baselines3.td3.policies": "TD3",
}
"""Modules of Stable-Baselines3's policies, and the algorithm that loads a model with such a policy."""


_STATISTICS = re.compile(r".*vec_?normalize.*\.pkl", re.IGNORECASE)
"""Names of files of VecNormalize, as its page and CheckpointCallback have them."""


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
        return _from_file(Path(path), name, checkpoint)
    if checkpoint is not None:
        raise OptionError("--checkpoint is for a policy of the form FILE.py:FUNCTION")
    if word == "random":
        return random_policy(space, seed)
    if word.endswith(".zip"):
        return _from_sb3(Path(word), statistics)
    raise OptionError(f"--policy {word!r}: expected {FORMS}")


def random_policy(space: gymnasium.Space[Any], seed: int) -> Policy:
    """Random actions, the same for the same step, so that a step back in time repeats the same future."""

    def act(_: Any, step: int) -> Any:
        space.seed(int(np.random.SeedSequence([seed, step]).generate_state(1)[0]))
        return space.sample()

    return act


def _from_file(path: Path, name: str, checkpoint: str | None) -> Policy:
    if not path.is_file():
        raise OptionError(f"--policy: there is no file {path}")
    sys.path.insert(
        0, str(path.resolve().parent)
    )  # as `python FILE.py` has it: files beside it can be imported
    found = names_of(path, "--policy").get(name)
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

    def act(observations: Any, step: int) -> Any:
        try:
            return function(observations)
        except Exception as error:
            if checkpoint is None and step == 0:
                error.add_note("a function that loads a policy needs its file: --checkpoint FILE")
            raise

    return act


def _from_sb3(path: Path, statistics: str | None) -> Policy:
    """A model on the CPU, which takes its most probable actions. statistics: of what it observes."""
    data = _sb3_data(path)
    module = data["policy_class"].get("__module__", "")
    if module not in _ALGORITHMS:
        raise OptionError(
            f"--policy {path}: a policy of {module or 'unknown origin'}; load it in a file of yours, and give "
            "FILE.py:FUNCTION"
        )
    kind = _ALGORITHMS[module]
    if kind == "PPO" and "clip_range" not in data:
        kind = "A2C"
    try:
        import stable_baselines3
    except ImportError as error:
        raise LibraryError(
            f"{path} needs Stable-Baselines3, which is missing: pip install -U 'parallel-pool[sb3]'"
        ) from error
    model = getattr(stable_baselines3, kind).load(path, device="cpu")
    seen = _normalized(path, statistics)
    return lambda observations, _: model.predict(seen(observations), deterministic=True)[0]


def _normalized(model: Path, statistics: str | None) -> Callable[[Any], Any]:
    """What makes of observations what the model was trained with."""
    if statistics is None:
        beside = sorted(each.name for each in model.absolute().parent.iterdir())
        if found := [each for each in beside if _STATISTICS.fullmatch(each)]:
            warnings.warn(
                f"beside {model} lie statistics of VecNormalize, {found[0]}: if the model was trained with "
                "such, add --vecnormalize FILE.pkl",
                stacklevel=2,
            )
        return lambda observations: observations
    from stable_baselines3.common.vec_env import VecNormalize

    if not Path(statistics).is_file():
        raise OptionError(f"--vecnormalize: there is no file {statistics}")
    try:
        loaded = pickle.loads(Path(statistics).read_bytes())
    except Exception as error:  # pickle runs what the file says
        raise OptionError(f"--vecnormalize {statistics} cannot be read: {error}") from error
    if not isinstance(loaded, VecNormalize):
        raise OptionError(
            f"--vecnormalize {statistics} has {type(loaded).__name__}, expected what VecNormalize.save writes"
        )
    normalized: Callable[[Any], Any] = loaded.normalize_obs
    return normalized


def _sb3_data(path: Path) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as archive:
            data: dict[str, Any] = json.loads(archive.read("data"))
        if not isinstance(data["policy_class"], dict):
            raise KeyError("policy_class")
        return data
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise OptionError(
            f"--policy {path} is no model that Stable-Baselines3 saved ({error})"
        ) from error
