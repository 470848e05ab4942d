"""Observations that are pictures are those that Gymnasium draws of the same states, in every view."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError
from test_envs.opengl import drawn, needs_opengl
from test_envs.programs import python


@needs_opengl
def test_pictures_are_gymnasiums() -> None:
    """With shadows and all, of tasks with a camera and without."""
    drawn("""
from pixel_twin import compare
for task_id in ("Hopper-v5", "Reacher-v5", "InvertedDoublePendulum-v4"):
    compare(task_id)
""")


@needs_opengl
@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
@pytest.mark.parametrize(
    "runs",
    [
        [("NextStep", 1), ("SameStep", 3)],
        pytest.param([("NextStep", 3), ("SameStep", 1)], marks=pytest.mark.slow),
    ],
    ids=["", "the rest"],
)
def test_episodes_and_stacks_in_every_view(env_type: str, runs: list[tuple[str, int]]) -> None:
    drawn(f"""
from pixel_twin import compare
for mode, depth in {runs}:
    compare("Ant-v5", steps=9, depth=depth, mode=mode, env_type={env_type!r}, fast=True,
            max_episode_steps=4)
""")


@needs_opengl
def test_pictures_beside_observations_are_gymnasiums_wrapper() -> None:
    """AddRenderObservation with render_only=False, last observations too; and stacks of both."""
    drawn("""
import numpy as np
import parallel_pool
from gymnasium.wrappers import AddRenderObservation
from pixel_twin import SIZE, Original

original = Original("Hopper-v5", fast=True)
original.reset()  # its viewer draws fast from now on
options = {"seed": 4, "from_pixels": True, "pixels_only": False, "render_quality": "fast",
           "autoreset_mode": "SameStep", **SIZE}
for key in ("pixels", "camera"):
    env = AddRenderObservation(original.env, render_only=False, render_key=key)
    with (parallel_pool.make("Hopper-v5", observation_key=key, **options) as pool,
          parallel_pool.make("Hopper-v5", "dm", observation_key=key, frame_stack=2, **options) as dm):
        assert pool.single_observation_space == env.observation_space

        def same(seen, wanted):
            assert set(seen) == set(wanted) == {"state", key}
            for each, value in wanted.items():
                assert seen[each][0].dtype == value.dtype and np.array_equal(seen[each][0], value)

        wanted, _ = env.reset(seed=4)
        same(pool.reset()[0], wanted)
        dm.reset()
        action, ended = np.full((1, 3), 0.9, np.float32), False
        while not ended:
            before = wanted
            wanted, _, ended, _, _ = env.step(action[0])
            obs, _, _, _, info = pool.step(action)
            step = dm.step(action)
            stack = step.observation.final_obs if ended else step.observation.obs
            same(info["final_obs_dense"] if ended else obs, wanted)
            assert np.array_equal(stack["state"][0], np.stack([before["state"], wanted["state"]]))
            assert np.array_equal(stack[key][0, 3:], wanted[key].transpose(2, 0, 1))
        same(obs, env.reset()[0])
""")


@needs_opengl
def test_gymnasiums_arguments_of_pictures() -> None:
    """Every one of them, by its own name, against the same argument there."""
    drawn("""
from functools import partial
import mujoco
import numpy as np
import pixel_twin
from pixel_twin import RENDER_SIZE, SIZE

compare = partial(pixel_twin.compare, fast=True, lanes=1, steps=1)
config = {"trackbodyid": 1, "distance": 2.5, "lookat": np.array([0.0, 0, 1]), "elevation": -10}
compare("Hopper-v5", default_camera_config=config)
compare("Pusher-v5", default_camera_config={"distance": 2.5, "azimuth": 30.0})
for camera in ({"camera_id": 0}, {"camera_id": -1}, {"camera_name": "track"}, {"camera_id": None}):
    compare("Hopper-v5", **camera)
compare("Ant-v5", max_geom=5)
flags = mujoco.mjtVisFlag
for flag in (flags.mjVIS_CONVEXHULL, flags.mjVIS_INERTIA, flags.mjVIS_COM):
    compare("Ant-v5", visual_options={int(flag): True})
compare("Ant-v5", visual_options={int(flags.mjVIS_TEXTURE): False}, width=24, height=56)
compare("Ant-v5", pool_options=RENDER_SIZE)
""")


@needs_opengl
def test_render_takes_the_same_arguments() -> None:
    drawn("""
import numpy as np
import parallel_pool
from pixel_twin import SIZE, Original

arguments = {**SIZE, "camera_id": -1, "max_geom": 9, "default_camera_config": {"distance": 2.0},
             "visual_options": {1: False}}
originals = [Original("Hopper-v5", fast=True, **arguments) for _ in range(2)]
with parallel_pool.make("Hopper-v5", num_envs=2, seed=4, render_mode="rgb_array",
                        render_quality="fast", **arguments) as pool:
    pool.reset()
    for lane, each in enumerate(originals):
        assert np.array_equal(pool.render()[lane], each.reset(seed=4 + lane)), lane
    again = parallel_pool.make(**pool.config)
    again.reset()
    assert np.array_equal(pool.render(), again.render())
    again.close()
for each in originals:
    each.env.close()
""")


@needs_opengl
def test_asynchronous_pools_see_each_environment_as_it_was() -> None:
    """Whatever the order: rows are those of a pool that waits for all."""
    drawn("""
import numpy as np
import parallel_pool

options = {"num_envs": 6, "num_threads": 2, "seed": 1, "from_pixels": True, "frame_stack": 2,
           "render_quality": "fast", "width": 24, "height": 24, "max_episode_steps": 5}
for env_type in ("gymnasium", "gym", "dm"):
    with (parallel_pool.make("Hopper-v5", env_type, **options) as sync,
          parallel_pool.make("Hopper-v5", env_type, batch_size=2, **options) as some):
        def rows(result):
            if env_type == "dm":
                return result.observation.env_id, result.observation.pixels
            return result[-1]["env_id"], result[0]
        wanted = {env: [] for env in range(6)}
        first = sync.reset()
        if env_type == "gym":
            for env, obs in enumerate(first):
                wanted[env].append(obs)
        else:
            for env, obs in zip(*rows(first)):
                wanted[int(env)].append(obs)
        for _ in range(12):
            for env, obs in zip(*rows(sync.step(np.full((6, 3), 0.3)))):
                wanted[int(env)].append(obs)
        some.async_reset()
        for _ in range(24):
            ids, obs = rows(some.recv())
            for env, each in zip(ids, obs):
                assert np.array_equal(each, wanted[int(env)].pop(0)), env
            some.send(np.full((2, 3), 0.3), ids)
""")


@needs_opengl
def test_states_bring_their_stacks_along() -> None:
    """Also into another process, where the model is elsewhere; and parts, masks and copies of pools."""
    script = """
import pickle, subprocess, sys
import numpy as np
import parallel_pool

def make():
    # A lookat: without one, a free camera remembers what it saw first.
    return parallel_pool.make("Ant-v5", num_envs=3, seed=1, from_pixels=True, frame_stack=3,
                              render_quality="fast", width=24, height=24,
                              default_camera_config={"lookat": [0, 0, 0.5], "distance": 3.0})

action = np.full((3, 8), 0.4)
if len(sys.argv) > 1:
    states, wanted = pickle.loads(bytes.fromhex(sys.stdin.read()))
    with make() as pool:
        pool.reset()
        pool.set_state(None, states)
        assert np.array_equal(pool.step(action)[0], wanted)
else:
    with make() as pool, make() as other:
        pool.reset()
        for _ in range(4):
            pool.step(action)
        states = pool.get_state()
        wanted = pool.step(action)[0]
        other.reset(seed=9)
        other.set_state(None, states)
        assert np.array_equal(other.step(action)[0], wanted)
        assert len({frame.tobytes() for frame in wanted[0]}) == 3
        # Some of them only, by a mask: the others' pictures stay.
        obs = pool.reset(seed=7, options={"reset_mask": np.array([True, False, False])})[0]
        assert np.array_equal(obs[1:], wanted[1:]) and not np.array_equal(obs[0], wanted[0])
        assert np.array_equal(obs[0][0], obs[0][2])
        assert np.array_equal(pool.reset([2], seed=[7])[0][0], obs[0])
        copied = pickle.loads(pool.pickled(include_state=True))
        assert np.array_equal(copied.step(action)[0], pool.step(action)[0])
        copied.close()
        payload = pickle.dumps((states, wanted)).hex()
        child = subprocess.run([sys.executable, "-c", SCRIPT, "load"], input=payload, text=True,
                               capture_output=True, timeout=100)
        assert child.returncode == 0, child.stderr
"""
    drawn(f"SCRIPT = {script!r}\nimport sys\nsys.argv = ['-c']\nexec(SCRIPT)")


@needs_opengl
def test_threads_of_the_users_and_pools_that_are_left_open() -> None:
    """A pool may be stepped by any thread, and nothing is said at the end of the program."""
    out = drawn("""
import threading
import numpy as np
import parallel_pool

pool = parallel_pool.make("Hopper-v5", num_envs=2, from_pixels=True, render_quality="fast",
                          width=24, height=24, seed=1, render_mode="rgb_array")
pool.reset()
assert pool.render()[0].shape == (24, 24, 3)
seen = []
for _ in range(3):
    thread = threading.Thread(target=lambda: seen.append(pool.step(np.zeros((2, 3)))[0]))
    thread.start()
    thread.join()
assert len(seen) == 3
dropped = parallel_pool.make("Hopper-v5", from_pixels=True, seed=1)
del dropped
print("end")
""")
    assert out.strip().endswith("end")


@needs_opengl
def test_an_environment_that_fails_is_black() -> None:
    drawn("""
import numpy as np
import parallel_pool

with parallel_pool.make("Hopper-v5", num_envs=3, from_pixels=True, render_quality="fast", seed=1,
                        width=24, height=24, on_warning="error") as pool:
    pool.reset()
    velocity = pool.read_array("qvel")
    velocity[1] = 1e12
    pool.write_array("qvel", velocity)
    try:
        pool.step(np.zeros((3, 3)))
    except parallel_pool.EnvError as error:
        obs = error.result[0]
        assert obs.shape == (3, 24, 24, 3)
        assert obs[0].any() and not obs[1].any() and obs[2].any()
    else:
        raise AssertionError("no error")
""")


def test_spaces_are_known_before_there_is_anything_to_draw() -> None:
    spec = parallel_pool.make_spec("Hopper-v5", from_pixels=True)
    assert spec.observation_space.shape == (84, 84, 3)
    assert spec.observation_space.dtype == np.uint8
    spec = parallel_pool.make_spec("Hopper-v5", from_pixels=True, frame_stack=4, render_width=60)
    assert spec.observation_space.shape == (4, 84, 60, 3)
    assert spec.config.from_pixels and spec.config.frame_stack == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"isolation": "process"}, "no pictures of environments in worker processes"),
        ({"render_quality": "best"}, "'render_quality' is 'best', expected one of"),
        ({"width": 64, "render_width": 64}, "render_width is said twice"),
        ({"camera_id": 0, "camera_name": "track"}, "render_camera_id or render_camera_name"),
        ({"width": -3}, r"render_width is -3, expected an integer in 0 \.\."),
        ({"default_camera_config": {"zoom": 2}}, "default_camera_config has 'zoom', but .*azimuth"),
        ({"default_camera_config": {"lookat": 2}}, "'lookat': 2, expected three numbers"),
        ({"default_camera_config": {"distance": "far"}}, "'distance': 'far', expected a number"),
        ({"default_camera_config": 7}, "'default_camera_config' is 7, expected a text"),
        ({"visual_options": {99: True}}, r"visual_options has '99', expected numbers .*0 \.\."),
        ({"visual_options": {"contacts": True}}, "visual_options has 'contacts', expected numbers"),
        ({"visual_options": {16: True}}, "mjVIS_CONTACTFORCE.*cannot be drawn"),
        ({"max_geom": 0}, "'max_geom' is 0, expected an integer in 1"),
        ({"from_pixels": 1}, "'from_pixels' is 1, expected True or False"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=f"mujoco/Ant-v5.*{message}"):
        parallel_pool.make("Ant-v5", **{"from_pixels": True, **options})


@pytest.mark.parametrize("backend", ["glfw", "egl", "osmesa", "no-such"])
def test_without_opengl_making_the_pool_names_the_package(backend: str) -> None:
    """Its library is hidden, or it is one that does not exist; glfw finds no display."""
    script = f"""
import sys
sys.modules["OpenGL.{backend.replace("egl", "EGL")}"] = None
import parallel_pool
try:
    parallel_pool.make("Hopper-v5", from_pixels=True)
except parallel_pool.OptionError as error:
    print(error)
"""
    printed = python("-c", script, MUJOCO_GL=backend, DISPLAY=":99")
    for part in ("mujoco/Hopper-v5", "MUJOCO_GL=egl", "apt-get install libegl1", "libosmesa6"):
        assert part in printed
