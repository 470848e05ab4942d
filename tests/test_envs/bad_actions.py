"""Bad actions and ids, which pools, JAX programs and Ray's pools refuse alike."""

from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

N = 4
CART_POLE, PENDULUM = "CartPole-v1", "Pendulum-v1"


class Nested(gymnasium.Env[Any, Any]):
    """Takes an action of several arrays, and observes the numbers in it."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012
    observation_space = spaces.Box(-np.inf, np.inf, (4,), np.float64)
    action_space = spaces.Dict(
        {
            "arm": spaces.Box(-1, 1, (2,), np.float32),
            "legs": spaces.Tuple((spaces.Discrete(3, start=-1), spaces.MultiBinary(1))),
        }
    )

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return np.zeros(4), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        left, right = action["legs"]
        return np.array([*action["arm"], left, *right], np.float64), 1.0, False, False, {}


gymnasium.register("NestedActions-v0", entry_point=f"{__name__}:Nested")
NESTED = f"gym:{__name__}:NestedActions-v0"


def nested(rows: int = N, **members: Any) -> dict[str, Any]:
    good = {"arm": np.zeros((rows, 2)), "legs": (np.zeros(rows, int), np.ones((rows, 1), bool))}
    return {**good, **members}


def with_value(value: Any, row: int = 1, shape: tuple[int, ...] = (N, 1), dtype: Any = None) -> Any:
    """Zeros, and a value in one row."""
    array = np.zeros(shape, dtype or np.asarray(value).dtype)
    array[row] = value
    return array


@dataclass(frozen=True)
class Bad:
    """A call that is refused."""

    task_id: str
    action: Any
    env_id: Any = None
    options: dict[str, Any] = field(default_factory=dict)
    traced: bool = True
    """Whether the fault is in shapes and dtypes, or in ids that are written in the program."""

    @property
    def arguments(self) -> dict[str, Any]:
        return {"num_envs": N, **self.options}


def _values(*cases: Bad) -> tuple[Bad, ...]:
    return tuple(Bad(each.task_id, each.action, each.env_id, each.options, False) for each in cases)


RAISE = {"out_of_bounds_action": "raise"}
CLIP = {"out_of_bounds_action": "clip", "nan_action": "clip"}

BAD = (
    # Shapes and dtypes.
    Bad(CART_POLE, 1),
    Bad(CART_POLE, [0] * 3),
    Bad(CART_POLE, [[0]] * N),
    Bad(CART_POLE, np.zeros((0,), int)),
    Bad(CART_POLE, [0.0] * N),
    Bad(CART_POLE, [True] * N),
    Bad(CART_POLE, ["left"] * N),
    Bad(CART_POLE, [0, None, 0, 0]),
    Bad(CART_POLE, None),
    Bad(CART_POLE, [[0, 1], [2]]),
    Bad(CART_POLE, np.zeros(N, complex)),
    Bad(CART_POLE, [0] * N, [0, 2]),
    Bad(PENDULUM, np.zeros(N)),
    Bad(PENDULUM, np.zeros((N, 2))),
    Bad(PENDULUM, np.zeros((N, 1), bool)),
    Bad(PENDULUM, np.zeros((N, 1), "c8")),
    Bad(NESTED, 3),
    Bad(NESTED, {"arm": np.zeros((N, 2))}),
    Bad(NESTED, nested(legs=([0] * N,))),
    Bad(NESTED, nested(arm=np.zeros((N, 3)))),
    Bad(NESTED, nested(legs=(np.zeros(N), np.ones((N, 1), int)))),
    # Ids.
    Bad(CART_POLE, [0], [N]),
    Bad(CART_POLE, [0], -1),
    Bad(CART_POLE, [0], np.array([2**40])),
    Bad(CART_POLE, [0, 0], [1, 1]),
    Bad(CART_POLE, [0] * 5, [3, 2, 1, 0, 3]),
    Bad(CART_POLE, [0], [0.0]),
    Bad(CART_POLE, [0], [True]),
    Bad(CART_POLE, [0], ["a"]),
    Bad(CART_POLE, [0, 0], [[0, 1]]),
    Bad(CART_POLE, [], []),
    # Values.
    *_values(
        Bad(CART_POLE, [0, 2, 0, 0]),
        Bad(CART_POLE, [0, 0, 0, -1]),
        Bad(CART_POLE, [0, 7], [3, 1]),
        Bad(PENDULUM, with_value(np.nan)),
        Bad(PENDULUM, with_value(-np.inf, 3)),
        Bad(PENDULUM, with_value(np.nan, 1, (2, 1)), [1, 3]),
        Bad(PENDULUM, with_value(1e300)),
        Bad(PENDULUM, with_value(2.5), None, RAISE),
        Bad(PENDULUM, with_value(np.float32(-3), 0), None, RAISE),
        Bad(PENDULUM, with_value(3), None, RAISE),
        Bad(PENDULUM, with_value(np.inf), None, RAISE | {"nan_action": "raise"}),
        Bad(PENDULUM, with_value(9.0), None, RAISE | {"nan_action": "clip"}),
        Bad(PENDULUM, with_value(9.0), None, RAISE | {"nan_action": "truncate"}),
        Bad(NESTED, nested(arm=with_value(np.nan, 2, (N, 2)))),
        Bad(NESTED, nested(arm=with_value([0, 1.5], 2, (N, 2))), None, RAISE),
        Bad(NESTED, nested(legs=([0, -2, 0, 0], np.ones((N, 1), int))), None, CLIP),
        Bad(NESTED, nested(2, legs=([0, 1], np.full((2, 1), 2))), [2, 0]),
    ),
)


def told(call: Any, *arguments: Any) -> tuple[type[BaseException], str]:
    """The class and the message of the exception that a call raises."""
    try:
        call(*arguments)
    except Exception as error:
        return type(error), str(error)
    raise AssertionError(f"{arguments} were taken")
