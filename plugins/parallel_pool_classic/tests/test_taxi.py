"""Taxi is Gymnasium's, draw for draw: rain, fickle passengers, and the rain of before."""

import hashlib
import json
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.testing import Play
from test_envs.originals import Beside


def taxi_driver(play: Play) -> Any:
    """Serves where it can and wanders else, so that passengers get in and out."""
    draw, state, n = play.draw, play.obs, len(play.obs)
    row, column, passenger, destination = state // 100, state // 20 % 5, state // 4 % 5, state % 4
    stands = np.array([[0, 0], [0, 4], [4, 0], [4, 3]])
    here = (stands[:, None] == np.stack([row, column], 1)).all(2)  # stand, env
    each = np.arange(n)
    pick = (passenger < 4) & here[np.minimum(passenger, 3), each]
    drop = (passenger == 4) & (here[destination, each] | (here.any(0) & (draw.random(n) < 0.2)))
    goal = stands[np.where(passenger < 4, passenger, destination)]
    vertical = np.where(row < goal[:, 0], 0, 1)
    sideways = np.where(column < goal[:, 1], 2, 3)
    across = (row == goal[:, 0]) | ((row == 2) & (column != goal[:, 1]))
    to_middle = np.where(row < 2, 0, 1)
    away = (column != goal[:, 1]) & (row != 2)
    move = np.where(across, sideways, np.where(away, to_middle, vertical))
    move = np.where(draw.random(n) < 0.1, play.sample(), move)
    return np.where(pick, 4, np.where(drop, 5, move))


TAXI_KEYS = ("prob", "action_mask")

RAINY_AND_FICKLE = {"is_rainy": True, "fickle_passenger": True}


@pytest.mark.parametrize(
    ("options", "num_envs"),
    [
        ({}, 100),
        ({"is_rainy": True}, 10),
        ({"fickle_passenger": True}, 10),
        (RAINY_AND_FICKLE, 100),
        ({**RAINY_AND_FICKLE, "fickle_probability": 0.9}, 10),
        ({**RAINY_AND_FICKLE, "rainy_probability": 0.37}, 10),
    ],
    ids=str,
)
def test_taxi(options: dict[str, Any], num_envs: int, beside: Beside) -> None:
    steps = 120 if num_envs == 100 else 201
    how = {"infos": TAXI_KEYS, **options}
    played = beside("Taxi-v4", "Taxi-v4", taxi_driver, num_envs=num_envs, steps=steps, **how)
    assert played.ended.sum() >= num_envs
    beside("Taxi-v4", "Taxi-v4", num_envs=5, steps=201, **how)


def test_taxi_v3_without_rain_is_taxi_v4(beside: Beside) -> None:
    """All but the rain was the same in Gymnasium 1.2.3."""
    how = {"infos": TAXI_KEYS, "fickle_passenger": True}
    beside("Taxi-v3", "Taxi-v4", taxi_driver, num_envs=10, steps=100, **how)


@pytest.mark.parametrize(
    ("options", "digest"),
    [({"is_rainy": True}, "0722a7ac26f269d4"), (RAINY_AND_FICKLE, "357fd667bb1e6480")],
    ids=str,
)
def test_the_old_rain(options: dict[str, Any], digest: str) -> None:
    """The digests are of Gymnasium 1.2.3's TaxiEnv, driven in the same way."""
    actions = np.random.default_rng(5).integers(0, 6, (40, 150))
    rows: list[Any] = []
    with parallel_pool.make("Taxi-v3", autoreset_mode="Disabled", **options) as envs:

        def keep(obs: Any, reward: float, terminated: bool, info: dict[str, Any]) -> None:
            mask = [int(each) for each in info["action_mask"][0]]
            rows.append((int(obs[0]), reward, int(terminated), float(info["prob"][0]), mask))

        for seed in range(40):
            obs, info = envs.reset(seed=seed)
            keep(obs, 0.0, False, info)
            for action in actions[seed]:
                obs, reward, terminated, _, info = envs.step([action])
                keep(obs, float(reward[0]), terminated[0], info)
                if terminated[0]:
                    envs.reset()
    assert hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16] == digest
