"""Where the engine, the games and the scenarios are: in the installed package vizdoom, which is not imported."""

import importlib.util
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

VERSION = "1.3.2"
"""The one whose shared memory src/engine/shared_state.hpp describes."""
INSTALL = f"pip install vizdoom=={VERSION}"


class MissingError(Exception):
    """Something is not installed, with the command to run."""


def package_folder() -> Path:
    """The package's folder. Raises MissingError."""
    spec = importlib.util.find_spec("vizdoom")
    if spec is None or not spec.submodule_search_locations:
        raise MissingError(
            "the engine and the scenarios come with the package vizdoom, which is not installed: "
            f"run `{INSTALL}`"
        )
    try:
        found = version("vizdoom")
    except PackageNotFoundError:
        found = "of unknown version"
    if found != VERSION:
        raise MissingError(
            f"vizdoom {found} is installed, whose engine speaks another protocol than "
            f"{VERSION}'s: run `{INSTALL}`"
        )
    return Path(spec.submodule_search_locations[0])


ENGINE_FOLDER = Path(__file__).parent / "engine_folder"
"""Where engines run (see the README in it)."""
