"""Pictures are those of dm_control's physics.render, pixel by pixel. In processes of their own: OpenGL is
chosen by the environment.
"""

from typing import Any

import parallel_pool
import pytest
from test_envs.opengl import drawn, needs_opengl

SCRIPT = """
import warnings
warnings.simplefilter("ignore")
import numpy as np, parallel_pool
from dmc_originals import BY_NAME, reference

def original(name, seed, fast, **arguments):
    "dm_control's task and the arguments of its pictures, in full quality or as our fast ones."
    env = reference(BY_NAME[name], seed, **arguments)
    if not fast:
        return env, {}
    quality = env.physics.model.vis.quality
    quality.shadowsize = quality.offsamples = 0
    return env, {"render_flag_overrides": {"shadow": False, "reflection": False}}

def originals(name, seeds, camera=-1, visualize=False, fast=True, **arguments):
    both = [original(name, seed, fast, **arguments) for seed in seeds]
    for env, _ in both:
        env.task.visualize_reward = visualize
        env.reset()
    return [env for env, _ in both], lambda: np.stack(
        [env.physics.render(48, 64, camera_id=camera, **looks) for env, looks in both])
"""

RENDERED = """
for name, camera in CASES:
    full = name == "reacher-hard"
    envs, pictures = originals(name, [4, 5], camera, fast=not full)
    arguments = {} if camera == -1 else {"camera_id": camera}
    with parallel_pool.make(f"dmc/{name}", num_envs=2, seed=4, render_mode="rgb_array",
                            render_quality="full" if full else "fast",
                            width=64, height=48, **arguments) as pool:
        pool.reset()
        for step in range(3):
            assert np.array_equal(np.stack(pool.render()), pictures()), (name, camera, step)
            actions = np.full((2, *envs[0].action_spec().shape), 0.4)
            pool.step(actions)
            for env, action in zip(envs, actions):
                env.step(action)
with parallel_pool.make("dmc/cheetah-run", render_mode="rgb_array", render_quality="fast") as pool:
    pool.reset()
    assert pool.render()[0].shape == (240, 320, 3)
"""

WRAPPED = """
from dm_control.suite.wrappers import pixels
from dmc_originals import control_timestep

size = {"width": 40, "height": 32, "camera_id": 0}
limit = 3 * control_timestep("reacher-easy")
for only, key in ((True, "pixels"), (False, "camera")):
    env, looks = original("reacher-easy", 4, True, time_limit=limit)
    looks = {"render_kwargs": {**size, **looks}, "pixels_only": only, "observation_key": key}
    env = pixels.Wrapper(env, **looks)
    named = {} if only else {"pixels_only": False, "observation_key": key}
    with parallel_pool.make("dmc/reacher-easy", seed=4, from_pixels=True, render_quality="fast",
                            time_limit=limit, **size, **named) as pool:
        obs, wanted = pool.reset()[0], env.reset().observation
        for step in range(6):
            seen = {key: obs} if only else obs
            assert sorted(seen) == sorted(wanted), step
            for each, value in wanted.items():
                assert np.array_equal(seen[each][0], value), (each, step)
            action = np.full((1, 2), 0.4 - 0.1 * step)
            obs, wanted = pool.step(action)[0], env.step(action[0]).observation
with parallel_pool.make("dmc/hopper-hop", seed=1, from_pixels=True, pixels_only=False, flatten=True,
                        obs_dtype="float32", render_quality="fast") as pool:
    obs = pool.reset()[0]
    assert list(pool.single_observation_space) == ["pixels", "state"]
    with parallel_pool.make("dmc/hopper-hop", seed=1, flatten=True, obs_dtype="float32") as plain:
        assert np.array_equal(obs["state"], plain.reset()[0])
"""


TERRAIN = """
(env,), pictures = originals("quadruped-escape", [4], 0)
# Which the reference leaves out: with pictures, each reset hands the new terrain to OpenGL.
del env.physics._make_rendering_contexts
size = {"width": 64, "height": 48, "camera_id": 0, "render_mode": "rgb_array", "render_quality": "fast"}
with parallel_pool.make("dmc/quadruped-escape", num_envs=1, seed=4, **size) as pool:
    pool.reset()
    seen = []
    for episode in range(2):
        seen.append(pool.render()[0])
        assert np.array_equal(seen[-1], pictures()[0]), episode
        pool.reset()
        env.reset()
    assert not np.array_equal(*seen)
"""

COLOURED = """
for name in ("cartpole-balance", "point_mass-easy"):
    envs, pictures = originals(name, [4, 5], 0, visualize=True, fast=False)
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
"""


@needs_opengl
@pytest.mark.parametrize(
    "cases",
    [
        [("cheetah-run", -1), ("reacher-hard", 0)],
        pytest.param([("cheetah-run", 0), ("cartpole-two_poles", 1)], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_render_is_dm_controls(cases: list[tuple[str, int]]) -> None:
    drawn(f"CASES = {cases}{SCRIPT}{RENDERED}")


@needs_opengl
def test_the_terrain_is_drawn_anew_in_each_episode() -> None:
    drawn(SCRIPT + TERRAIN)


@needs_opengl
def test_from_pixels_is_dm_controls_wrapper() -> None:
    """Alone and beside the task's own observation. Views and stacks are tested with the tasks of Gymnasium."""
    drawn(SCRIPT + WRAPPED)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"from_pixels": True, "observation_key": "velocity"}, "'velocity', which the task itself"),
        ({"from_pixels": True, "observation_key": "a/b"}, "'a/b', expected a name without a slash"),
        ({"from_pixels": True, "observation_key": ""}, "'', expected a name"),
        ({}, "pixels_only=False is about the pictures of from_pixels=True"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(parallel_pool.OptionError, match=message):
        parallel_pool.make("dmc/cheetah-run", pixels_only=False, **options)


@pytest.mark.slow  # full quality, drawn by the CPU
@needs_opengl
def test_colours_show_the_reward() -> None:
    drawn(SCRIPT + COLOURED)
