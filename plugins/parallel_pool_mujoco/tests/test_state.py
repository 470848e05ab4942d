"""A restored environment goes on as if nothing had happened, to the last bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from mujoco_twin import IDS
from parallel_pool import StateError


def equal(left: Any, right: Any) -> None:
    for got, wanted in zip(left[:4], right[:4], strict=True):
        np.testing.assert_array_equal(got, wanted)
    for key, wanted in right[4].items():
        np.testing.assert_array_equal(left[4][key], wanted, err_msg=key)


@pytest.mark.parametrize("task_id", IDS)
@pytest.mark.parametrize("options", [{}, {"frame_stack": 3, "obs_dtype": "float32"}])
def test_a_restored_pool_goes_on_as_its_twin(task_id: str, options: dict[str, Any]) -> None:
    with (
        parallel_pool.make(task_id, num_envs=2, seed=1, **options) as twin,
        parallel_pool.make(task_id, num_envs=2, seed=50, **options) as pool,
    ):
        twin.reset()
        pool.reset()
        draw = np.random.default_rng(0)
        space = twin.action_space
        for step in range(120):
            if step % 17 == 0 or step in (49, 50, 51):  # around Reacher's time limit as well
                state = twin.get_state()
                for _ in range(draw.integers(1, 4)):
                    pool.step(draw.uniform(space.low, space.high))
                pool.set_state(None, state)
                assert pool.get_state() == state
            action = draw.uniform(space.low, space.high).astype(np.float32)
            equal(pool.step(action), twin.step(action))


def test_clones_stay_together_until_their_actions_differ() -> None:
    with parallel_pool.make("Ant-v5", num_envs=4, seed=1) as pool:
        pool.reset()
        for _ in range(10):
            pool.step(np.full((4, 8), 0.1))
        pool.clone(2, range(4))
        for _ in range(20):
            obs, reward, *_ = pool.step(np.full((4, 8), 0.2))
            assert (obs == obs[0]).all() and (reward == reward[0]).all()
        obs = pool.step(np.arange(32).reshape(4, 8) / 40)[0]
        assert len(np.unique(obs, axis=0)) == 4


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
        equal(moved.step(np.ones((1, 3))), pool.step(np.ones((1, 3))))
        with pytest.raises(StateError, match=r"of another model than .*other.xml"):
            another.set_state(None, state)
        with pytest.raises(StateError, match="'model_overrides'"):
            light.set_state(None, state)
