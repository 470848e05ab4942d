"""Models that Stable-Baselines3 has saved, as policies of `parallel-pool watch`."""

from __future__ import annotations

import json
import pickle
import re
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from parallel_pool.errors import LibraryError, OptionError

_ALGORITHMS = {
    "stable_baselines3.common.policies": "PPO",
    "stable_baselines3.dqn.policies": "DQN",
    "stable_baselines3.sac.policies": "SAC",
    "stable_baselines3.td3.policies": "TD3",
}
"""Modules of Stable-Baselines3's policies, and the algorithm that loads a model with such a policy."""


_STATISTICS = re.compile(r".*vec_?normalize.*\.pkl", re.IGNORECASE)
"""Names of files of VecNormalize, as its page and CheckpointCallback have them."""


def policy_of(path: Path, statistics: str | None) -> Callable[[Any], Any]:
    """A model on the CPU, which takes its most probable actions. statistics: a file of VecNormalize.

    Raises OptionError and LibraryError.
    """
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
    seen, space = _normalized(path, statistics), model.observation_space
    return lambda observations: model.predict(
        seen(shaped(observations, space)), deterministic=True
    )[0]


def shaped(observations: Any, space: gymnasium.Space[Any]) -> Any:
    """Returns those of a Dict as the model was trained with: its adapter makes vectors of small pictures."""
    if not isinstance(space, gymnasium.spaces.Dict):
        return observations
    return {
        name: np.reshape(observations[name], (-1, *(each.shape or ())))
        for name, each in space.items()
    }


def _normalized(model: Path, statistics: str | None) -> Callable[[Any], Any]:
    """Returns the function that normalizes observations as in the training of the model."""
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
