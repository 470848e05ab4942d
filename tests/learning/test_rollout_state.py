"""A buffer and its pool that are saved between two rollouts go on with the same bits."""

import pickle
from dataclasses import fields
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.errors import OptionError
from parallel_pool.schema.trees import leaves
from parallel_pool_learning import RolloutBuffer

T, N = 16, 4
ROLLOUTS = 5
OPTIONS: dict[str, dict[str, Any]] = {
    "CartPole-v1": {"max_episode_steps": 21, "transform": {"normalize_obs": True}},
    "Pendulum-v1": {
        "max_episode_steps": 21,
        "transform": {"frame_stack": 3, "normalize_obs": True, "normalize_reward": True},
    },
    # A dict of observations, and statistics of whole games.
    "MiniGrid-Empty-8x8-v0": {"mission": "words", "max_episode_steps": 21},
    "Breakout-v5": {
        "episodic_life": True,
        "reward_clip": True,
        "episode_statistics": True,
        "img_height": 16,
        "img_width": 16,
    },
}


def critic(obs: Any) -> np.ndarray:
    first = np.asarray(leaves(obs)[0])
    return first.reshape(len(first), -1).sum(1, np.float32)


def rolled(buffer: RolloutBuffer, actions: Any) -> bytes:
    while not buffer.full:
        buffer.step(actions.sample(), critic(buffer.obs))
    rollout = buffer.finish(critic)
    kept = {field.name: getattr(rollout, field.name) for field in fields(rollout)}
    kept["returned"] = kept["episodes"].pop("return").tolist()
    return pickle.dumps([*kept.values()])


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("task_id", OPTIONS)
def test_a_saved_training_goes_on_with_the_same_bits(task_id: str, mode: str) -> None:
    envs = parallel_pool.make(
        task_id, num_envs=N, autoreset_mode=mode, num_threads=1, **OPTIONS[task_id]
    )
    buffer = RolloutBuffer(envs, T)
    buffer.reset(seed=1)
    actions = envs.action_space
    actions.seed(1)
    saved, whole = [], []
    for _ in range(ROLLOUTS):
        saved.append(pickle.dumps((envs.pickled(include_state=True), buffer.state_dict(), actions)))
        whole.append(rolled(buffer, actions))
    envs.close()
    for number, each in enumerate(saved):
        pool, state, actions = pickle.loads(each)
        with pickle.loads(pool) as again:
            buffer = RolloutBuffer(again, T)
            buffer.load_state_dict(state)
            assert [rolled(buffer, actions) for _ in whole[number:]] == whole[number:]


def test_what_cannot_be_saved_or_loaded_is_refused() -> None:
    with parallel_pool.make("CartPole-v1", num_envs=N) as envs:
        buffer = RolloutBuffer(envs, T)
        with pytest.raises(OptionError, match="between two rollouts"):
            buffer.state_dict()
        buffer.reset(seed=1)
        state = buffer.state_dict()
        buffer.step(envs.action_space.sample(), np.zeros(N))
        with pytest.raises(OptionError, match="between two rollouts"):
            buffer.state_dict()
    with parallel_pool.make("CartPole-v1", num_envs=N + 1) as envs:
        other = RolloutBuffer(envs, T)
        with pytest.raises(ValueError, match=r"shape \(4,\), expected \(5,\)"):
            other.load_state_dict(state)
