"""vizdoom's names of buttons and game variables, at the numbers that the engine has for them."""

from collections.abc import Sequence

BUTTONS = (
    *("ATTACK", "USE", "JUMP", "CROUCH", "TURN180", "ALTATTACK", "RELOAD", "ZOOM", "SPEED"),
    *("STRAFE", "MOVE_RIGHT", "MOVE_LEFT", "MOVE_BACKWARD", "MOVE_FORWARD", "TURN_RIGHT"),
    *("TURN_LEFT", "LOOK_UP", "LOOK_DOWN", "MOVE_UP", "MOVE_DOWN", "LAND"),
    *(f"SELECT_WEAPON{i}" for i in (*range(1, 10), 0)),
    *("SELECT_NEXT_WEAPON", "SELECT_PREV_WEAPON", "DROP_SELECTED_WEAPON"),
    *("ACTIVATE_SELECTED_ITEM", "SELECT_NEXT_ITEM", "SELECT_PREV_ITEM", "DROP_SELECTED_ITEM"),
    *("LOOK_UP_DOWN_DELTA", "TURN_LEFT_RIGHT_DELTA", "MOVE_FORWARD_BACKWARD_DELTA"),
    *("MOVE_LEFT_RIGHT_DELTA", "MOVE_UP_DOWN_DELTA"),
)
BINARY_BUTTONS = 38
"""So many come before those that take any number."""

VARIABLES = (
    *("KILLCOUNT", "ITEMCOUNT", "SECRETCOUNT", "FRAGCOUNT", "DEATHCOUNT", "HITCOUNT"),
    *("HITS_TAKEN", "DAMAGECOUNT", "DAMAGE_TAKEN", "HEALTH", "ARMOR", "DEAD", "ON_GROUND"),
    *("ATTACK_READY", "ALTATTACK_READY", "SELECTED_WEAPON", "SELECTED_WEAPON_AMMO"),
    *(f"AMMO{i}" for i in range(10)),
    *(f"WEAPON{i}" for i in range(10)),
    *("POSITION_X", "POSITION_Y", "POSITION_Z", "ANGLE", "PITCH", "ROLL", "VIEW_HEIGHT"),
    *("VELOCITY_X", "VELOCITY_Y", "VELOCITY_Z"),
    *("CAMERA_POSITION_X", "CAMERA_POSITION_Y", "CAMERA_POSITION_Z", "CAMERA_ANGLE"),
    *("CAMERA_PITCH", "CAMERA_ROLL", "CAMERA_FOV", "PLAYER_NUMBER", "PLAYER_COUNT"),
    *(f"PLAYER{i}_FRAGCOUNT" for i in range(1, 17)),
    *(f"USER{i}" for i in range(1, 61)),
)


def nearest(what: str, name: str, names: Sequence[str]) -> str:
    """Says that there is no such name, and which was meant."""
    import difflib  # only for an error

    close = difflib.get_close_matches(name.upper(), names, n=1, cutoff=0.5)
    return f"there is no {what} {name.upper()}" + (f"; did you mean {close[0]}?" if close else "")
