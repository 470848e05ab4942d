"""Spaces, ids, configurations, pickles and states of pools whose environments differ."""

import parallel_pool
from parallel_pool import OptionError, StateError, make_spec
from test_envs.checks import refused
from test_envs.pools import begun, make


def test_bounds_of_observations_may_differ_and_the_space_holds_all() -> None:
    with make("Mixed", env_options={"reach": [1, 5, 2]}) as pool:
        space = pool.single_observation_space
        assert (space.low.tolist(), space.high.tolist()) == ([-5.0, -5.0], [5.0, 5.0])
        obs, _ = pool.reset()
        assert pool.observation_space.contains(obs)
        obs, reward, *_ = pool.step([1, 1, 1])
        assert obs[:, 0].tolist() == reward.tolist() == [1, 5, 2]
        assert pool.observation_space.contains(obs)


def test_several_ids() -> None:
    ids = ["Few-v0", "test/FewToo-v0", "test/Few-v0"]
    with parallel_pool.make(ids, env_options=[{}, {}, {"reach": 3}], seed=1) as pool:
        obs, _ = pool.reset()
        assert obs[:, 0].tolist() == [-1, -4, -3]
        assert pool.config["task_id"] == ["test/Few-v0", "test/FewToo-v0", "test/Few-v0"]
        assert pool.config["env_options"] == {"reach": [1, 4, 3]}
        assert pool.config["buttons"] == 2
        assert repr(pool).startswith("GymnasiumPool('test/Few-v0', 'test/FewToo-v0', num_envs=3")


def test_one_time_limit_for_all() -> None:
    with refused(
        OptionError,
        "0 (test/Few-v0) and 1 (test/Short-v0)",
        "none and 7 steps",
        "max_episode_steps=7",
    ):
        parallel_pool.make(["test/Few-v0", "test/Short-v0"])
    with begun(parallel_pool.make(["test/Few-v0", "test/Short-v0"], max_episode_steps=2)) as pool:
        pool.step([0, 0])
        assert pool.step([0, 0])[3].tolist() == [True, True]
        assert (pool.spec.max_episode_steps, pool.spec.reward_threshold) == (2, None)
        assert pool.spec.id == "test/Few-v0"
    assert make_spec(["test/Short-v0"] * 2).max_episode_steps == 7


def test_options_that_agree_after_all_are_shown_as_what_they_are() -> None:
    with make("Options", env_options=[{"gravity": 2}, {"gravity": 2.0}]) as pool:
        assert pool.config["env_options"] is None
        assert pool.config["gravity"] == 2.0


def test_a_state_fits_an_environment_of_the_same_options_only() -> None:
    with begun(make("Walk", env_options={"drift": [0.5, 1.5, 0.5]}, seed=2)) as pool:
        pool.clone(0, [2])
        obs, *_ = pool.step([1, 1, 1])
        assert obs[0].tolist() == obs[2].tolist()
        before = pool.get_state()
        with refused(StateError, "environment 1", "'drift'"):
            pool.clone(0, [1])
        assert pool.get_state() == before
        with make("Walk", drift=1.5) as one:
            one.set_state([0], [before[1]])
            assert one.step([0])[0].tolist() == pool.step([0, 0, 0])[0][1:2].tolist()


def test_many_environments_with_few_variants_are_described_once_each() -> None:
    """Describing may be costly: an emulator looks into its ROM for it."""
    spec = make_spec("test/Walk-v0", env_options=[{"drift": env % 2} for env in range(5000)])
    assert len(spec.definition.variants.distinct) == 2
    options = spec.definition.variants.options
    assert len(options) == 5000
    assert len({id(each) for each in options}) == 2
