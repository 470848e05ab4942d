"""Numbers that a program sets while a pool plays: from the next reset on, however the pool plays."""

from typing import Any, ClassVar

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool_tasks import Step, Task, TaskError, gymnasium_model, reference, tune


class Tuned(Task):
    """Shows its tunables, which decide where it begins and what it pays."""

    id = "tests/Tuned-v0"
    model = gymnasium_model("reacher.xml")
    max_episode_steps = 3
    tunables: ClassVar[Any] = {"pay": 0.5, "far": (0.1, 0.2)}

    def reset(self, sim: Any, rng: Any, ep: Any) -> None:
        sim.qpos[:2] = rng.uniform(-ep.far, ep.far)
        sim.forward()

    def observe(self, sim: Any, rng: Any, ep: Any) -> Any:
        return np.concatenate([sim.qpos[:2], ep.far, np.stack([ep.pay])])

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        return Step(2 * ep.pay)


WAYS: list[dict[str, Any]] = [
    {},
    {"isolation": "process"},
    {"backend": "python", "isolation": "thread"},
]
STAY = np.zeros((3, 2), np.float32)


def episode(envs: Any) -> Any:
    """The rest of an episode, and the first of the next: what it pays and shows."""
    while not (ended := envs.step(STAY))[3].any():
        pass
    obs, *_ = envs.step(STAY)
    return ended[1].tolist(), obs


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_they_hold_from_the_next_reset_on(way: dict[str, Any]) -> None:
    """Of one environment alone too; what is not named, and nothing, are the class's numbers."""
    with parallel_pool.make(Tuned, num_envs=3, seed=1, **way) as envs:
        obs, _ = envs.reset()
        assert obs[:, 2:].tolist() == [[0.1, 0.2, 0.5]] * 3
        tune(envs, {"pay": [1.0, 2.0]}, [0, 2])
        paid, obs = episode(envs)
        assert paid == [1.0, 1.0, 1.0] and obs[:, 4].tolist() == [1.0, 0.5, 2.0]
        tune(envs, {"far": np.array([0.0, 3.0])})
        paid, obs = episode(envs)
        assert paid == [2.0, 1.0, 4.0] and obs[:, 2:].tolist() == [[0.0, 3.0, 0.5]] * 3
        assert (obs[:, 0] == 0).all() and np.abs(obs[:, 1]).max() > 0.2
        tune(envs, {})
        assert episode(envs)[1][:, 2:].tolist() == [[0.1, 0.2, 0.5]] * 3


def test_a_state_has_those_of_its_episode() -> None:
    with (
        parallel_pool.make(Tuned, num_envs=3) as envs,
        parallel_pool.make(Tuned, num_envs=3) as other,
    ):
        tune(envs, {"pay": 3.0})
        envs.reset()
        other.set_state(None, envs.get_state())
        paid, obs = episode(other)
        assert paid == [6.0] * 3 and obs[:, 4].tolist() == [0.5] * 3


def test_an_asynchronous_pool() -> None:
    """Of environments that are stepped now it waits for their results."""
    with parallel_pool.make(Tuned, num_envs=3, batch_size=1) as envs:
        envs.async_reset()
        with pytest.raises(parallel_pool.AlreadyPendingError):
            tune(envs, {"pay": 7.0})
        shown: dict[int, list[float]] = {0: [], 1: [], 2: []}
        for step in range(30):
            obs, _, _, _, info = envs.recv()
            env = int(info["env_id"][0])
            shown[env].append(float(obs[0, 4]))
            tune(envs, {"pay": float(env) + (step > 14)}, info["env_id"])
            envs.send(STAY[:1], info["env_id"])
        for env, numbers in shown.items():
            assert numbers[:4] == [0.5] * 4 and numbers[4] == float(env)


def test_a_pool_of_two_tasks() -> None:
    class More(Tuned):
        """The same number is at another place."""

        id = "tests/More-v0"
        tunables: ClassVar[Any] = {"far": (0.1, 0.2), "pay": 0.5}

    with parallel_pool.make([Tuned, More, More], seed=1) as envs:
        tune(gymnasium.wrappers.vector.RecordEpisodeStatistics(envs), {"pay": [1.0, 2.0, 3.0]})
        obs, _ = envs.reset()
        assert obs[:, 2:].tolist() == [[0.1, 0.2, 1.0], [0.1, 0.2, 2.0], [0.1, 0.2, 3.0]]


def test_both_ways_compute_the_same() -> None:
    env = reference(Tuned)
    with parallel_pool.make(Tuned, seed=5) as envs:
        tune(envs, {"far": (0.3, 0.0), "pay": 0.1})
        obs, _ = envs.reset()
        seen, _ = env.reset(seed=5, options={"tunables": [0.1, 0.3, 0.0]})
        np.testing.assert_array_equal(obs[0], seen)
        assert envs.step(STAY[:1])[1][0] == env.step(STAY[0])[1] == 0.2


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"wage": 1.0}, "Tuned has no tunable 'wage', only pay, far"),
        (
            {"far": 1.0, "pay": [1.0, 2.0]},
            r"'pay' is \[1.0, 2.0\], expected the shape \(\), or \(3,\)",
        ),
        ({"pay": "much"}, "'pay' is 'much', expected the shape"),
    ],
)
def test_what_is_refused(numbers: Any, words: str) -> None:
    with parallel_pool.make(Tuned, num_envs=3) as envs:
        with pytest.raises(TaskError, match=words):
            tune(envs, numbers)
        with pytest.raises(parallel_pool.EnvError, match="1 tunables, expected the task's 3"):
            envs.reset(options={"tunables": [1.0]})
