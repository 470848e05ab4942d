"""A rollout goes on when an environment fails."""

import numpy as np
import pytest
from parallel_pool import EnvError
from parallel_pool.errors import OptionError
from parallel_pool_learning import RolloutBuffer
from test_envs.faulty_pools import FINE, THROWS, faulty

pytestmark = [
    pytest.mark.own_process(limit=30),
    pytest.mark.usefixtures("test_envs_library", "faulty_library"),
]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_what_the_others_did_is_kept_when_an_environment_fails(mode: str) -> None:
    with faulty(num_envs=3, autoreset_mode=mode) as envs:
        buffer = RolloutBuffer(envs, 3)
        with pytest.raises(OptionError, match=r"reset\(\) first"):
            buffer.step([FINE] * 3, np.zeros(3))
        buffer.reset()
        buffer.step([FINE] * 3, np.zeros(3))
        with pytest.raises(EnvError) as caught:
            buffer.step([FINE, THROWS, FINE], np.ones(3))
        with pytest.raises(OptionError, match=r"environments \[0, 1\] some are within an episode"):
            buffer.reset([0, 1])
        buffer.reset(list(caught.value.failures))
        buffer.step([FINE] * 3, np.zeros(3))
        rollout = buffer.finish(lambda obs: np.zeros(len(obs)))
        assert rollout.rewards.tolist() == [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
        assert rollout.truncated.tolist() == [[False] * 3, [False, True, False], [False] * 3]
        assert rollout.valid.all()
        assert rollout.values.tolist() == [[0] * 3, [1] * 3, [0] * 3]
        assert {key: each.tolist() for key, each in rollout.episodes.items()} == {
            "env_id": [1],
            "return": [1],
            "length": [2],
        }
        assert len(envs) == 3
