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
        compiled = compile_file(path)
        _check_body(env_id, options, compiled, path)
        model = overridden(compiled, _overrides(env_id, options.get("model_overrides", "")))
        return hand_over(model, str(path))
    except MujocoError as error:
        raise OptionError(f"{env_id}: {error}") from None


def check_ranges(env_id: str, options: Mapping[str, Any]) -> None:
    """Raises OptionError for a range that is not two numbers."""
    for name, value in options.items():
        if name.endswith("_range") and len(value) != 2:
            raise OptionError(
                f"{env_id}: {name} is {[float(each) for each in value]}, expected two numbers, the lower and "
                "the upper"
            )


def _check_body(env_id: str, options: Mapping[str, Any], model: Any, path: Path) -> None:
    body = options.get("main_body")
    if body is None:
        return
    names = [model.body(number).name for number in range(model.nbody)]
    if body in names or (body.isdecimal() and int(body) < model.nbody):
        return
    raise OptionError(
        f"{env_id}: main_body is {body!r}, expected the name of a body in {path}, one of "
        f"{', '.join(filter(None, names))}, or a number in 0 .. {model.nbody - 1}"
    )


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
