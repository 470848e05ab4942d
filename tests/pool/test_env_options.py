"""Environments of one pool that differ in their options: as each alone, and refused where they cannot."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import EnvSpec, OptionError, StateError, make_spec
from test_envs.checks import assert_works, refused
from test_envs.pools import WALKS, make

N = 12
DRIFTS = np.linspace(-1, 1, N)


@pytest.fixture(autouse=True)
def _presets(test_envs: None) -> None:
    """More ids for one native environment, as games are."""
    for name, options, limit in (
        ("Few-v0", {"buttons": 2}, None),
        ("Many-v0", {"buttons": 5}, None),
        ("FewToo-v0", {"buttons": 2, "reach": 4.0}, None),
        ("Short-v0", {"buttons": 2}, 7),
    ):
        spec = EnvSpec(
            f"test/{name}", native="test/Mixed-v0", options=options, max_episode_steps=limit
        )
        parallel_pool.register(spec)


def play(pool: Any, steps: int = 15) -> Iterator[list[Any]]:
    """Every row of every step: (observation, reward, terminated) by environment."""
    obs, _ = pool.reset()
    yield [(*row, 0.0, False) for row in obs.tolist()]
    for step in range(steps):
        obs, reward, terminated, *_ = pool.step((np.arange(len(pool)) + step) % 3)
        rows = zip(obs.tolist(), reward.tolist(), terminated.tolist(), strict=True)
        yield [(*seen, got, over) for seen, got, over in rows]


# ---- each as it would be alone -------------------------------------------------------------------


@pytest.mark.parametrize("name", WALKS)
@pytest.mark.parametrize(
    "options",
    [
        {"drift": DRIFTS},
        {"drift": DRIFTS.tolist()},
        [{"drift": drift} for drift in DRIFTS],
        tuple({"drift": np.float32(drift)} for drift in DRIFTS.astype(np.float32)),
    ],
    ids=["array", "list", "dicts", "tuple of dicts"],
)
def test_each_environment_is_as_it_would_be_alone(name: str, options: Any) -> None:
    drifts = [np.float32(d) for d in DRIFTS] if isinstance(options, tuple) else DRIFTS
    with make(name, num_envs=N, env_options=options, seed=3, num_threads=2) as pool:
        together = list(play(pool))
    for env in (0, 5, N - 1):
        with make("Walk", num_envs=N, drift=drifts[env], seed=3) as alone:
            assert [rows[env] for rows in play(alone)] == [rows[env] for rows in together]


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_every_view_takes_them(env_type: str) -> None:
    with make("Count", env_type, env_options={"max_count": [1, 2, 3]}, seed=0) as pool:
        assert len(pool) == 3
        pool.reset()
        result = pool.step([0, 0, 0])
        ended = result.step_type == 2 if env_type == "dm" else result[2]
        assert ended.tolist() == [True, False, False]


def test_an_asynchronous_pool_takes_them() -> None:
    with make(
        "Walk", num_envs=6, batch_size=2, env_options={"drift": [1000.0 * i for i in range(6)]}
    ) as pool:
        pool.async_reset()
        for _ in range(30):
            _, reward, *_, info = pool.recv()
            assert (np.round(reward / 1000) % np.maximum(info["env_id"], 1) == 0).all()
            pool.send(np.ones(2, int), info["env_id"])


def test_the_common_value_is_overridden_and_what_is_not_named_stays() -> None:
    rows = [{}, {"gravity": 1.0}, {"colour": "green", "weights": [1, 2, 3.5]}]
    with make("Options", gravity=5.0, env_options=rows) as pool:
        _, info = pool.reset()
    assert info["number"].tolist() == [5.0, 1.0, 5.0]
    assert info["choice"].tolist() == [0, 0, 1]
    assert info["sum"].tolist() == [3.0, 3.0, 6.5]


def test_rows_of_a_table_are_values_of_an_array_option() -> None:
    table = np.arange(6.0).reshape(3, 2)
    pool = make("Options", env_options={"weights": table})
    table[:] = 99
    with pool, pickle.loads(pickle.dumps(pool)) as other:
        for each in (pool, other):
            assert each.reset()[1]["sum"].tolist() == [1.0, 5.0, 9.0]


def test_the_number_of_environments_follows() -> None:
    assert len(make("Walk", env_options=[{}, {}, {}])) == 3
    assert len(make("Walk", num_envs=2, env_options=[{}, {}])) == 2
    assert len(make(num_envs=3, env_options=None)) == 3


# ---- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        (
            [{"drift": 1}, {"drfit": 2}],
            ["test/Walk-v0, environment 1", "'drfit'", "Did you mean 'drift'?"],
        ),
        ([{"drift": 1}, {"drift": "far"}], ["environment 1: option 'drift' is 'far'", "a number"]),
        ({"drift": [0, 1, None]}, ["environment 2: option 'drift' is None"]),
        ([{"seed": 1}], ["environment 0: seed", "of the whole pool", "make(..., seed=...)"]),
        ({"num_threads": [1, 2]}, ["environment 0: num_threads", "of the whole pool"]),
        ({"drift": 1.0}, ["env_options['drift'] is 1.0", "one value per environment", "drift=1.0"]),
        ({"drift": "abc"}, ["env_options['drift'] is 'abc'", "one value per environment"]),
        ({"drift": np.array(1.0)}, ["one value per environment"]),
        ({"drift": []}, ["one value per environment"]),
        ({}, ["env_options is {}"]),
        ([], ["env_options is []", "one dict per environment"]),
        ("drift", ["env_options is 'drift'"]),
        (3, ["env_options is 3"]),
        ([{"drift": 1}, 2.0], ["2.0 for environment 1"]),
    ],
)
def test_what_they_may_be(given: Any, parts: list[str]) -> None:
    with refused(OptionError, *parts):
        make("Walk", env_options=given)


def test_lengths_must_agree() -> None:
    with refused(
        OptionError, "2 entries of env_options", "num_envs is 3", "leave num_envs out or pass 2"
    ):
        make("Walk", num_envs=3, env_options=[{}, {}])
    with refused(OptionError, "2 of 'gravity'", "3 of 'colour'"):
        make("Options", env_options={"gravity": [1, 2], "colour": ["red"] * 3})
    with refused(OptionError, "2 task ids and 3 entries of env_options"):
        parallel_pool.make(["test/Few-v0", "test/Few-v0"], env_options=[{}, {}, {}])
    with refused(OptionError, "2 task ids", "num_envs is 4"):
        parallel_pool.make(["test/Few-v0", "test/Few-v0"], num_envs=4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gravity", [1, 2]),
        ("gravity", np.ones(3)),
        ("size", [1, 2]),
        ("colour", ["red"]),
        ("verbose", (True,)),
    ],
)
def test_a_list_for_a_plain_option_is_told_the_way(name: str, value: Any) -> None:
    with refused(
        OptionError, f"'{name}' is", f"for one per environment: env_options={{'{name}': [...]}}"
    ):
        make("Options", num_envs=2, **{name: value})


def test_different_shapes_are_refused_with_their_reason() -> None:
    with refused(
        OptionError,
        "environments 0 (test/Options-v0) and 2 (test/Options-v0)",
        "observation",
        "(2,)",
        "(3,)",
        "'size' is 2 and 3",
        "give all of them the same",
    ):
        make("Options", env_options={"size": [2, 2, 3], "gravity": [1, 2, 3]})


def test_different_actions_are_refused_with_what_would_help() -> None:
    with refused(
        OptionError,
        "environments 0 (test/Few-v0) and 1 (test/Many-v0)",
        "action: Discrete(2) and Discrete(5)",
        "With all_buttons=True for all of them they agree",
    ):
        parallel_pool.make(["test/Few-v0", "test/Many-v0"])
    with parallel_pool.make(["test/Few-v0", "test/Many-v0"], all_buttons=True) as pool:
        assert pool.single_action_space.n == 10
        assert_works(pool)


def test_a_failing_description_names_the_environment() -> None:
    with refused(OptionError, "test/Faulty-v0, environment 1", "no such level"):
        make("Faulty", env_options={"fails_in": ["nowhere", "describe"]})


def test_a_spec_says_all_that_without_building() -> None:
    spec = make_spec("test/Faulty-v0", env_options={"fails_in": ["constructor", "nowhere"]})
    assert spec.config.num_envs == 2
    with refused(OptionError, "observation", "'size' is 1 and 2"):
        make_spec("test/Options-v0", env_options={"size": [1, 2]})


# ---- spaces --------------------------------------------------------------------------------------


def test_bounds_of_observations_may_differ_and_the_space_holds_all() -> None:
    with make("Mixed", env_options={"reach": [1, 5, 2]}) as pool:
        space = pool.single_observation_space
        assert (space.low.tolist(), space.high.tolist()) == ([-5.0, -5.0], [5.0, 5.0])
        obs, _ = pool.reset()
        assert pool.observation_space.contains(obs)
        obs, reward, *_ = pool.step([1, 1, 1])
        assert obs[:, 0].tolist() == reward.tolist() == [1, 5, 2]
        assert pool.observation_space.contains(obs)


# ---- several ids ---------------------------------------------------------------------------------


def test_several_ids() -> None:
    ids = ["Few-v0", "test/FewToo-v0", "test/Few-v0"]
    with parallel_pool.make(ids, env_options=[{}, {}, {"reach": 3}], seed=1) as pool:
        obs, _ = pool.reset()
        assert obs[:, 0].tolist() == [-1, -4, -3]
        assert pool.config["task_id"] == ["test/Few-v0", "test/FewToo-v0", "test/Few-v0"]
        assert pool.config["env_options"] == {"reach": [1, 4, 3]}
        assert pool.config["buttons"] == 2
        assert repr(pool).startswith("GymnasiumPool('test/Few-v0', 'test/FewToo-v0', num_envs=3")


def test_ids_of_different_native_environments_are_refused() -> None:
    with refused(OptionError, "0 (test/Count-v0) and 1 (test/Walk-v0)", "Make a pool for each"):
        parallel_pool.make(["test/Count-v0", "test/Walk-v0"])
    with refused(OptionError, "no task id"):
        make_spec([])


def test_one_time_limit_for_all() -> None:
    with refused(
        OptionError,
        "0 (test/Few-v0) and 1 (test/Short-v0)",
        "none and 7 steps",
        "max_episode_steps=7",
    ):
        parallel_pool.make(["test/Few-v0", "test/Short-v0"])
    with parallel_pool.make(["test/Few-v0", "test/Short-v0"], max_episode_steps=2) as pool:
        pool.reset()
        pool.step([0, 0])
        assert pool.step([0, 0])[3].tolist() == [True, True]
    assert make_spec(["test/Short-v0"] * 2).max_episode_steps == 7


# ---- config, spec, pickles, states ---------------------------------------------------------------


def test_config_makes_the_same_pool_again() -> None:
    with (
        make(
            "Options", gravity=4.0, verbose=True, env_options={"gravity": [1.0, 2.0]}, seed=[5, 6]
        ) as pool,
        parallel_pool.make(**pool.config) as other,
    ):
        assert pool.config["env_options"] == {"gravity": [1.0, 2.0]}
        assert pool.config["gravity"] == 4.0
        assert other.config == pool.config
        assert other.reset()[1]["number"].tolist() == [1.0, 2.0]


def test_options_that_agree_after_all_are_shown_as_what_they_are() -> None:
    with make("Options", env_options=[{"gravity": 2}, {"gravity": 2.0}]) as pool:
        assert pool.config["env_options"] is None
        assert pool.config["gravity"] == 2.0


@pytest.mark.parametrize("include_state", [False, True])
def test_a_pickled_pool_has_them(include_state: bool) -> None:
    with make("Walk", env_options={"drift": DRIFTS}, seed=9) as pool:
        pool.reset()
        pool.step(np.zeros(N, int))
        with pickle.loads(pool.pickled(include_state=include_state)) as other:
            assert other.config["env_options"] == {"drift": DRIFTS.tolist()}
            if include_state:
                left, right = pool.step(np.ones(N, int)), other.step(np.ones(N, int))
                assert left[0].tolist() == right[0].tolist()
            else:
                assert other.reset(seed=9)[0].tolist() == pool.reset(seed=9)[0].tolist()


def test_a_state_fits_an_environment_of_the_same_options_only() -> None:
    with make("Walk", env_options={"drift": [0.5, 1.5, 0.5]}, seed=2) as pool:
        pool.reset()
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
    assert len(spec._config.variants.distinct) == 2
    options = spec._config.variants.options
    assert len(options) == 5000
    assert len({id(each) for each in options}) == 2
