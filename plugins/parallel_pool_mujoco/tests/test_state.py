"""A restored environment goes on as if nothing had happened, to the last bit."""

from pathlib import Path

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import StateError


def test_a_state_is_of_one_model_wherever_its_file_is(tmp_path: Path) -> None:
    folder = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    text = (folder / "hopper.xml").read_text()
    same, other = tmp_path / "same.xml", tmp_path / "other.xml"
    same.write_text(text)
    other.write_text(text.replace('timestep="0.002"', 'timestep="0.003"'))
    assert other.read_text() != text
    with (
        parallel_pool.make("Hopper-v5", seed=1) as pool,
        parallel_pool.make("Hopper-v5", xml_file=same) as moved,
        parallel_pool.make("Hopper-v5", xml_file=other) as another,
        parallel_pool.make("Hopper-v5", model_overrides={"opt.gravity": [0, 0, -3]}) as light,
    ):
        for each in (pool, moved, another, light):
            each.reset()
        state = pool.get_state()
        moved.set_state(None, state)
        np.testing.assert_equal(moved.step(np.ones((1, 3))), pool.step(np.ones((1, 3))))
        with pytest.raises(StateError, match=r"of another model than .*other.xml"):
            another.set_state(None, state)
        with pytest.raises(StateError, match="'model_overrides'"):
            light.set_state(None, state)
