"""MiniGrid's tasks, as data."""

from collections.abc import Iterator
from typing import Any

from parallel_pool.plugin_api import EnvSpec

from parallel_pool_minigrid._listing import native, preset

EMPTY = native("Empty", "Reach the goal in an empty room")
DOOR_KEY = native("DoorKey", "Open a door with a key and reach the goal")
FOUR_ROOMS = native("FourRooms", "Find the goal in four rooms")
DIST_SHIFT = native("DistShift", "Pass two strips of lava")
LAVA_GAP = native("LavaGap", "Pass through a gap in a strip of lava")
CROSSING = native("Crossing", "Cross rivers to the goal")
OBSTACLES = native("DynamicObstacles", "Reach the goal past balls that move")
MULTI_ROOM = native("MultiRoom", "Cross a row of rooms to the goal")
FETCH = native("Fetch", "Pick up the object of the mission")
GO_TO_DOOR = native("GoToDoor", "Stop at the door of a colour")
GO_TO_OBJECT = native("GoToObject", "Stop at an object")
PUT_NEAR = native("PutNear", "Put an object near another")
LOCKED_ROOM = native("LockedRoom", "Find the key of the locked room, in which the goal is")
MEMORY = native("Memory", "Go to the object that was shown at the start")
PLAYGROUND = native("Playground", "Nine rooms with objects and no mission")
RED_BLUE_DOORS = native("RedBlueDoors", "Open the red door, then the blue one")
UNLOCK = native("Unlock", "Open a locked door")
UNLOCK_PICKUP = native("UnlockPickup", "Pick up the box behind a locked door")
BLOCKED = native("BlockedUnlockPickup", "Pick up the box behind a locked door that a ball blocks")
KEY_CORRIDOR = native("KeyCorridor", "Find the key of a room and pick up the ball in it")
MAZE = native("ObstructedMaze", "Pick up the blue ball in a maze of locked doors")

NATIVES = (
    *(EMPTY, DOOR_KEY, FOUR_ROOMS, DIST_SHIFT, LAVA_GAP, CROSSING, OBSTACLES, MULTI_ROOM, FETCH),
    *(GO_TO_DOOR, GO_TO_OBJECT, PUT_NEAR, LOCKED_ROOM, MEMORY, PLAYGROUND, RED_BLUE_DOORS),
    *(UNLOCK, UNLOCK_PICKUP, BLOCKED, KEY_CORRIDOR, MAZE),
)

NO_WFC = (
    "the wheel of minigrid 3.2.0 lacks the pattern pictures from which these mazes are made, so it "
    "cannot make this environment either; for a maze of rooms, use 'minigrid/MiniGrid-FourRooms-v0'"
)
WFC = ("MazeSimple", "DungeonMazeScaled", "RoomsFabric", "ObstaclesBlackdots", "ObstaclesAngular")


def _presets() -> Iterator[EnvSpec]:
    def of(env: EnvSpec, name: str, detail: str = "", **options: Any) -> EnvSpec:
        return preset(f"MiniGrid-{name}", env, detail, **options)

    for n in (5, 6, 8, 16):
        yield of(EMPTY, f"Empty-{n}x{n}-v0", f"{n} x {n}", size=n)
        yield of(DOOR_KEY, f"DoorKey-{n}x{n}-v0", f"{n} x {n}", size=n)
    for n in (5, 6):
        detail = f"{n} x {n}, from a random place"
        yield of(EMPTY, f"Empty-Random-{n}x{n}-v0", detail, size=n, random_start=True)
    for n, row in ((1, 2), (2, 5)):
        yield of(DIST_SHIFT, f"DistShift{n}-v0", f"the second in row {row}", strip2_row=row)
    for n in (5, 6, 7):
        yield of(LAVA_GAP, f"LavaGapS{n}-v0", f"{n} x {n}", size=n)
    for size, n in ((9, 1), (9, 2), (9, 3), (11, 5)):
        sized: dict[str, Any] = {"size": size, "num_crossings": n}
        detail = f"{n} of lava" if n > 1 else "one of lava"
        yield of(CROSSING, f"LavaCrossingS{size}N{n}-v0", detail, **sized)
        detail = f"{n} walls" if n > 1 else "a wall"
        yield of(CROSSING, f"SimpleCrossingS{size}N{n}-v0", detail, lava=False, **sized)
    for size, n in ((5, 2), (6, 3), (8, 4), (16, 8)):
        sized = {"size": size, "n_obstacles": n}
        yield of(
            OBSTACLES, f"Dynamic-Obstacles-{size}x{size}-v0", f"{n} in {size} x {size}", **sized
        )
        if size < 8:
            detail = f"{n} in {size} x {size}, from a random place"
            name = f"Dynamic-Obstacles-Random-{size}x{size}-v0"
            yield of(OBSTACLES, name, detail, random_start=True, **sized)
    for name, n, size in (
        ("N2-S4-v0", 2, 4),
        ("N4-S5-v0", 6, 5),
        ("N4-S5-v1", 4, 5),
        ("N6-v0", 6, 10),
    ):
        rooms = {"min_rooms": n, "max_rooms": n, "max_room_size": size}
        yield of(MULTI_ROOM, f"MultiRoom-{name}", f"{n} of at most {size} x {size}", **rooms)
    for size, n in ((5, 2), (6, 2), (8, 3)):
        detail = f"{n} objects in {size} x {size}"
        yield of(FETCH, f"Fetch-{size}x{size}-N{n}-v0", detail, size=size, num_objs=n)
    for n in (5, 6, 8):
        yield of(GO_TO_DOOR, f"GoToDoor-{n}x{n}-v0", f"{n} x {n}", size=n)
    for n in (6, 8):
        detail = f"two objects in {n} x {n}"
        yield of(GO_TO_OBJECT, f"GoToObject-{n}x{n}-N2-v0", detail, size=n, num_objs=2)
        yield of(RED_BLUE_DOORS, f"RedBlueDoors-{n}x{n}-v0", f"{2 * n} x {n}", size=n)
    for size, n in ((6, 2), (8, 3)):
        detail = f"{n} objects in {size} x {size}"
        yield of(PUT_NEAR, f"PutNear-{size}x{size}-N{n}-v0", detail, size=size, num_objs=n)
    for size in (7, 9, 11, 13):
        yield of(MEMORY, f"MemoryS{size}-v0", f"{size} x {size}", size=size)
    for size in (13, 17):
        detail = f"{size} x {size}, of random length"
        yield of(MEMORY, f"MemoryS{size}Random-v0", detail, size=size, random_length=True)
    for size, rows in ((3, 1), (3, 2), (3, 3), (4, 3), (5, 3), (6, 3)):
        sized = {"room_size": size, "num_rows": rows}
        detail = f"rooms of {size} x {size}, {rows} rows"
        yield of(KEY_CORRIDOR, f"KeyCorridorS{size}R{rows}-v0", detail, **sized)
    for env, name in (
        (FOUR_ROOMS, "FourRooms"),
        (LOCKED_ROOM, "LockedRoom"),
        (PLAYGROUND, "Playground"),
        (UNLOCK, "Unlock"),
        (UNLOCK_PICKUP, "UnlockPickup"),
        (BLOCKED, "BlockedUnlockPickup"),
    ):
        yield of(env, f"{name}-v0")
    yield from _mazes(of)


def _mazes(of: Any) -> Iterator[EnvSpec]:
    """The letters of things that are hidden: l locked doors, h keys in boxes, b balls in front of doors."""
    hidden: dict[str, dict[str, Any]] = {
        "l": {"key_in_box": False, "blocked": False},
        "lh": {"key_in_box": True, "blocked": False},
        "lhb": {"key_in_box": True, "blocked": True},
    }
    for letters, how in hidden.items():
        detail = {"l": "", "lh": "keys in boxes", "lhb": "keys in boxes, balls in the way"}[letters]
        one = {"one_door": True, "keys_last": False, **how}
        yield of(
            MAZE,
            f"ObstructedMaze-1D{letters}-v0",
            ", ".join(filter(None, ("one door", detail))),
            **one,
        )
        two = {"num_quarters": 1, "num_rooms_visited": 4, "agent_column": 2, **how}
        for version in (0, 1) if letters == "lhb" else (0,):
            text = ", ".join(filter(None, ("two doors", detail)))
            name = f"ObstructedMaze-2D{letters}-v{version}"
            yield of(MAZE, name, text, keys_last=version == 1, **two)
    for part, text, quarters, rooms, column in (
        ("1Q", "a quarter of the maze", 1, 5, 1),
        ("2Q", "half of the maze", 2, 11, 2),
        ("Full", "the whole maze", 4, 25, 1),
    ):
        place = {"num_quarters": quarters, "num_rooms_visited": rooms, "agent_column": column}
        for version in (0, 1):
            name = f"ObstructedMaze-{part}-v{version}"
            yield of(MAZE, name, text, keys_last=version == 1, **place, **hidden["lhb"])


MINIGRID = (
    *NATIVES,
    *_presets(),
    *(
        EnvSpec(f"minigrid/MiniGrid-WFC-{name}-v0", summary="A maze", removed=NO_WFC)
        for name in (*WFC, "ObstaclesHogs3")
    ),
)
