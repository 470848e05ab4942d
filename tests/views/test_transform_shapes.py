"""Observations stacked, flattened and turned: equal to Gymnasium's wrappers."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
import test_envs.seeded_envs  # registers gym:Told-v0  # noqa: F401
from gymnasium import wrappers
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import FlattenObservation
from test_envs.pools import begun
from test_envs.python_envs import in_lockstep
from views.twins import with_and_without


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_stacks_are_those_of_gymnasiums_wrapper_around_each_environment(mode: str) -> None:
    def make() -> Any:
        env = gymnasium.make("CartPole-v1", max_episode_steps=12)
        return wrappers.FrameStackObservation(env, 3, padding_type="reset")

    theirs = SyncVectorEnv([make] * 3, autoreset_mode=AutoresetMode(mode))
    made = {"num_envs": 3, "max_episode_steps": 12, "autoreset_mode": mode}
    with parallel_pool.make("CartPole-v1", transform={"frame_stack": 3}, **made) as ours:
        assert ours.single_observation_space == theirs.single_observation_space
        in_lockstep(ours, theirs, 80)
        for _ in range(12):
            info = ours.step([1] * 3)[-1]
            for env in np.flatnonzero(info.get("_final_obs", ())):
                np.testing.assert_array_equal(info["final_obs_dense"][env], info["final_obs"][env])
    theirs.close()


def test_stacks_in_asynchronous_pools_are_of_one_environment() -> None:
    arguments: dict[str, Any] = {"num_envs": 5, "batch_size": 2, "seed": 3}
    with parallel_pool.make("CartPole-v1", transform={"frame_stack": 4}, **arguments) as envs:
        envs.async_reset()
        newest: dict[int, Any] = {}
        for _ in range(100):
            obs, *_, info = envs.recv()
            for env, stack in zip(info["env_id"].tolist(), obs, strict=True):
                if env in newest and info["elapsed_step"][info["env_id"].tolist().index(env)] > 0:
                    np.testing.assert_array_equal(stack[-2], newest[env])
                else:
                    assert (stack == stack[-1]).all()
                newest[env] = stack[-1].copy()
            envs.send(np.zeros(2, int), info["env_id"])


def test_a_stack_begins_anew_after_set_state_and_goes_on_in_a_pickle() -> None:
    made: dict[str, Any] = {"num_envs": 3, "seed": 3, "transform": {"frame_stack": 3}}
    with begun(parallel_pool.make("CartPole-v1", **made)) as envs:
        for _ in range(4):
            envs.step(np.zeros(3, int))
        with pickle.loads(envs.pickled(include_state=True)) as again:
            np.testing.assert_array_equal(
                again.step(np.ones(3, int))[0], envs.step(np.ones(3, int))[0]
            )
        envs.set_state((1, 2), envs.get_state([0]) * 2)
        obs, *_ = envs.step(np.ones(3, int))
        assert (obs[1:] == obs[1][-1]).all()
        assert (obs[0][-1] == obs[1][-1]).all()
        assert not (obs[0][0] == obs[0][-1]).all()


@pytest.mark.parametrize("task_id", ["dmc/cartpole-swingup", "dmc/humanoid-run"])
def test_flat_observations_are_gymnasiums(task_id: str) -> None:
    ours, plain = with_and_without(task_id, {"flatten_obs": True}, num_envs=2)
    with ours, plain:
        theirs = FlattenObservation(plain)
        assert ours.single_observation_space == theirs.single_observation_space
        np.testing.assert_array_equal(ours.reset()[0], theirs.reset()[0])
        for _ in range(3):
            actions = theirs.action_space.sample()
            np.testing.assert_array_equal(ours.step(actions)[0], theirs.step(actions)[0])


def test_flat_stacked_and_normalized() -> None:
    transform = {
        "flatten_obs": True,
        "frame_stack": 2,
        "normalize_obs": True,
        "obs_dtype": "float16",
    }
    with parallel_pool.make(
        "dmc/cartpole-swingup", num_envs=3, seed=1, transform=transform
    ) as envs:
        obs, _ = envs.reset()
        assert obs.shape == (3, 2, 5)
        assert obs.dtype == np.float16
        assert envs.observation_space.contains(obs)
        assert envs.obs_statistics.mean.shape == (2, 5)


def test_channels_are_turned_without_a_copy() -> None:
    arguments: dict[str, Any] = {"num_envs": 2, "seed": 1}
    with (
        parallel_pool.make("Pong-v5", transform={"channels": "last"}, **arguments) as last,
        parallel_pool.make("Pong-v5", transform={"channels": "first"}, **arguments) as first,
    ):
        turned, plain = last.reset()[0], first.reset()[0]
        assert first.single_observation_space.shape == (4, 84, 84)
        assert last.single_observation_space.shape == (84, 84, 4)
        assert turned.base is not None
        np.testing.assert_array_equal(turned, plain.transpose(0, 2, 3, 1))


class Painted(gymnasium.Env[Any, Any]):
    def __init__(self, shape: tuple[int, ...]) -> None:
        self.observation_space = gymnasium.spaces.Box(0, 255, shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        return self._paint(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return self._paint(), 0.0, False, self.np_random.random() < 0.1, {}

    def _paint(self) -> Any:
        return self.np_random.integers(0, 256, self.observation_space.shape, np.uint8)


gymnasium.register("Painted-v0", entry_point=Painted)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(
    ("shape", "size"),
    [
        ((50, 41), (21, 20)),
        ((50, 41, 3), (21, 20)),
        ((60, 40, 3), (30, 20)),
        ((20, 12, 1), (50, 40)),
    ],
)
def test_pictures_are_resized_as_by_gymnasiums_wrapper(
    shape: tuple[int, ...], size: tuple[int, int], mode: str
) -> None:
    def make() -> Any:
        return wrappers.ResizeObservation(Painted(shape), size)

    theirs = SyncVectorEnv([make] * 2, autoreset_mode=AutoresetMode(mode))
    with parallel_pool.make(
        "gym:Painted-v0",
        num_envs=2,
        isolation="thread",
        shape=shape,
        autoreset_mode=mode,
        transform={"resize": size},
    ) as ours:
        space = theirs.single_observation_space
        assert space.shape is not None
        assert ours.single_observation_space.shape[:2] == space.shape[:2]
        mine = ours.reset(seed=5)[0]
        np.testing.assert_array_equal(mine.reshape(-1), theirs.reset(seed=5)[0].reshape(-1))
        for _ in range(30):
            mine, other = ours.step([0, 0]), theirs.step([0, 0])
            np.testing.assert_array_equal(mine[0].reshape(-1), other[0].reshape(-1))
            for env in np.flatnonzero(other[-1].get("_final_obs", np.zeros(2, bool))):
                last = other[-1]["final_obs"][env]
                np.testing.assert_array_equal(
                    mine[-1]["final_obs"][env].reshape(-1), last.reshape(-1)
                )
    theirs.close()


@pytest.mark.parametrize("shape", [(3, 50, 41), (2, 50, 41, 3), (4, 3, 50, 41)])
def test_channels_may_be_first_and_pictures_several(shape: tuple[int, ...]) -> None:
    cv2 = pytest.importorskip("cv2")
    made: dict[str, Any] = {"isolation": "thread", "shape": shape}
    ours, plain = with_and_without("gym:Painted-v0", {"resize": (20, 16)}, **made)
    with ours, plain:
        whole, small = plain.reset()[0][0], ours.reset()[0][0]
        assert ours.single_observation_space.shape == small.shape
        if shape[-1] != 3:
            whole, small = np.moveaxis(whole, -3, -1), np.moveaxis(small, -3, -1)
        for before, after in zip(
            whole.reshape(-1, 50, 41, 3), small.reshape(-1, 20, 16, 3), strict=True
        ):
            expected = cv2.resize(before, (16, 20), interpolation=cv2.INTER_AREA)
            np.testing.assert_array_equal(after, expected)


@pytest.mark.parametrize(
    "transform", [{"flatten_obs": True}, {"flatten_obs": True, "frame_stack": 2}]
)
def test_a_python_environment_keeps_its_own_space_inside(transform: dict[str, Any]) -> None:
    """Which has two arrays, that the pool gives as one."""
    made: dict[str, Any] = {"isolation": "thread", "transform": transform}
    with parallel_pool.make("gym:Told-v0", num_envs=2, **made) as pool:
        obs = pool.reset(seed=[7, 9])[0]
        assert pool.observation_space.contains(obs)
        assert obs.reshape(2, -1).max(axis=1).tolist() == [7.0, 9.0]
