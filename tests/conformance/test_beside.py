"""play_beside: a pool and its originals are the same, and a difference says where it is."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool.testing import Finding, play_beside


class Changed(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Another answer to one step of the second of these environments."""

    made = 0

    def __init__(self, env_id: str, change: Callable[[list[Any]], None], step: int) -> None:
        super().__init__(gymnasium.make(env_id, disable_env_checker=True))
        Changed.made += 1
        self.change, self.left = change, step if Changed.made % 2 == 0 else -1

    def step(self, action: Any) -> Any:
        answer = list(self.env.step(action))
        self.left -= 1
        if self.left == 0:
            self.change(answer)
        return tuple(answer)


def difference(env_id: str, change: Callable[[list[Any]], None], step: int = 12, **how: Any) -> str:
    Changed.made = 0
    with parallel_pool.make(env_id, num_envs=2) as pool, pytest.raises(Finding) as raised:
        play_beside(pool, lambda: Changed(env_id, change, step), seed=[7, 3], steps=20, **how)
    return str(raised.value)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_both_go_on_after_the_ends(mode: str) -> None:
    with parallel_pool.make("CartPole-v1", num_envs=3, autoreset_mode=mode) as pool:
        resets = {0: 7, 60: [1, 2, 3], 90: None}
        played = play_beside(pool, "CartPole-v1", seed=resets, steps=100, infos=None)
        assert played.step == 100
        assert (played.ended > 1).all()
        assert play_beside(pool, "CartPole-v1", episodes=2).ended.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("mode", "steps", "words"),
    [
        ("Disabled", 1, "needs batch_size=num_envs and .* 1 of 1 and 'Dis"),
        ("NextStep", 0, "a number"),
    ],
)
def test_what_it_cannot_play(mode: str, steps: int, words: str) -> None:
    with (
        parallel_pool.make("CartPole-v1", autoreset_mode=mode) as pool,
        pytest.raises(ValueError, match=words),
    ):
        play_beside(pool, "CartPole-v1", steps=steps)


def test_a_difference_brings_the_state_before_it() -> None:
    def lean(answer: list[Any]) -> None:
        answer[0] = answer[0] + np.float32([0, 0, 1, 0])

    said = difference("CartPole-v1", lean)
    words = (
        r"classic/CartPole-v1: the observation of step (\d+) with seed 3 \(row 1, episode (\d)\) is "
        r"(\[.*?\]), and the original's is (\[.*?\])\. The action was ([01]); the state .* in (\S+)"
    )
    found = re.fullmatch(words, said)
    assert found, said
    path = Path(found[6])
    with parallel_pool.make("CartPole-v1", num_envs=1) as pool:
        pool.set_state([0], [path.read_bytes()])
        shown = np.array2string(pool.step([int(found[5])])[0][0])
    path.unlink()
    assert shown == found[3] != found[4]


def put(place: int, value: Any) -> Callable[[list[Any]], None]:
    return lambda answer: answer.__setitem__(place, value(answer[place]))


@pytest.mark.parametrize(
    ("env_id", "change", "words"),
    [
        ("CartPole-v1", put(0, np.float64), r"observation of step .* \(float32\).* \(float64\)"),
        (
            "Blackjack-v1",
            put(0, lambda hand: (hand[0], 99, hand[2])),
            r"observation\[1\] of .* is 99",
        ),
        (
            "Pendulum-v1",
            put(1, lambda reward: np.nextafter(reward, 0)),
            "the reward of step 5 with seed 3",
        ),
        ("FrozenLake-v1", put(1, lambda reward: -0.0), "the reward of step"),
        ("CartPole-v1", put(2, lambda over: not over), "the terminated of step"),
        ("CartPole-v1", put(3, lambda over: not over), "the truncated of step"),
        ("Taxi-v4", put(4, lambda info: {**info, "prob": 0.5}), r"the info\['prob'\] of step 5"),
    ],
)
def test_what_is_compared(env_id: str, change: Any, words: str) -> None:
    said = difference(env_id, change, 5, infos=["prob"])
    assert re.search(words, said), said
    Path(said.split()[-1]).unlink()
