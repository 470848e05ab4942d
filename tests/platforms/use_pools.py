"""use_pools.py: what a user does with pools of the classic environments, on the Python of any platform.

Says "as it should be" at the end.
"""

import pickle
import sys
import warnings

import gymnasium
import numpy as np
import parallel_pool


def views() -> None:
    first = {}
    for view in ("gymnasium", "gym", "dm"):
        with parallel_pool.make("CartPole-v1", view, num_envs=3, seed=5) as pool:
            given = pool.reset()
            first[view] = given.observation if view == "dm" else given
            pool.step(np.zeros(3, np.int64))
    obs = first["gymnasium"][0]
    assert np.array_equal(obs, first["gym"][0] if isinstance(first["gym"], tuple) else first["gym"])
    dm = first["dm"]
    assert np.array_equal(obs, getattr(dm, "obs", dm))


def equals_gymnasium() -> None:
    """Sines, powers and random numbers are this platform's, as Gymnasium's are."""
    for name in ("CartPole-v1", "Acrobot-v1", "Pendulum-v1", "MountainCarContinuous-v0", "Taxi-v4"):
        pool = parallel_pool.make(f"classic/{name}", num_envs=1, seed=3)
        original = gymnasium.make(name)
        obs, _ = pool.reset()
        theirs, _ = original.reset(seed=3)
        pool.action_space.seed(0)
        for _ in range(150):
            assert np.array_equal(obs[0], theirs), name
            action = pool.action_space.sample()
            obs, reward, terminated, truncated, _ = pool.step(action)
            theirs, paid, *ends, _ = original.step(action[0])
            assert (reward[0], terminated[0], truncated[0]) == (paid, *ends), name
            if terminated[0] or truncated[0]:
                break
        pool.close()


def batches() -> None:
    """Asynchronous: every environment answers what it was sent."""
    with parallel_pool.make("CartPole-v1", num_envs=8, batch_size=3, num_threads=3, seed=1) as pool:
        pool.async_reset()
        steps = np.zeros(8, np.int64)
        for _ in range(400):
            *_, info = pool.recv()
            steps[info["env_id"]] += 1
            pool.send(np.ones(3, np.int64), info["env_id"])
        assert steps.min() > 0


def states() -> None:
    """A saved state goes on as the original did; so does a pickled one."""
    with parallel_pool.make("Taxi-v4", num_envs=4, seed=2) as pool:
        pool.reset()
        state = pickle.loads(pickle.dumps(pool.get_state()))
        actions = np.arange(4)
        once = pool.step(actions)
        pool.set_state(np.arange(4), state)
        again = pool.step(actions)
        for one, other in zip(once[:4], again[:4], strict=True):
            assert np.array_equal(one, other)


def autoreset() -> None:
    for mode in gymnasium.vector.AutoresetMode:
        with parallel_pool.make("CartPole-v1", num_envs=2, autoreset_mode=mode, seed=0) as pool:
            pool.reset()
            for _ in range(60):
                _, _, terminated, _, _ = pool.step(np.ones(2, np.int64))
                if terminated.any() and mode is gymnasium.vector.AutoresetMode.DISABLED:
                    pool.reset(options={"reset_mask": terminated})


def refusals() -> None:
    """What only Linux can do is refused with an error that says so."""
    if sys.platform == "linux":
        return
    for arguments in (
        {"task_id": "CartPole-v1", "isolation": "process"},
        {"task_id": "gym:CartPole-v1", "step_timeout": 1.0},
    ):
        try:
            parallel_pool.make(**arguments)
        except ValueError as error:
            assert "Linux" in str(error), error
        else:
            raise AssertionError(arguments)


def python_environments() -> None:
    """They run everywhere; where there are no processes in a thread, with a warning."""
    with warnings.catch_warnings(record=True, action="always") as said:
        pools = [
            parallel_pool.make(each, num_envs=3) for each in ("CartPole-v1", "gym:CartPole-v1")
        ]
    assert [each for each in said if "need Linux" in str(each.message)] or sys.platform == "linux"
    actions = np.random.default_rng(0).integers(0, 2, (60, 3))
    native, python = ([pool.reset(seed=5), *map(pool.step, actions)] for pool in pools)
    for theirs, ours in zip(native, python, strict=True):
        for a, b in zip(theirs[:-1], ours[:-1], strict=True):
            np.testing.assert_array_equal(a, b)
    for pool in pools:
        pool.close()


if __name__ == "__main__":
    assert "classic/CartPole-v1" in parallel_pool.list_all_envs()
    parallel_pool.register_gymnasium()
    assert gymnasium.make_vec("ParallelPool/CartPole-v1", num_envs=2).reset()[0].shape == (2, 4)
    for each in (
        views,
        equals_gymnasium,
        batches,
        states,
        autoreset,
        refusals,
        python_environments,
    ):
        each()
    print("as it should be")
