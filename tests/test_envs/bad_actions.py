"""Bad actions and ids, which pools, JAX programs and Ray's pools refuse alike."""

from dataclasses import dataclass, field, replace
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

N = 4
CART_POLE, PENDULUM = "CartPole-v1", "Pendulum-v1"


class Nested(gymnasium.Env[Any, Any]):
    """Takes an action of several arrays, and observes the numbers in it."""

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
    task_id: str
    action: Any
    says: str
    """Its class, a colon, and some of its words."""
    env_id: Any = None
    options: dict[str, Any] = field(default_factory=dict)
    traced: bool = True
    """Whether the fault is in shapes and dtypes, or in ids that are written in the program."""

    @property
    def arguments(self) -> dict[str, Any]:
        """Of `make`, for N environments; in Python in threads, which begin sooner than processes."""
        threads = {"isolation": "thread"} if self.task_id == NESTED else {}
        return {"num_envs": N, **threads, **self.options}


RAISE = {"out_of_bounds_action": "raise"}
CLIP = {"out_of_bounds_action": "clip", "nan_action": "clip"}

BAD = (
    # Shapes and dtypes.
    Bad(CART_POLE, 1, "ValueError: the action has shape (), expected (4,): one row for each"),
    Bad(CART_POLE, [0] * 3, "ValueError: the action has shape (3,), expected (4,): one row"),
    Bad(CART_POLE, [[0]] * N, "ValueError: shape (4, 1), expected (4,)"),
    Bad(CART_POLE, [0.0] * N, "TypeError: dtype float64, but the action space takes integers"),
    Bad(CART_POLE, [True] * N, "TypeError: dtype bool, but the action space takes integers"),
    Bad(CART_POLE, ["left"] * N, "TypeError: the action space takes integers"),
    Bad(CART_POLE, [0, None, 0, 0], "TypeError: dtype object, but the action space takes integers"),
    Bad(CART_POLE, None, "ValueError: shape (), expected (4,)"),
    Bad(CART_POLE, [[0, 1], [2]], "TypeError: the action is no array of numbers: [[0, 1], [2]]"),
    Bad(CART_POLE, np.zeros(N, complex), "TypeError: dtype complex128, but the action space takes"),
    Bad(CART_POLE, [0] * N, "ValueError: shape (4,), expected (2,)", [0, 2]),
    Bad(PENDULUM, np.zeros(N), "ValueError: shape (4,), expected (4, 1)"),
    Bad(PENDULUM, np.zeros((N, 2)), "ValueError: shape (4, 2), expected (4, 1)"),
    Bad(PENDULUM, np.zeros((N, 1), bool), "TypeError: dtype bool, but the action space takes real"),
    Bad(PENDULUM, np.zeros((N, 1), "c8"), "TypeError: complex64, but the action space takes real"),
    Bad(NESTED, 3, "ValueError: the action['arm'] is missing: the action is 3"),
    Bad(NESTED, {"arm": np.zeros((N, 2))}, "ValueError: the action['legs'][0] is missing"),
    Bad(NESTED, nested(legs=([0] * N,)), "ValueError: the action['legs'][1] is missing"),
    Bad(NESTED, nested(arm=np.zeros((N, 3))), "ValueError: ['arm'] has shape (4, 3), expected"),
    Bad(NESTED, nested(legs=(np.zeros(N), np.ones((N, 1), int))), "TypeError: ['legs'][0] has"),
    # Ids.
    Bad(CART_POLE, [0], "IndexError: env_id 4 is not in 0 .. 3", [N]),
    Bad(CART_POLE, [0], "IndexError: env_id -1 is not in 0 .. 3", -1),
    Bad(CART_POLE, [0], "IndexError: env_id 1099511627776 is not in 0 .. 3", np.array([2**40])),
    Bad(CART_POLE, [0, 0], "ValueError: env_id 1 occurs twice", [1, 1]),
    Bad(CART_POLE, [0] * 5, "ValueError: env_id 3 occurs twice", [3, 2, 1, 0, 3]),
    Bad(CART_POLE, [0], "TypeError: env_id has dtype float64, but ids are integers", [0.0]),
    Bad(CART_POLE, [0], "TypeError: env_id has dtype bool, but ids are integers", [True]),
    Bad(CART_POLE, [0], "TypeError: but ids are integers: pass an int32 array", ["a"]),
    Bad(CART_POLE, [0, 0], "ValueError: env_id has shape (1, 2), expected one dimension", [[0, 1]]),
    Bad(CART_POLE, [], "ValueError: env_id is empty: name at least one environment", []),
    # Values.
    *(
        replace(each, traced=False)
        for each in (
            Bad(CART_POLE, [0, 2, 0, 0], "ValueError: of environment 1 is 2, not in 0 .. 1"),
            Bad(CART_POLE, [0, 0, 0, -1], "ValueError: of environment 3 is -1, not in 0 .. 1"),
            Bad(CART_POLE, [0, 7], "ValueError: of environment 1 is 7", [3, 1]),
            Bad(PENDULUM, with_value(np.nan), "ValueError: environment 1 is nan, not a finite"),
            Bad(PENDULUM, with_value(-np.inf, 3), "ValueError: environment 3 is -inf, not"),
            Bad(PENDULUM, with_value(np.nan, 1, (2, 1)), "ValueError: 3 is nan", [1, 3]),
            Bad(PENDULUM, with_value(1e300), "ValueError: environment 1 is 1e+300, not a finite"),
            Bad(PENDULUM, with_value(2.5), "ValueError: is 2.5, not in -2.0 .. 2.0", None, RAISE),
            Bad(PENDULUM, with_value(np.float32(-3)), "ValueError: is -3.0, not", None, RAISE),
            Bad(PENDULUM, with_value(3), "ValueError: is 3, not in -2.0 .. 2.0", None, RAISE),
            *(
                Bad(PENDULUM, with_value(value), words, None, RAISE | {"nan_action": policy})
                for value, words, policy in (
                    (np.inf, "ValueError: is inf, not a finite number", "raise"),
                    (9.0, "ValueError: is 9.0, not in -2.0 .. 2.0", "clip"),
                    (9.0, "ValueError: is 9.0, not in -2.0 .. 2.0", "truncate"),
                )
            ),
            Bad(
                NESTED,
                nested(arm=with_value(np.nan, 2, (N, 2))),
                "ValueError: ['arm'] (element 0) of environment 2 is nan, not a finite number",
            ),
            Bad(
                NESTED,
                nested(arm=with_value([0, 1.5], 2, (N, 2))),
                "ValueError: ['arm'] (element 1) of environment 2 is 1.5, not in -1.0 .. 1.0",
                None,
                RAISE,
            ),
            Bad(
                NESTED,
                nested(legs=([0, -2, 0, 0], np.ones((N, 1), int))),
                "ValueError: the action['legs'][0] of environment 1 is -2, not in -1 .. 1",
                None,
                CLIP,
            ),
            Bad(
                NESTED,
                nested(2, legs=([0, 1], np.full((2, 1), 2))),
                "ValueError: the action['legs'][1] of environment 2 is 2, not in 0 .. 1",
                [2, 0],
            ),
        )
    ),
)


def told(call: Any, *arguments: Any) -> tuple[type[BaseException], str]:
    """The class and the message of the exception that a call raises."""
    try:
        call(*arguments)
    except Exception as error:
        return type(error), str(error)
    raise AssertionError(f"{arguments} were taken")
