"""From the options of a user to the model that the library is handed."""

import importlib.util
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.mujoco import MujocoError, compile_file, hand_over, overridden

INSTALL_MODELS = "pip install 'gymnasium>=1.2'"


def model_option(env_id: str, options: Mapping[str, Any]) -> int:
    """The library's option `model` for the options `xml_file` and `model_overrides`.

    Raises OptionError naming the environment, the file and what MuJoCo did not like.
    """
    path = model_path(env_id, str(options["xml_file"]))
    try:
        model = overridden(
            compile_file(path), _overrides(env_id, options.get("model_overrides", ""))
        )
        return hand_over(model, str(path))
    except MujocoError as error:
        raise OptionError(f"{env_id}: {error}") from None


def model_path(env_id: str, name: str) -> Path:
    """As Gymnasium reads `xml_file`: a path if it begins with `.`, `/` or `~`, else one of its models."""
    if not name:
        raise OptionError(f"{env_id}: xml_file is empty, expected the file of a model")
    if name.startswith((".", "~")) or os.path.isabs(name):
        path = Path(name).expanduser()
    else:
        path = model_folder(env_id) / name
    if not path.is_file():
        raise OptionError(
            f"{env_id}: xml_file is {name!r}, but there is no file {path} "
            "(a name that begins with neither '.', '/' nor '~' is one of Gymnasium's models)"
        )
    return path


def model_folder(env_id: str) -> Path:
    """Where the installed gymnasium has its models. Found without importing it."""
    spec = importlib.util.find_spec("gymnasium")
    folders = spec.submodule_search_locations if spec else None
    if not folders:
        raise OptionError(
            f"{env_id}: the models come with the package gymnasium, which is not installed. "
            f"Run `{INSTALL_MODELS}`, or pass xml_file='/a/file.xml'"
        )
    return Path(folders[0], "envs", "mujoco", "assets")


def _overrides(env_id: str, text: str) -> Mapping[str, Any]:
    if not text:
        return {}
    try:
        overrides = json.loads(text)
    except ValueError:
        overrides = None
    if not isinstance(overrides, dict):
        raise OptionError(f"{env_id}: model_overrides is {text!r}, expected a dict or one as JSON")
    return overrides
