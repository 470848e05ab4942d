"""BabyAI's levels, as data. Natives have the ids of minigrid's levels, where there is one without a number."""

from collections.abc import Iterator
from typing import Any

from parallel_pool.plugin_api import EnvSpec

from parallel_pool_minigrid._listing import native, preset

GO_TO_OBJ = native("BabyAI-GoToObj", "Go to the only object")
GO_TO_RED_BALL = native("BabyAI-GoToRedBall", "Go to the red ball")
GO_TO_RED_BLUE_BALL = native("BabyAI-GoToRedBlueBall", "Go to the red or the blue ball")
GO_TO_LOCAL = native("BabyAI-GoToLocal", "Go to an object in a room")
GO_TO = native("BabyAI-GoTo", "Go to an object in a maze of rooms")
GO_TO_DOOR = native("BabyAI-GoToDoor", "Go to a door of a room")
GO_TO_OBJ_DOOR = native("BabyAI-GoToObjDoor", "Go to an object or a door of a room")
GO_TO_IMP_UNLOCK = native("BabyAI-GoToImpUnlock", "Go to an object in a locked room")
ACTION_OBJ_DOOR = native("BabyAI-ActionObjDoor", "Go to, pick up or open something in a room")
OPEN = native("BabyAI-Open", "Open a door in a maze")
OPEN_RED_DOOR = native("BabyAI-OpenRedDoor", "Open the red door")
OPEN_DOOR = native("BabyAI-OpenDoor", "Open a door of the room")
OPEN_TWO_DOORS = native("BabyAI-OpenTwoDoors", "Open one door, then another")
OPEN_DOORS_ORDER = native("BabyAI-OpenDoorsOrder", "Open a door, or two in an order")
PICKUP = native("BabyAI-Pickup", "Pick up an object in a maze")
PICKUP_DIST = native("BabyAI-PickupDist", "Pick up one of five objects")
PICKUP_ABOVE = native("BabyAI-PickupAbove", "Pick up the object in the room above")
ONE_ROOM = native("BabyAI-OneRoom", "Pick up the ball")
FIND_OBJ = native("BabyAI-FindObj", "Find an object in a maze and pick it up")
KEY_CORRIDOR = native("BabyAI-KeyCorridor", "Find the key of a room and pick up the ball in it")
PUT_NEXT_LOCAL = native("BabyAI-PutNextLocal", "Put an object next to another")
PUT_NEXT = native("BabyAI-PutNext", "Put an object next to one of the other room")
MOVE_TWO_ACROSS = native("BabyAI-MoveTwoAcross", "Move two objects across two rooms")
UNLOCK = native("BabyAI-Unlock", "Open a locked door in a maze")
UNLOCK_LOCAL = native("BabyAI-UnlockLocal", "Open the locked door of the room")
UNLOCK_PICKUP = native("BabyAI-UnlockPickup", "Pick up the box behind a locked door")
UNLOCK_TO_UNLOCK = native("BabyAI-UnlockToUnlock", "Unlock a door to get the key of another")
LEVEL_GEN = native("BabyAI-LevelGen", "Follow any instruction of the language")

NATIVES = (
    *(GO_TO_OBJ, GO_TO_RED_BALL, GO_TO_RED_BLUE_BALL, GO_TO_LOCAL, GO_TO, GO_TO_DOOR),
    *(GO_TO_OBJ_DOOR, GO_TO_IMP_UNLOCK, ACTION_OBJ_DOOR, OPEN, OPEN_RED_DOOR, OPEN_DOOR),
    *(OPEN_TWO_DOORS, OPEN_DOORS_ORDER, PICKUP, PICKUP_DIST, PICKUP_ABOVE, ONE_ROOM, FIND_OBJ),
    *(KEY_CORRIDOR, PUT_NEXT_LOCAL, PUT_NEXT, MOVE_TWO_ACROSS, UNLOCK, UNLOCK_LOCAL),
    *(UNLOCK_PICKUP, UNLOCK_TO_UNLOCK, LEVEL_GEN),
)

GO_TO_SEQ: dict[str, Any] = {
    "action_kinds": "goto",
    "locked_room_prob": 0.0,
    "locations": False,
    "unblocking": False,
}
SYNTH: dict[str, Any] = {"instr_kinds": "action", "implicit_unlock": False}


def _of(env: EnvSpec, name: str, detail: str, **options: Any) -> EnvSpec:
    return preset(f"BabyAI-{name}", env, detail, **options)


def _go_to() -> Iterator[EnvSpec]:
    for name, size in (("S4-v0", 4), ("S6-v1", 6)):
        yield _of(GO_TO_OBJ, f"GoToObj{name}", f"{size} x {size}", room_size=size)
    yield _of(GO_TO_RED_BALL, "GoToRedBallGrey-v0", "others are grey", grey_dists=True)
    yield _of(GO_TO_RED_BALL, "GoToRedBallNoDists-v0", "no others", num_dists=0)
    sizes = {5: (2,), 6: (2, 3, 4), 7: (4, 5), 8: (2, 3, 4, 5, 6, 7)}
    for size, numbers in sizes.items():
        for n in numbers:
            sized = {"room_size": size, "num_dists": n}
            yield _of(GO_TO_LOCAL, f"GoToLocalS{size}N{n}-v0", f"{n} in {size} x {size}", **sized)
    yield _of(GO_TO, "GoToOpen-v0", "doors are open", doors_open=True)
    yield _of(GO_TO, "GoToObjMaze-v0", "one object", num_dists=1)
    detail = "one object, doors are open"
    yield _of(GO_TO, "GoToObjMazeOpen-v0", detail, num_dists=1, doors_open=True)
    small = {"num_dists": 1, "room_size": 4, "num_rows": 2, "num_cols": 2}
    yield _of(GO_TO, "GoToObjMazeS4R2-v0", "one object, four rooms of 4 x 4", **small)
    for size in (4, 5, 6, 7):
        detail = f"one object, rooms of {size} x {size}"
        yield _of(GO_TO, f"GoToObjMazeS{size}-v0", detail, num_dists=1, room_size=size)


def _open() -> Iterator[EnvSpec]:
    yield _of(OPEN_DOOR, "OpenDoorDebug-v0", "another ends the episode", debug=True)
    yield _of(OPEN_DOOR, "OpenDoorColor-v0", "of a colour", select_by="color")
    yield _of(OPEN_DOOR, "OpenDoorLoc-v0", "at a place", select_by="loc")
    red_blue: dict[str, Any] = {"red_blue": True}
    yield _of(OPEN_TWO_DOORS, "OpenRedBlueDoors-v0", "red and blue", **red_blue)
    detail = "red and blue, another first ends the episode"
    yield _of(OPEN_TWO_DOORS, "OpenRedBlueDoorsDebug-v0", detail, strict=True, **red_blue)
    for n in (2, 4):
        yield _of(OPEN_DOORS_ORDER, f"OpenDoorsOrderN{n}-v0", f"{n} doors", num_doors=n)
        detail = f"{n} doors, another ends the episode"
        name = f"OpenDoorsOrderN{n}Debug-v0"
        yield _of(OPEN_DOORS_ORDER, name, detail, num_doors=n, debug=True)


def _pick_up() -> Iterator[EnvSpec]:
    yield _of(PICKUP, "UnblockPickup-v0", "something is in the way", unblock=True)
    yield _of(PICKUP_DIST, "PickupDistDebug-v0", "another ends the episode", debug=True)
    for size in (8, 12, 16, 20):
        yield _of(ONE_ROOM, f"OneRoomS{size}-v0", f"{size} x {size}", room_size=size)
    for size in (5, 6, 7):
        yield _of(FIND_OBJ, f"FindObjS{size}-v0", f"rooms of {size} x {size}", room_size=size)
    for size, rows in ((3, 1), (3, 2), (3, 3), (4, 3), (5, 3), (6, 3)):
        detail = f"rooms of {size} x {size}, {rows} rows"
        sized = {"room_size": size, "num_rows": rows}
        yield _of(KEY_CORRIDOR, f"KeyCorridorS{size}R{rows}-v0", detail, **sized)


def _put_next() -> Iterator[EnvSpec]:
    for size, n in ((5, 3), (6, 4)):
        detail = f"{n} in {size} x {size}"
        yield _of(PUT_NEXT_LOCAL, f"PutNextLocalS{size}N{n}-v0", detail, room_size=size, num_objs=n)
    for size, n in ((4, 1), (5, 1), (5, 2), (6, 3), (7, 4)):
        sized: dict[str, Any] = {"room_size": size, "objs_per_room": n}
        detail = f"{n} in each of {size} x {size}"
        yield _of(PUT_NEXT, f"PutNextS{size}N{n}-v0", detail, **sized)
        if n > 1:
            carried = f"{detail}, carried from the start"
            name = f"PutNextS{size}N{n}Carrying-v0"
            yield _of(PUT_NEXT, name, carried, start_carrying=True, **sized)
    for size, n in ((5, 2), (8, 9)):
        detail = f"{n} in each of {size} x {size}"
        sized = {"room_size": size, "objs_per_room": n}
        yield _of(MOVE_TWO_ACROSS, f"MoveTwoAcrossS{size}N{n}-v0", detail, **sized)


def _unlock() -> Iterator[EnvSpec]:
    yield _of(UNLOCK_LOCAL, "UnlockLocalDist-v0", "with other objects", distractors=True)
    yield _of(UNLOCK_LOCAL, "KeyInBox-v0", "the key is in a box", in_box=True)
    yield _of(UNLOCK_PICKUP, "UnlockPickupDist-v0", "with other objects", distractors=True)
    yield _of(UNLOCK_PICKUP, "BlockedUnlockPickup-v0", "a ball is in the way", blocked=True)


def _generated() -> Iterator[EnvSpec]:
    def of(name: str, detail: str, **options: Any) -> EnvSpec:
        return _of(LEVEL_GEN, f"{name}-v0", detail, **options)

    four_rooms = {"room_size": 5, "num_rows": 2, "num_cols": 2}
    yield of("GoToSeq", "go to objects", **GO_TO_SEQ)
    yield of("GoToSeqS5R2", "go to objects, four rooms", num_dists=4, **four_rooms, **GO_TO_SEQ)
    one_room = {"num_rows": 1, "num_cols": 1, "num_dists": 8}
    place: dict[str, Any] = {
        "action_kinds": "pickup",
        "instr_kinds": "action",
        "locked_room_prob": 0.0,
        "unblocking": False,
    }
    yield of("PickupLoc", "pick up what is at a place", **one_room, **place)
    yield of("Synth", "one action", locations=False, **SYNTH)
    small = {"room_size": 5, "num_rows": 2}
    yield of("SynthS5R2", "one action, small rooms", locations=False, **small, **SYNTH)
    yield of("SynthLoc", "one action, also at a place", **SYNTH)
    yield of("SynthSeq", "actions in an order", implicit_unlock=False)
    yield of("MiniBossLevel", "four rooms", num_dists=7, locked_room_prob=0.25, **four_rooms)
    yield of("BossLevel", "everything")
    free: dict[str, Any] = {"locked_room_prob": 0.0, "implicit_unlock": False}
    yield of("BossLevelNoUnlock", "no locked rooms", **free)


BABYAI = (
    *NATIVES,
    *_go_to(),
    *_open(),
    *_pick_up(),
    *_put_next(),
    *_unlock(),
    *_generated(),
)
