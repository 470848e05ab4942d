"""What pools of EnvPool's three dialects have alike."""

import pickle
from typing import Any

import numpy as np
import pytest
from parallel_pool import envpool
from parallel_pool.envpool import legacy

every_dialect = pytest.mark.parametrize(
    ("make", "name"),
    [
        (envpool.make_gymnasium, "GymnasiumEnvPool"),
        (envpool.make_dm, "DMEnvPool"),
        (legacy.make_gym, "GymEnvPool"),
    ],
)


def first_of(answer: Any) -> Any:
    """The observations of an answer to a reset or a step."""
    answer = answer[0] if type(answer) is tuple else answer
    return answer.observation.obs if hasattr(answer, "observation") else answer


@every_dialect
def test_some_environments_and_dicts(make: Any, name: str) -> None:
    with make("test/Count-v0", num_envs=3) as pool:
        pool.reset()
        action = {"action": np.array([1]), "env_id": np.array([2])}
        assert first_of(pool.step(action)).tolist() == [1]
        assert first_of(pool.reset(np.array([2]))).tolist() == [0]
        pool.send(np.zeros(3, int))
        assert first_of(pool.recv()).tolist() == [1, 1, 1]


@every_dialect
def test_attributes_seeds_and_pickles(make: Any, name: str) -> None:
    with make("test/Walk-v0", num_envs=2, seed=[3, 4], render_mode=None) as pool:
        assert (len(pool), pool.is_async) == (2, False)
        assert pool.all_env_ids.tolist() == [0, 1]
        assert repr(pool).startswith(f"Walk{name}(num_envs=2")
        for arguments in ((), (1,)):
            with pytest.warns(UserWarning, match="no effect"):
                pool.seed(*arguments)
        expected = first_of(pool.reset()).tolist()
        with pickle.loads(pickle.dumps(pool)) as other:
            assert type(other) is type(pool)
            assert other.config == pool.config
            assert first_of(other.reset()).tolist() == expected


@every_dialect
def test_a_step_before_a_reset_resets(make: Any, name: str) -> None:
    with make("test/Count-v0", num_envs=2) as pool:
        with pytest.raises(ValueError, match="the action of environment 1 is 7"):
            pool.step(np.array([7]), np.array([1]))
        assert first_of(pool.step(np.array([2]), np.array([1]))).tolist() == [0]
        assert first_of(pool.step(np.array([2, 2]))).tolist() == [0, 1]
        assert first_of(pool.step(np.array([2, 2]))).tolist() == [1, 2]
