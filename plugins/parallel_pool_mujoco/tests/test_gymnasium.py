"""Every id equals Gymnasium's environment of that name bit for bit, with the MuJoCo that is installed.

On the shipped library, through resets that go on with the same generator. The distances in rewards of
Reacher and Pusher and in `info` are equal where numpy's dot product does one of two things; see `_numpy.py`.
"""

import parallel_pool
import pytest
from mujoco_originals import IDS, TASKS, played, reference
from parallel_pool.registry import registry
from test_envs.originals import Beside

NEVER_ENDS = {"HalfCheetah", "HumanoidStandup", "Swimmer"}


@pytest.mark.parametrize("seeds", [1, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("task_id", IDS)
def test_several_seeds_and_a_thousand_steps(task_id: str, seeds: int, beside: Beside) -> None:
    # Seeds of 31 and of 32 bits.
    episodes = played(beside, task_id, lanes=seeds, seed=2**31 - 2, steps=1000).ended.sum()
    if task_id.partition("-")[0] in NEVER_ENDS:
        assert episodes == seeds
    else:
        assert episodes > 2 * seeds


@pytest.mark.parametrize("task", TASKS)
def test_spec(task: str) -> None:
    """Time limits, thresholds, spaces."""
    for version in ("v4", "v5"):
        original = reference(f"{task}-{version}")
        spec = parallel_pool.make_spec(f"{task}-{version}")
        assert original.spec is not None
        assert spec.config.max_episode_steps == original.spec.max_episode_steps
        assert spec.config.reward_threshold == original.spec.reward_threshold
        fps = registry().resolve(f"{task}-{version}").spec.render_fps
        assert fps == original.metadata["render_fps"]
        assert spec.action_space == original.action_space
        assert spec.observation_space == original.observation_space
        original.close()
