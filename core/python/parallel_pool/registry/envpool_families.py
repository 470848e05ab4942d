"""EnvPool's families that have no plugin: how to recognise their ids, and where their environments are.

Names of EnvPool 1.2.5. docs/migrating-from-envpool.md has the table for users.
"""

from __future__ import annotations

import re

_FAMILIES = (
    # The family, the module that registers the originals with Gymnasium ("": none), its ids without version.
    ("gfootball", "", r"gfootball/.+"),
    (
        "highway",
        "highway_env",
        r"(?i:exit|highway|intersection|lane-?keeping|merge|parking|racetrack|roundabout|two-?way|u-?turn)"
        r"(?i:-?fast|-?multi-?agent|-?actionrepeat|-?parked|-?large|-?oval)?",
    ),
    (
        "jumanji",
        "",
        r"Jumanji/.+|BinPack|(Multi)?CVRP|Cleaner|Connector|FlatPack|Game2048|GraphColoring|JobShop|Knapsack"
        r"|LevelBasedForaging|MMST|Maze|Minesweeper|PacMan|RobotWarehouse|RubiksCube.*|SearchAndRescue"
        r"|SlidingTilePuzzle|Snake|Sokoban|Sudoku.*|TSP|Tetris",
    ),
    ("metaworld", "metaworld", r"MetaWorld/.+"),
    ("myosuite", "myosuite", r"MyoSuite/.+|[Mm]yo[A-Z].*|motorFinger.*"),
    (
        "pgx",
        "",
        r"AnimalShogi|Backgammon|(Gardner)?Chess|ConnectFour|(Chinese)?Go\d+x\d+|Hex|KuhnPoker|LeducHoldem"
        r"|Othello|Play2048|Shogi|SparrowMahjong|TicTacToe",
    ),
    (
        "playground",
        "",
        r"MuJoCoPlayground/.+|(AeroCube|Aloha|Apollo|Barkour|BerkeleyHumanoid|G1|Go1|H1|LeapCube|Op3|Panda"
        r"|Spot|T1)[A-Z].*",
    ),
    (
        "procgen",
        "",
        r"(Bigfish|Bossfight|Caveflyer|Chaser|Climber|Coinrun|Dodgeball|Fruitbot|Heist|Jumper|Leaper|Maze"
        r"|Miner|Ninja|Plunder|Starpilot)(Easy|Hard|Exploration|Extreme|Memory)",
    ),
    (
        "robotics",
        "gymnasium_robotics",
        r"(AdroitHand|AntMaze|Fetch|FrankaKitchen|HandManipulate|HandReach|PointMaze).*",
    ),
)


def without_plugin(task_id: str) -> tuple[str, str] | None:
    """The family of EnvPool that has the id, and the module whose import registers the originals, or ""."""
    name = re.sub(r"-v\d+$", "", task_id)
    for family, module, pattern in _FAMILIES:
        if re.fullmatch(pattern, name):
            return family, module
    return None
