"""Finds the engine, the games and the scenarios: in the installed package vizdoom, in folders that the user
names, and in other packages that bring scenarios. None is imported, and nothing is downloaded."""

import importlib.util
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from parallel_pool.plugin_api import places

VERSION = "1.3.2"
"""src/engine/shared_state.hpp describes the shared memory of this version."""
INSTALL = f"pip install vizdoom=={VERSION}"
FOLDERS = "PARALLEL_POOL_VIZDOOM_SCENARIOS"
"""The environment variable that names the user's folders of cfg files and maps, as PATH does."""
SCENARIO_PLACES = (
    f"${FOLDERS}",
    "envpool_assets/vizdoom/maps",
    "sf_examples/vizdoom/doom/scenarios",
)
"""The user's folders, and packages that bring some (EnvPool's assets, sample-factory)."""


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


def scenario_folders(root: Path) -> list[Path]:
    """Returns the folders in which a scenario may be that is named without one."""
    others = [folder for place in SCENARIO_PLACES for folder in places(place)]
    return [root / "scenarios", *others]


ENGINE_FOLDER = Path(__file__).parent / "engine_folder"
"""Engines run in this folder (see the README in it)."""
