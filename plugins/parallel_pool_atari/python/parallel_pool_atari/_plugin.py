"""The environments of this plugin, as data, and where it finds the ROMs. Loads no library."""

import ctypes
import importlib.util
import mmap
import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import About, Check, EnvSpec, Internal, OldIds, find_library, hookimpl

from parallel_pool_atari._aims import AIMS
from parallel_pool_atari._games import FAST, ROMS, ale_name, envpool_name

INSTALL_ROMS = "pip install 'ale-py>=0.12,<0.13'"

_OLD_RAM = {"": "", "-ram": ", obs_type='ram'"}
_OLD_SKIPS = {
    "": "frameskip=2, frameskip_high=5",
    "Deterministic": "frameskip=4",
    "NoFrameskip": "frameskip=1",
}
_OLD_STICKY = {"0": "0.25", "4": "0.0"}


@hookimpl
def parallel_pool_envs() -> Iterator[EnvSpec]:
    """Each game twice: preprocessed, as EnvPool has it, and bare, as ale-py has it."""
    for rom in ROMS:
        game = {"game": rom}
        yield EnvSpec(
            f"atari/{envpool_name(rom)}-v5",
            native="atari/Preprocessed-v5",
            summary=f"{AIMS[rom]} (Atari, preprocessed)",
            options=game,
            render_modes=("rgb_array",),
            render_fps=15,  # a step is four frames of sixty
            tags=("atari", "preprocessed"),
        )
        yield EnvSpec(
            f"atari/ALE-{ale_name(rom)}-v5",
            native="atari/Ale-v5",
            summary=f"{AIMS[rom]} (Atari, as in ale-py)",
            options=game,
            render_modes=("rgb_array",),
            render_fps=15,
            aliases=(f"ALE/{ale_name(rom)}-v5",),
            tags=("atari", "raw"),
        )


@hookimpl
def parallel_pool_about(spec: EnvSpec) -> About:
    """Describes observations, actions, rewards and ends."""
    from parallel_pool_atari._about import about

    return about(spec, rom_folder())


@hookimpl
def parallel_pool_library(family: str) -> Path:
    """The one library of this package."""
    return find_library(__package__, family)


@hookimpl
def parallel_pool_translate(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`task` is EnvPool's name of `game`."""
    if "task" not in options:
        return None
    if "game" in options:
        raise OptionError(f"{spec.id}: 'task' and 'game' mean the same; give one of them")
    return {**{k: v for k, v in options.items() if k != "task"}, "game": options["task"]}


@hookimpl
def parallel_pool_options(spec: EnvSpec, options: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Find the ROM of `game`, unless `rom_path` names a file, and choose its emulator.

    A ROM that is named is looked at by the library, which then decides about the engine.
    """
    if options.get("rom_path"):
        return None
    game = options.get("game")
    folder = rom_folder()
    if folder is None:
        raise OptionError(
            f"{spec.id}: the games' ROMs come with the package ale-py, which is not installed. "
            f"Run `{INSTALL_ROMS}`, set ALE_ROMS_DIR to a folder of ROMs, or pass rom_path"
        )
    if not re.fullmatch(r"\w+", str(game), re.ASCII):
        raise OptionError(
            f"{spec.id}: game is {game!r}, expected the name of a ROM in {folder}, such as "
            "'space_invaders'; a file elsewhere is named by rom_path"
        )
    rom = folder / f"{game}.bin"
    if not rom.is_file():
        raise OptionError(
            f"{spec.id}: there is no ROM {game!r} in {folder} ({rom.name} is missing). "
            f"Run `{INSTALL_ROMS} --force-reinstall`, or pass rom_path"
        )
    engine = options.get("engine", "auto")
    if engine == "auto":
        engine = "fast" if game in FAST else "ale"
    return {**options, "rom_path": Internal(str(rom)), "engine": engine}


@hookimpl
def parallel_pool_old_ids() -> Iterator[OldIds]:
    """The ids of versions 0 and 4 of Gym and ale-py: what they are in `ALE/NAME-v5`."""
    forms = {
        f"{{name}}{ram}{skip}-v{version}": f"make('ALE/{{name}}-v5'{obs_type}, {frameskip}, "
        f"repeat_action_probability={sticky}) is the same, and make('{{usual}}-v5') has the usual "
        "preprocessing: 4 grey frames of 84 x 84"
        for ram, obs_type in _OLD_RAM.items()
        for skip, frameskip in _OLD_SKIPS.items()
        for version, sticky in _OLD_STICKY.items()
    }
    alike: list[str] = []
    for rom in ROMS:
        name, usual = ale_name(rom), envpool_name(rom)
        if name == usual:
            alike.append(name)
        else:
            yield OldIds(
                (name,), {each: advice.replace("{usual}", usual) for each, advice in forms.items()}
            )
    alike.remove("Blackjack")  # Blackjack-v0 was the card game
    yield OldIds(
        tuple(alike), {each: advice.replace("{usual}", "{name}") for each, advice in forms.items()}
    )


def _makes_machine_code() -> bool:
    """True if games run as machine code here: asks the kernel for the memory that the library asks for."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return False
    with mmap.mmap(-1, mmap.PAGESIZE) as page:
        address = ctypes.addressof(ctypes.c_char.from_buffer(page))
        sealed = mmap.PROT_READ | mmap.PROT_EXEC
        libc = ctypes.CDLL(None)
        return bool(libc.mprotect(ctypes.c_void_p(address), mmap.PAGESIZE, sealed) == 0)


@hookimpl
def parallel_pool_doctor() -> Iterator[Check]:
    """Checks the ROMs, and says which emulator runs them, and how."""
    slow = sorted(set(ROMS) - FAST)
    others = f"; ALE for {', '.join(slow)}" if slow else ""
    detail = (
        f"our own for {len(ROMS) - len(slow)} of {len(ROMS)} games{others} (engine='ale' for ALE)"
    )
    yield Check("engine", True, detail)
    execution = "machine code" if _makes_machine_code() else "blocks; no machine code here"
    yield Check("translation", True, f"games run as {execution}")
    folder = rom_folder()
    if folder is None:
        yield Check("ROMs", False, "ale-py is not installed", INSTALL_ROMS)
        return
    missing = [rom for rom in ROMS if not (folder / f"{rom}.bin").is_file()]
    if missing:
        names = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        detail = f"{len(missing)} of {len(ROMS)} missing in {folder}: {names}"
        yield Check("ROMs", False, detail, f"{INSTALL_ROMS} --force-reinstall")
    else:
        yield Check("ROMs", True, f"{len(ROMS)} in {folder}")


def rom_folder() -> Path | None:
    """ALE_ROMS_DIR, which ale-py obeys as well, or the folder of the installed ale-py.

    Looks the package up without importing it: that would load its own copy of the emulator.
    """
    if folder := os.environ.get("ALE_ROMS_DIR"):
        return Path(folder)
    spec = importlib.util.find_spec("ale_py")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "roms"
