"""Where pictures have their channels: `transform={"channels": ...}`."""

from test_envs.opengl import drawn


def test_channels_are_where_transform_wants_them() -> None:
    """With those of a stack on one axis, in every view, last observations too."""
    drawn("""
from opengl_stand_in import install

install("llvmpipe (LLVM 15.0.6, 256 bits)")
import numpy as np
import parallel_pool

def seen(env_type, depth, channels):
    "Observations of a reset and a step, and last ones."
    options = {"autoreset_mode": "SameStep", "max_episode_steps": 1, "width": 8, "height": 6}
    with parallel_pool.make("Hopper-v5", env_type, num_envs=2, seed=4, from_pixels=True,
                            frame_stack=depth, render_quality="fast",
                            transform={"channels": channels}, **options) as pool:
        results = [pool.reset(), pool.step(np.full((2, 3), 0.5, np.float32))]
        if env_type == "dm":
            return [each.observation.pixels for each in results]
        if env_type == "gym":
            return [results[0], results[1][0]]
        (obs, _), (then, _, _, _, info) = results
        for each in (obs, then, info["final_obs_dense"]):
            assert pool.observation_space.contains(each)
        return [obs, then, info["final_obs_dense"]]

for depth, views in ((1, ("gym",)), (3, ("gymnasium", "dm"))):
    plain = [each.reshape(2, depth, 6, 8, 3) for each in seen("gymnasium", depth, None)]
    first = [each.transpose(0, 1, 4, 2, 3).reshape(2, 3 * depth, 6, 8) for each in plain]
    last = [each.transpose(0, 2, 3, 1, 4).reshape(2, 6, 8, 3 * depth) for each in plain]
    assert any((a != b).any() for a, b in zip(plain, plain[1:]))
    for env_type in views:
        for channels, wanted in (("first", first), ("last", last)):
            for ours, each in zip(seen(env_type, depth, channels), wanted):
                assert ours.shape == each.shape and np.array_equal(ours, each), (env_type, channels)
""")
