"""Checks that the options of a match agree, before an engine is started."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parallel_pool.plugin_api import find_library

from parallel_pool_vizdoom._cfg import CfgError
from parallel_pool_vizdoom._package import package_folder
from parallel_pool_vizdoom._settings import Settings
from parallel_pool_vizdoom._starts import starts

MOST_PLAYERS = 16
"""The engine's limit of players, its own included."""
_ROLES = ("-host", "-join", "-port")


def check_arguments(arguments: Sequence[str]) -> None:
    """Refuses arguments about the players of a match: the id and its options decide them. Raises CfgError."""
    for each in arguments:
        if each.lower() in _ROLES:
            raise CfgError(
                f"{each} is among the engine's arguments (game_args); games of several players are "
                "vizdoom/MatchCustom-v1 and its like, whose option num_players says how many"
            )


def match_settings(options: Mapping[str, Any], engine_arguments: Sequence[str]) -> Settings:
    """Checks a match, and says what the library must know beside the scenario. Raises CfgError.

    options: with the map of the scenario's cfg.
    """
    players, bots = options["num_players"], options["bots"]
    if not isinstance(players, int) or not isinstance(bots, int):
        return {}  # the library says what is wrong
    if players + bots > MOST_PLAYERS:
        raise CfgError(
            f"num_players is {players} and bots {bots}, {players + bots} together: the engine has "
            f"room for {MOST_PLAYERS}"
        )
    together = options["game_mode"] == "cooperative"
    if bots and together:
        raise CfgError(
            f"bots is {bots}, and bots play deathmatches only: leave them out, or set "
            "game_mode='deathmatch'"
        )
    _check_starts(str(options["map_id"]), engine_arguments, players, together=together)
    text = str(options["player_args"])
    lines = text.split("\n") if text else []
    if lines and len(lines) != players:
        raise CfgError(
            f"player_args has {len(lines)} lines, expected one for each of the {players} players; "
            "empty ones count"
        )
    check_arguments([word for line in lines for word in line.split()])
    library = find_library(__package__, "engine_network")
    return {"bots_path": str(package_folder() / "bots.cfg"), "engine_library": str(library)}


def _check_starts(name: str, arguments: Sequence[str], players: int, *, together: bool) -> None:
    files = [
        Path(arguments[arguments.index(flag) + 1])
        for flag in ("-file", "-iwad")
        if flag in arguments
    ]
    # The engine deals with a file that is no WAD file, or has the map in another place.
    found = next(((file, each) for file in files if (each := starts(file, name)) is not None), None)
    if found is None:
        return
    file, there = found
    here = f"map {name} of {file.name}"
    count = there.players if together else there.deathmatch
    if count >= players:
        return
    if count == 0 and not together:
        raise CfgError(
            f"{here} has no places where players of a deathmatch begin: it is for one player "
            "(vizdoom/VizdoomCustom-v1)"
            + (
                f", or for {there.players} with game_mode='cooperative'"
                if there.players > 1
                else ""
            )
        )
    kind = "players who cooperate" if together else "players of a deathmatch"
    raise CfgError(
        f"num_players is {players}, and {here} has {count} place{'s' * (count != 1)} where {kind} "
        f"begin: two on one place kill each other; set num_players to at most {count}"
        if count
        else f"{here} has no place where {kind} begin; set game_mode='deathmatch'"
    )
