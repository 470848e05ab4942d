"""Every space, info, id and view, as in Gymnasium: in worker processes and in threads."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from test_envs.checks import leaves
from test_envs.pools import begun, register_python
from test_envs.python_envs import Make, Rich, in_lockstep


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_every_space_and_info_as_in_gymnasium(
    make: Make, task_id: str, mode: AutoresetMode
) -> None:
    theirs = gymnasium.vector.SyncVectorEnv([Rich] * 3, autoreset_mode=mode)
    with make(task_id, num_envs=3, num_threads=2, autoreset_mode=mode) as mine:
        assert isinstance(mine, gymnasium.vector.VectorEnv)
        assert mine.single_observation_space == theirs.single_observation_space
        assert mine.observation_space == theirs.observation_space
        assert mine.action_space == theirs.action_space
        in_lockstep(mine, theirs, 40)


class Reusing(Rich):
    def __init__(self) -> None:
        super().__init__()
        self.info: dict[str, Any] = {"row": np.zeros(2), "inner": {"row": np.zeros(3), "n": 0}}

    def filled(self) -> dict[str, Any]:
        self.info["row"][:] = self.info["inner"]["row"][:] = self.steps
        self.info["inner"]["n"] = self.steps
        return self.info

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        obs, _ = super().reset(seed=seed, options=options)
        return obs, self.filled()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        *result, _ = super().step(action)
        return (*result, self.filled())  # type: ignore[return-value]


def test_the_last_info_is_not_that_of_the_reset(make: Make) -> None:
    task_id = register_python("reusing/Reusing-v0", Reusing)
    mode = AutoresetMode.SAME_STEP
    theirs = gymnasium.vector.SyncVectorEnv([Reusing] * 3, autoreset_mode=mode)
    with make(task_id, num_envs=3, num_threads=2, autoreset_mode=mode) as mine:
        in_lockstep(mine, theirs, 20)


def test_the_time_limit_is_there_once(make: Make) -> None:
    with begun(make("gym:CartPole-v1", num_envs=1, max_episode_steps=3)) as pool:
        assert [bool(pool.step([step % 2])[3][0]) for step in range(8)] == [
            False, False, True, False, False, False, True, False
        ]  # fmt: skip
        assert pool.step([0])[4]["elapsed_step"].tolist() == [1]


def test_asynchronous_answers_are_those_of_lockstep(make: Make, task_id: str) -> None:
    def rows(**arguments: Any) -> list[list[Any]]:
        seen: list[list[Any]] = [[] for _ in range(4)]
        with make(task_id, num_envs=4, seed=3, **arguments) as pool:
            pool.async_reset()
            while min(map(len, seen)) < 12:
                obs, reward, terminated, truncated, info = pool.recv()
                for row, env in enumerate(info["env_id"]):
                    steps = info.get("steps", np.zeros(len(reward), int))[row]
                    parts = [leaf[row].tolist() for leaf in leaves(obs)]
                    seen[env].append(
                        (parts, reward[row], terminated[row], truncated[row], int(steps))
                    )
                n = len(reward)
                pool.send((np.zeros(n, int), np.ones((n, 2), np.float32)), info["env_id"])
        return [each[:12] for each in seen]

    assert rows(batch_size=2, num_threads=2) == rows(num_threads=1)
