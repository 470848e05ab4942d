"""Stable-Baselines3's MultiInputPolicy takes MiniGrid as it is: small images, a direction, words."""

import numpy as np
import parallel_pool
import pytest
from gymnasium import spaces
from test_envs.checks import refused
from test_envs.libraries import needed

needed("stable_baselines3")
pytest.importorskip("parallel_pool_minigrid")

from parallel_pool_learning.sb3 import SB3VecEnv, make_vec_env  # noqa: E402
from parallel_pool_learning.sb3_spaces import for_networks  # noqa: E402
from stable_baselines3 import PPO  # noqa: E402

TASK = "MiniGrid-Empty-5x5-v0"


def test_observations_are_the_pools_with_images_as_vectors() -> None:
    envs = make_vec_env(TASK, 3, max_steps=5)
    pool = parallel_pool.make(
        TASK, num_envs=3, max_steps=5, mission="words", autoreset_mode="SameStep"
    )
    envs.seed(4)
    seen, (expected, _) = envs.reset(), pool.reset(seed=4)
    for _ in range(7):
        assert envs.observation_space.contains({name: each[0] for name, each in seen.items()})
        assert np.array_equal(seen["image"], expected["image"].reshape(3, 147))
        for name in ("direction", "mission"):
            assert np.array_equal(seen[name], expected[name])
        seen, _, done, infos = envs.step(np.full(3, 2))
        expected, *_, info = pool.step(np.full(3, 2))
        if done.all():
            last = infos[1]["terminal_observation"]
            assert envs.observation_space.contains(last)
            assert np.array_equal(last["image"], info["final_obs"][1]["image"].reshape(-1))
            return
    pytest.fail("no episode ended")


@pytest.mark.training
def test_it_finds_the_goal() -> None:
    envs = make_vec_env(TASK, 16, seed=1)
    model = PPO("MultiInputPolicy", envs, n_steps=64, batch_size=256, seed=1, device="cpu")
    model.learn(20_000)
    assert np.mean([episode["r"] for episode in model.ep_info_buffer]) > 0.85
    envs.close()


def test_the_user_decides() -> None:
    with parallel_pool.make(TASK, num_envs=2, mission="words", autoreset_mode="SameStep") as pool:
        kept = SB3VecEnv(pool, flatten_small=False)
        assert kept.observation_space["image"] == pool.single_observation_space["image"]
        assert kept.reset()["image"].shape == (2, 7, 7, 3)
    assert make_vec_env(TASK, 2, mission="bytes").reset()["mission"].shape == (2, 96)
    assert make_vec_env(TASK, 2, texts="bytes").reset()["mission"].shape == (2, 96)
    with refused(parallel_pool.OptionError, "'mission' is a text"):
        make_vec_env(TASK, 2, mission="text")


def test_only_what_the_convolutions_refuse_becomes_a_vector() -> None:
    picture = spaces.Box(0, 255, (36, 40, 3), np.uint8)
    small = spaces.Box(0, 255, (3, 35, 84), np.uint8)
    others = {
        "bits": spaces.MultiBinary((4, 4, 2)),
        "floats": spaces.Box(0, 255, (7, 7, 3), np.float32),
        "picture": picture,
        "words": spaces.MultiDiscrete([200, 200], dtype=np.uint8),
    }
    space, convert = for_networks(spaces.Dict({**others, "small": small}), flatten_small=True)
    assert space["small"] == spaces.Box(0, 255, (3 * 35 * 84,), np.uint8)
    assert {name: space[name] for name in others if name != "words"} == {
        name: each for name, each in others.items() if name != "words"
    }
    assert sum(space["words"].nvec) == 400
    assert convert({"small": np.zeros((2, 3, 35, 84))}, 1)["small"].shape == (2, 3 * 35 * 84)
    for whole in (small, spaces.Discrete(3)):
        assert for_networks(whole, flatten_small=True)[0] is whole
