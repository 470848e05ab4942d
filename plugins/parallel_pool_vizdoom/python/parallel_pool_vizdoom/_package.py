"""Where the engine, the games and the scenarios are: in the installed package vizdoom, in folders that the user
names, and in other packages that bring scenarios. None is imported, and nothing is downloaded."""

import importlib.util
import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

VERSION = "1.3.2"
"""src/engine/shared_state.hpp describes the shared memory of this version."""
INSTALL = f"pip install vizdoom=={VERSION}"
FOLDERS = "PARALLEL_POOL_VIZDOOM_SCENARIOS"
"""The environment variable that names the user's folders of cfg files and maps, as PATH does."""
_OTHERS = {"envpool_assets": "vizdoom/maps", "sf_examples": "vizdoom/doom/scenarios"}
"""Packages that bring some (EnvPool's assets, sample-factory), and where they have them."""


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


def has_scenario(cfg: str) -> bool:
    """True if a user's folder, or another package than vizdoom, has that cfg file."""
    return any((folder / cfg).is_file() for folder in _other_folders())


def has_game(name: str) -> bool:
    """True if the package has the WAD of a game, its own or one that was put there."""
    spec = importlib.util.find_spec("vizdoom")
    folders = (spec and spec.submodule_search_locations) or []
    return any((Path(folder) / name).is_file() for folder in folders)


def scenario_folders(root: Path) -> list[Path]:
    """Where a scenario that is named without a folder may be."""
    return [root / "scenarios", *_other_folders()]


def _other_folders() -> list[Path]:
    found = [Path(each) for each in os.environ.get(FOLDERS, "").split(os.pathsep) if each]
    for package, folder in _OTHERS.items():
        spec = importlib.util.find_spec(package)
        for place in (spec and spec.submodule_search_locations) or []:
            found.append(Path(place) / folder)
    return found


ENGINE_FOLDER = Path(__file__).parent / "engine_folder"
"""Where engines run (see the README in it)."""
