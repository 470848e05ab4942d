"""Stable-Baselines3's networks, and torch's, take pictures of the Control Suite and MiniGrid's images."""

import pytest
from test_envs.libraries import needed
from test_envs.opengl import drawn, needs_opengl

needed("stable_baselines3")


@needs_opengl
def test_a_network_for_pictures_takes_those_of_the_control_suite() -> None:
    drawn("""
import warnings
warnings.simplefilter("ignore")
from parallel_pool_learning.sb3 import make_vec_env
from stable_baselines3 import PPO

options = {"from_pixels": True, "render_quality": "fast"}
with_channels = {1: (84, 84, 3), 3: (9, 84, 84)}  # of one picture, the policy moves them
for depth, shape in with_channels.items():
    envs = make_vec_env("dmc/walker-walk", num_envs=2, seed=0, frame_stack=depth, **options)
    assert envs.observation_space.shape == shape
    PPO("CnnPolicy", envs, n_steps=2, batch_size=4, n_epochs=1, device="cpu").learn(4)
    envs.close()
import parallel_pool, torch
first = torch.nn.Conv2d(9, 4, 8)
for view in ("gymnasium", "gym", "dm"):
    with parallel_pool.make(
        *("dmc/walker-walk", view), num_envs=2, frame_stack=3, output="torch",
        transform={"channels": "first"}, **options,
    ) as envs:
        given = envs.reset()
        obs = given.observation if view == "dm" else given[0] if view == "gymnasium" else given
        obs = getattr(obs, "obs", obs[0] if isinstance(obs, tuple) else obs)
        assert first(obs.float()).shape == (2, 4, 77, 77), (view, obs.shape)
envs = make_vec_env("dmc/walker-walk", frame_stack=3, transform={"channels": None}, **options)
assert envs.observation_space.shape == (3, 84, 84, 3)
envs.close()
""")


def test_the_image_of_a_grid_alone() -> None:
    """As docs/libraries.md and docs/minigrid.md say."""
    pytest.importorskip("parallel_pool_minigrid")
    from parallel_pool_learning.sb3 import make_vec_env
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecExtractDictObs

    envs = make_vec_env("MiniGrid-DoorKey-8x8-v0", num_envs=2, mission="words")
    images = VecExtractDictObs(envs, "image")
    PPO("MlpPolicy", images, n_steps=4, batch_size=8, n_epochs=1, device="cpu").learn(8)
    images.close()
