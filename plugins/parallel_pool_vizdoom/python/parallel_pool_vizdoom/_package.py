"""Where the engine, the games and the scenarios are: in the installed package vizdoom, and four scenarios of
EnvPool's in its package of assets. Neither is imported, and nothing is downloaded."""

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


def has_assets() -> bool:
    """Whether EnvPool's assets are installed, which have the maps D1 to D4."""
    return importlib.util.find_spec("envpool_assets") is not None


def has_game(name: str) -> bool:
    """Whether the package has the WAD of a game, its own or one that was put there."""
    spec = importlib.util.find_spec("vizdoom")
    folders = (spec and spec.submodule_search_locations) or []
    return any((Path(folder) / name).is_file() for folder in folders)


def scenario_folders(root: Path) -> list[Path]:
    """Where a scenario that is named without a folder may be."""
    found = [root / "scenarios"]
    spec = importlib.util.find_spec("envpool_assets")
    if spec is not None and spec.submodule_search_locations:
        found.append(Path(spec.submodule_search_locations[0]) / "vizdoom" / "maps")
    return found


ENGINE_FOLDER = Path(__file__).parent / "engine_folder"
"""Where engines run (see the README in it)."""
