"""Pictures are those of dm_control's physics.render, pixel by pixel. In processes of their own: OpenGL is
chosen by the environment.
"""

from __future__ import annotations

import pytest
from test_envs.opengl import drawn, needs_opengl

SCRIPT = """
import warnings
warnings.simplefilter("ignore")
import numpy as np, parallel_pool
from dmc_twin import BY_NAME, reference

def originals(name, seeds, camera=-1, visualize=False, **arguments):
    envs = [reference(BY_NAME[name], seed, **arguments) for seed in seeds]
    for env in envs:
        env.task.visualize_reward = visualize
        env.reset()
    return envs, lambda: np.stack([env.physics.render(48, 64, camera_id=camera) for env in envs])
"""

RENDERED = """
for name, camera in (("cheetah-run", -1), ("cheetah-run", 0), ("reacher-hard", 0), ("cartpole-two_poles", 1)):
    envs, pictures = originals(name, [4, 5], camera)
    arguments = {} if camera == -1 else {"camera_id": camera}
    with parallel_pool.make(f"dmc/{name}", num_envs=2, seed=4, render_mode="rgb_array",
                            width=64, height=48, **arguments) as pool:
        pool.reset()
        for step in range(3):
            assert np.array_equal(np.stack(pool.render()), pictures()), (name, camera, step)
            actions = np.full((2, *envs[0].action_spec().shape), 0.4)
            pool.step(actions)
            for env, action in zip(envs, actions):
                env.step(action)
with parallel_pool.make("dmc/cheetah-run", render_mode="rgb_array") as pool:
    pool.reset()
    assert pool.render()[0].shape == (240, 320, 3)
print("equal")
"""

OBSERVED = """
for name in ("walker-walk", "reacher-easy"):
    envs, pictures = originals(name, [4, 5], 0, time_limit=0.125 if name == "walker-walk" else 0.1)
    with parallel_pool.make_dm(f"dmc/{name}", num_envs=2, seed=4, from_pixels=True, frame_stack=2,
                               width=64, height=48, camera_id=0,
                               time_limit=0.125 if name == "walker-walk" else 0.1) as pool:
        got = pool.reset()
        for step in range(12):
            wanted = pictures().transpose(0, 3, 1, 2)
            assert np.array_equal(got.observation.pixels[:, 3:], wanted), (name, step)
            actions = np.full((2, *envs[0].action_spec().shape), 0.4)
            got = pool.step(actions)
            for env, action in zip(envs, actions):
                env.step(action)
print("equal")
"""


TERRAIN = """
(env,), pictures = originals("quadruped-escape", [4], 0)
# Which the reference leaves out: with pictures, each reset hands the new terrain to OpenGL.
del env.physics._make_rendering_contexts
size = {"width": 64, "height": 48, "camera_id": 0, "render_mode": "rgb_array"}
with parallel_pool.make("dmc/quadruped-escape", num_envs=1, seed=4, **size) as pool:
    pool.reset()
    seen = []
    for episode in range(2):
        seen.append(pool.render()[0])
        assert np.array_equal(seen[-1], pictures()[0]), episode
        pool.reset()
        env.reset()
    assert not np.array_equal(*seen)
print("equal")
"""

COLOURED = """
for name in ("cartpole-balance", "point_mass-easy"):
    envs, pictures = originals(name, [4, 5], 0, visualize=True)
    pixels = {"from_pixels": True, "width": 64, "height": 48, "camera_id": 0, "num_envs": 2, "seed": 4}
    with (
        parallel_pool.make(f"dmc/{name}", visualize_reward=True, **pixels) as pool,
        # Two that are drawn by one, of which one is coloured.
        parallel_pool.make(
            f"dmc/{name}", env_options=[{"visualize_reward": True}, {}], render_mode="rgb_array",
            width=64, height=48, camera_id=0, seed=4) as one,
    ):
        obs = pool.reset()[0]
        one.reset()
        for step in range(4):
            assert np.array_equal(obs, pictures()), (name, step)
            coloured, plain = one.render()
            assert np.array_equal(obs[0], coloured)
            # A point mass far from its target has no reward to show.
            assert name == "point_mass-easy" or not np.array_equal(obs[1], plain)
            actions = np.full((2, *envs[0].action_spec().shape), 0.4)
            obs = pool.step(actions)[0]
            one.step(actions)
            for env, action in zip(envs, actions):
                env.step(action)
print("equal")
"""


@needs_opengl
def test_render_is_dm_controls() -> None:
    assert drawn(SCRIPT + RENDERED).strip().endswith("equal")


@needs_opengl
def test_the_terrain_is_drawn_anew_in_each_episode() -> None:
    assert drawn(SCRIPT + TERRAIN).strip().endswith("equal")


@needs_opengl
def test_from_pixels_is_dm_controls_wrapper() -> None:
    """In episodes one after the other."""
    assert drawn(SCRIPT + OBSERVED).strip().endswith("equal")


@pytest.mark.slow  # full quality, drawn by the CPU
@needs_opengl
def test_colours_show_the_reward() -> None:
    assert drawn(SCRIPT + COLOURED).strip().endswith("equal")
