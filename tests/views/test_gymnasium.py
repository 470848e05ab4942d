"""The pool as a gymnasium.vector.VectorEnv, with what Gymnasium asserts of its own vector environments."""

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from parallel_pool import OptionError
from test_envs.checks import leaves, refused
from test_envs.pools import begun, make

NAMES = ["Count", "Walk", "WalkBatch", "Types", "Echo", "Options", "Discount"]


@pytest.mark.parametrize("name", NAMES)
def test_results_lie_in_the_batched_spaces(name: str) -> None:
    with make(name, num_envs=3, seed=0) as pool:
        assert isinstance(pool, VectorEnv)
        assert pool.num_envs == len(pool) == 3
        obs, info = pool.reset(seed=0)
        assert pool.observation_space.contains(obs)
        pool.action_space.seed(0)
        for _ in range(10):
            obs, reward, terminated, truncated, info = pool.step(pool.action_space.sample())
            assert pool.observation_space.contains(obs)
            assert (reward.dtype, reward.shape) == (np.float64, (3,))
            for flag in (terminated, truncated):
                assert (flag.dtype, flag.shape) == (np.bool_, (3,))
            for key, value in info.items():
                assert len(value) == 3
                if not key.startswith("_"):
                    assert info[f"_{key}"].dtype == np.bool_
                    assert info[f"_{key}"].all()


def test_every_dtype_arrives_as_declared() -> None:
    with begun(make("Types", num_envs=2)) as pool:
        obs, *_ = pool.step(pool.action_space.sample())
        for name, values in obs["types"].items():
            assert values.dtype == np.dtype(name)
            assert (values == 1).all()
        assert obs["types"]["u1"].shape == (2, 2, 2)
        assert obs["types"]["f8"].shape == (2, 1, 3)
        assert isinstance(obs["echo"]["pair"], tuple)
        space = pool.single_action_space
        assert isinstance(space["pair"], gymnasium.spaces.Tuple)
        assert space["joint"] == gymnasium.spaces.Discrete(5, start=-2)
        assert space["pair"][1].nvec.tolist() == [4, 2]
        assert space["arm"]["grip"].n in (3, [3], (3,))


def test_row_32_metadata_belongs_to_the_instance() -> None:
    before = dict(VectorEnv.metadata)
    with make() as one, make() as other:
        assert one.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        one.metadata["render_fps"] = 30
        assert "render_fps" not in other.metadata
        assert VectorEnv.metadata == before
        config = one.config
        config["num_envs"] = 99
        assert one.config["num_envs"] == 1
        one.all_env_ids[0] = 7
        assert one.all_env_ids.tolist() == [0]


def test_a_users_changes_to_info_stay_with_him() -> None:
    with make(num_envs=2) as pool:
        _, info = pool.reset()
        info.clear()
        _, info = pool.reset()
        assert "env_id" in info
        with pytest.raises(ValueError, match="read-only"):
            info["_env_id"][0] = False


def test_reset_takes_gymnasiums_arguments() -> None:
    with make(num_envs=2) as pool:
        pool.reset(seed=None, options=None)
        pool.reset(seed=[1, None], options={})
        with refused(OptionError, "test/Count-v0", "'difficulty'"):
            pool.reset(options={"difficulty": 3})


def test_specs_tell_what_was_asked_for() -> None:
    with make("Discount", num_envs=2, max_episode_steps=9, reward_threshold=4.5) as pool:
        assert pool.spec.id == "test/Discount-v0"
        assert pool.spec.max_episode_steps == 9
        assert pool.spec.reward_threshold == 4.5
        assert pool.spec.config.num_envs == 2
    assert parallel_pool.make_spec("test/Discount-v0").config.max_episode_steps == 3


def test_an_asynchronous_pool_has_spaces_of_a_batch() -> None:
    with make("Types", num_envs=6, batch_size=2) as pool:
        pool.async_reset()
        for _ in range(3):
            obs, *_ = pool.recv()
            assert pool.observation_space.contains(obs)
            assert {len(leaf) for leaf in leaves(obs)} == {2}


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_pools_are_context_managers_with_a_readable_repr(env_type: str) -> None:
    with make("Count", env_type, num_envs=2) as pool:
        assert "'test/Count-v0', num_envs=2, batch_size=2" in repr(pool)
    assert pool._pool.closed
