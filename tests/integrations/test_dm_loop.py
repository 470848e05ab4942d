"""What ACME's EnvironmentLoop asks of a dm_env.Environment. ACME itself cannot be installed here."""

from __future__ import annotations

import dm_env
import numpy as np
import parallel_pool
import pytest


@pytest.mark.parametrize("task_id", ["CartPole-v1", "Pendulum-v1", "dmc/cartpole-balance-v1"])
def test_episodes_are_as_the_loop_expects(task_id: str) -> None:
    env = parallel_pool.SingleDmEnv(task_id, max_episode_steps=20)
    rng = np.random.default_rng(0)
    assert isinstance(env, dm_env.Environment)
    for _ in range(3):
        timestep = env.reset()
        assert timestep.first()
        assert (timestep.reward, timestep.discount) == (None, None)
        total = np.zeros(env.reward_spec().shape, env.reward_spec().dtype)
        while not timestep.last():
            spec = env.action_spec()
            if isinstance(spec, dm_env.specs.DiscreteArray):
                action = np.asarray(rng.integers(spec.num_values), spec.dtype)
            else:
                action = rng.uniform(spec.minimum, spec.maximum, spec.shape).astype(spec.dtype)
            timestep = env.step(action)
            env.reward_spec().validate(np.asarray(timestep.reward, env.reward_spec().dtype))
            env.discount_spec().validate(np.asarray(timestep.discount, env.discount_spec().dtype))
            validate(env.observation_spec(), timestep.observation)
            total += timestep.reward
        assert np.isfinite(total)
    # The loop begins anew by reset, but a step after LAST does so too.
    assert env.step(env.action_spec().generate_value()).first()


def validate(spec: object, value: object) -> None:
    if isinstance(spec, dict):
        assert isinstance(value, dict)
        assert spec.keys() == value.keys()
        for name in spec:
            validate(spec[name], value[name])
    else:
        assert isinstance(spec, dm_env.specs.Array)
        spec.validate(value)
