"""Stable-Baselines3's CnnPolicy on pictures of the Control Suite."""

from __future__ import annotations

from test_envs.libraries import needed
from test_envs.opengl import drawn, needs_opengl

needed("stable_baselines3")


@needs_opengl
def test_a_network_for_pictures_takes_those_of_the_control_suite() -> None:
    drawn("""
import warnings
warnings.simplefilter("ignore")
from parallel_pool.integrations.sb3 import make_vec_env
from stable_baselines3 import PPO

options = {"from_pixels": True, "render_quality": "fast"}
with_channels = {1: (84, 84, 3), 3: (9, 84, 84)}  # of one picture, the policy moves them
for depth, shape in with_channels.items():
    envs = make_vec_env("dmc/walker-walk", num_envs=2, seed=0, frame_stack=depth, **options)
    assert envs.observation_space.shape == shape
    PPO("CnnPolicy", envs, n_steps=2, batch_size=4, n_epochs=1, device="cpu").learn(4)
    envs.close()
envs = make_vec_env("dmc/walker-walk", frame_stack=3, transform={"channels": None}, **options)
assert envs.observation_space.shape == (3, 84, 84, 3)
envs.close()
""")
