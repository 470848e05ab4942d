"""Pictures are those of dm_control's physics.render, pixel by pixel. In processes of their own: OpenGL is
chosen by the environment.
"""

import pytest
from test_envs.opengl import drawn, needs_opengl

SCRIPT = """
import warnings
warnings.simplefilter("ignore")
from functools import partial
import numpy as np, parallel_pool
from dmc_originals import BY_NAME, OfDmControl, observed, reference
from parallel_pool.testing import play_beside

SIZE = {"width": 64, "height": 48}

def looks_of(env, fast):
    "The arguments of pictures, in full quality or as our fast ones."
    if not fast:
        return {}
    quality = env.physics.model.vis.quality
    quality.shadowsize = quality.offsamples = 0
    return {"render_flag_overrides": {"shadow": False, "reflection": False}}

def pictures(play, camera, fast=True):
    envs = [each.bare for each in play.originals]
    return np.stack([env.physics.render(48, 64, camera_id=camera, **looks_of(env, fast)) for env in envs])
"""

RENDERED = """
for name, camera in CASES:
    fast = name != "reacher-hard"

    def act(play):
        wanted = pictures(play, camera, fast)
        assert np.array_equal(np.stack(play.pool.render()), wanted), (name, camera, play.step)
        return np.full(play.pool.action_space.shape, 0.4)

    arguments = {} if camera == -1 else {"camera_id": camera}
    with parallel_pool.make(f"dmc/{name}", num_envs=2, render_mode="rgb_array",
                            render_quality="fast" if fast else "full", **SIZE, **arguments) as pool:
        play_beside(pool, partial(OfDmControl, name), act, seed=4, steps=3)
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
    env = reference(BY_NAME["reacher-easy"], 4, time_limit=limit)
    looks = {"render_kwargs": {**size, **looks_of(env, True)}, "pixels_only": only, "observation_key": key}
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
seen = []

def act(play):
    if play.step == 0:
        # Which the reference leaves out: with pictures, each reset hands the new terrain to OpenGL.
        del play.originals[0].bare.physics._make_rendering_contexts
    seen.append(play.pool.render()[0])
    assert np.array_equal(seen[-1], pictures(play, 0)[0]), play.step
    return play.sample()

with parallel_pool.make("dmc/quadruped-escape", render_mode="rgb_array", render_quality="fast", camera_id=0,
                        **SIZE) as pool:
    play_beside(pool, partial(OfDmControl, "quadruped-escape"), act, seed={0: 4, 1: None}, steps=2)
    assert not np.array_equal(*seen)
"""

COLOURED = """
class Coloured(OfDmControl):
    def reset(self, *, seed=None, options=None):
        self.bare = reference(self._task, seed)
        self.bare.task.visualize_reward = True  # before the reset, which sets colours too
        return observed(self.bare.reset()), {}

size = {"camera_id": 0, **SIZE}
for name in ("cartpole-balance", "point_mass-easy"):
    def act(play):
        obs = play.obs["pixels"]
        assert np.array_equal(obs, pictures(play, 0, fast=False)), (name, play.step)
        coloured, plain = one.render()
        assert np.array_equal(obs[0], coloured)
        # A point mass far from its target has no reward to show.
        assert name == "point_mass-easy" or not np.array_equal(obs[1], plain)
        actions = np.full(play.pool.action_space.shape, 0.4)
        one.step(actions)
        return actions

    with (
        parallel_pool.make(f"dmc/{name}", num_envs=2, visualize_reward=True, from_pixels=True,
                           pixels_only=False, **size) as pool,
        # Two that are drawn by one, of which one is coloured.
        parallel_pool.make(f"dmc/{name}", env_options=[{"visualize_reward": True}, {}], seed=4,
                           render_mode="rgb_array", **size) as one,
    ):
        one.reset()
        play_beside(pool, partial(Coloured, name), act, seed=4, steps=4)
"""


@needs_opengl
def test_render_and_from_pixels_are_dm_controls() -> None:
    """With its terrain, new in each episode, and its wrapper, alone and beside the task's own observation.

    Views and stacks are tested with the tasks of Gymnasium.
    """
    cases = [("cheetah-run", -1), ("reacher-hard", 0)]
    drawn(f"CASES = {cases}{SCRIPT}{RENDERED}{TERRAIN}{WRAPPED}")


@pytest.mark.slow
@needs_opengl
def test_other_cameras() -> None:
    drawn(f"CASES = {[('cheetah-run', 0), ('cartpole-two_poles', 1)]}{SCRIPT}{RENDERED}")


@pytest.mark.slow  # full quality, drawn by the CPU
@needs_opengl
def test_colours_show_the_reward() -> None:
    drawn(SCRIPT + COLOURED)
