"""What Python environments return is refused where it does not fit, and not bent."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium import spaces
from parallel_pool import EnvError

SPACE = spaces.Dict(
    {
        "box": spaces.Box(-9, 9, (4,), np.float32),
        "bytes": spaces.Box(0, 255, (2,), np.uint8),
        "die": spaces.Discrete(6),
        "pair": spaces.Tuple((spaces.MultiBinary(2), spaces.Box(-1, 1, (), np.float64))),
    }
)


def fine() -> dict[str, Any]:
    return {
        "box": np.zeros(4, np.float32),
        "bytes": np.zeros(2, np.uint8),
        "die": 3,
        "pair": (np.zeros(2, np.int8), 0.5),
    }


class Returning(gymnasium.Env[Any, Any]):
    observation_space = SPACE
    action_space = spaces.Discrete(2)
    answer: Any = None

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return fine(), {}

    def step(self, action: Any) -> Any:
        return self.answer or (fine(), 0.0, False, False, {})


def pool(**arguments: Any) -> Any:
    if "Returning-v0" not in gymnasium.registry:
        gymnasium.register("Returning-v0", Returning, disable_env_checker=True)
    return parallel_pool.make("gym:Returning-v0", num_envs=2, isolation="thread", **arguments)


def answers(envs: Any, obs: dict[str, Any], *rest: Any) -> Any:
    envs.reset()
    envs.set_attr("answer", [None, (fine() | obs, *(rest or (0.0, False, False)), {})])
    return envs.step(np.zeros(2, int))


@pytest.mark.parametrize(
    ("obs", "parts"),
    [
        ({"box": np.zeros(1, np.float32)}, ("observation['box']", "(1,)", "(4,)")),
        ({"box": None}, ("observation['box']", "()", "(4,)")),
        ({"box": [None] * 4}, ("observation['box']", "object", "float32")),
        ({"box": [[1], [2, 3]]}, ("observation['box']", "no array")),
        ({"box": np.array([0, np.inf, -1e300, 0])}, ("observation['box'] is -1e+300", "float32")),
        ({"box": [0.0, 3.5e38, 0.0, 0.0]}, ("observation['box'] is 3.5e+38", "float32")),
        ({"bytes": [300, 0]}, ("observation['bytes']", "300", "uint8")),
        ({"bytes": np.zeros(2)}, ("observation['bytes']", "float64", "uint8")),
        ({"die": 2.7}, ("observation['die']", "float64", "int64")),
        ({"die": [1]}, ("observation['die']", "(1,)", "()")),
        ({"pair": (np.zeros(2),)}, ("observation['pair'][0]", "float64", "int8")),
        ({"pair": (np.zeros(2, np.int8),)}, ("observation['pair']", "nothing at 1")),
        ({"pair": "no"}, ("observation['pair'][0]",)),
    ],
)
def test_finding_10_observations(obs: dict[str, Any], parts: tuple[str, ...]) -> None:
    with pool() as envs:
        with pytest.raises(EnvError) as caught:
            answers(envs, obs)
        assert set(caught.value.failures) == {1}
        for part in (*parts, "check_obs='off'"):
            assert part in caught.value.failures[1]


@pytest.mark.parametrize(
    ("rest", "part"),
    [
        ((None, False, False), "the reward is None"),
        (("1", False, False), "the reward is '1'"),
        (([1.0, 2.0], False, False), "the reward is [1.0, 2.0]"),
        ((0.0, None, False), "terminated is None"),
        ((0.0, False, 0.5), "truncated is 0.5"),
        ((0.0, 2, False), "terminated is 2"),
        ((0.0, False, np.array([1, 0])), "truncated is array([1, 0])"),
    ],
)
def test_finding_10_rewards_and_flags(rest: tuple[Any, ...], part: str) -> None:
    with pool() as envs, pytest.raises(EnvError, match="environment 1") as caught:
        answers(envs, {}, *rest)
    assert part in str(caught.value)


def test_finding_10_what_loses_nothing_is_taken() -> None:
    with pool() as envs:
        obs, reward, terminated, *_ = answers(
            envs,
            {
                "box": [1, 2, np.inf, 1e-300],
                "bytes": [7, True],
                "die": np.uint8(5),
                "pair": ([True, False], 1),
            },
            np.array([2.0]),
            np.bool_(True),
            0,
        )
    assert obs["box"][1].tolist() == [1, 2, np.inf, 0]
    assert obs["bytes"][1].tolist() == [7, 1]
    assert obs["die"][1] == 5
    assert obs["pair"][0][1].tolist() == [1, 0]
    assert (reward[1], terminated[1]) == (2.0, True)


def test_finding_10_the_old_way() -> None:
    with pool(check_obs="off") as envs:
        obs, *_ = answers(envs, {"box": np.ones(1, np.float32), "die": 2.7})
    assert obs["box"][1].tolist() == [1, 1, 1, 1]
    assert obs["die"][1] == 2
