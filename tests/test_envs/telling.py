"""Environments that give the infos that they are told to, and infos that are hard to put into one result."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from test_envs.python_envs import Make


class NotThere:
    """Opens in no process but the worker."""

    def __reduce__(self) -> tuple[Any, ...]:
        return open, ("/no/such/file",)


class Unsendable:
    def __reduce__(self) -> Any:
        raise TypeError(f"{id(self)} stays here")


MADE = {"gone": NotThere, "stays": Unsendable, "itself": dict}
"""What environments put in the place of these texts."""


class Telling(gymnasium.Env[Any, Any]):
    """Counts its steps, and gives the infos that it is told to."""

    observation_space = spaces.Box(0, 999, (1,), np.float64)
    action_space = spaces.Discrete(2)
    gives: dict[Any, Any] = {}  # noqa: RUF012
    ends = False

    def __init__(self, gives: Any = None) -> None:
        self.gives = gives or {}

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.steps = 0
        return np.zeros(1), self.given()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.steps += 1
        return np.full(1, float(self.steps)), float(self.steps), self.ends, False, self.given()

    def given(self) -> dict[Any, Any]:
        given = dict(self.gives)
        for key, value in given.items():
            if isinstance(value, str) and value in MADE:
                given[key] = given if value == "itself" else MADE[value]()
        return given

    def gone(self) -> NotThere:
        return NotThere()


gymnasium.register(
    "Telling-v0", lambda **how: Telling(**how), disable_env_checker=True, order_enforce=False
)
TELLING = "gym:Telling-v0"

ODD = [
    (0, None),
    (None, 0),
    (0, "text"),
    (0, {"a": 1}),
    ({"a": 1}, 0),
    (1, 2**80),
    (2**80, 2**80),
    (2**63, -1),
    (3, "7"),
    (np.bool_(True), 3),
    (np.zeros(3), np.zeros(2)),
    (np.zeros(3), np.zeros(1)),
    (np.zeros(3), None),
    (np.zeros(2), 5),
    (np.zeros(2), "ab"),
    (np.array(["a"]), np.array([4])),
    ([1, 2], [1]),
    (np.timedelta64(3, "s"), 2.5),
    (np.timedelta64(3, "s"), 7),
    (np.timedelta64(3, "ns"), None),
    (np.array([3], "M8[ns]"), np.zeros(1)),
    (np.array([3], "M8[ns]"), np.array(["a"])),
    (None, np.array([3], "M8[ns]")),
    (np.zeros(1, [("a", int)]), np.zeros(1)),
    (np.array([b"x"]), np.array([5])),
]
"""What two environments give under one key: values that have no array in common."""


def plain(value: Any) -> Any:
    """The same without numpy, in which [3] and np.array([3]) are alike."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, (np.ndarray, np.generic)):
        times = value.dtype.kind in "mM"  # which may become integers
        return plain(value.tolist()) if not times else (value.dtype.str, str(value))
    return value


def told(make: Make, *gives: dict[Any, Any], **arguments: Any) -> Any:
    return make(TELLING, num_threads=1, env_options={"gives": list(gives)}, **arguments)
