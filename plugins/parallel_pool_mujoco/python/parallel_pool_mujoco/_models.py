"""Compiles the file of the option `xml_file`, and hands the model to the library."""

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import EnvSpec

from parallel_pool_mujoco import sdk

INSTALL_MODELS = "pip install 'gymnasium>=1.2'"


def completed(spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with the model of `xml_file` handed over, checked.

    Raises OptionError naming the environment, the file and MuJoCo's error.
    """
    path = model_path(spec.id, str(options["xml_file"]))
    with sdk.option_errors(spec):
        model = sdk.compile_file(path)
    _check_body(spec.id, options, model, path)
    return sdk.completed(spec, options, model, str(path))


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
    """The file of `xml_file`, as Gymnasium reads it: a path if it begins with `.`, `/` or `~`, else its own."""
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
    """The installed gymnasium's folder of models, found without importing it."""
    spec = importlib.util.find_spec("gymnasium")
    folders = spec.submodule_search_locations if spec else None
    if not folders:
        raise OptionError(
            f"{env_id}: the models come with the package gymnasium, which is not installed. "
            f"Run `{INSTALL_MODELS}`, or pass xml_file='/a/file.xml'"
        )
    return Path(folders[0], "envs", "mujoco", "assets")
