"""Environments by way of gymnasium.make_vec and gymnasium.make."""

import copy
import os
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.utils.env_checker import check_env
from parallel_pool import EnvSpec, OptionError, ResetNeededError, ThreadPool
from parallel_pool.views.gymnasium import GymnasiumPool
from parallel_pool.views.single import SingleEnv
from test_envs.checks import refused
from test_envs.programs import python


@pytest.fixture(autouse=True)
def _registered(test_envs: None) -> None:
    """Another test may have imported parallel_pool before gymnasium."""
    parallel_pool.register_gymnasium()


def run(code: str) -> str:
    """The output of a process that runs `code` with warnings as errors."""
    return python("-W", "error", "-c", code).strip()


def register_count(id: str) -> None:
    parallel_pool.register(EnvSpec(id, native="test/Count-v0"), library=os.environ["PP_TEST_ENVS"])


EACH_NAME = """
for id in ("ParallelPool/CartPole-v1", "classic/CartPole-v1"):
    for name in ("parallel_pool.gymnasium:" + id, id):
        gymnasium.make_vec(name, num_envs=2).close()
        gymnasium.make(name).close()
"""


def test_importing_without_gymnasium_loads_none() -> None:
    code = """
import parallel_pool, sys
assert not {"gymnasium", "numpy", "pluggy", "parallel_pool.registry"} & set(sys.modules)
import gymnasium
parallel_pool.register_gymnasium()
parallel_pool.register_gymnasium()
assert "parallel_pool._core" not in sys.modules, "ids need no library"
"""
    run(code + EACH_NAME)


def test_the_package_alone_changes_nothing_of_gymnasiums() -> None:
    code = """
import gymnasium, sys
before = dict(gymnasium.registry), list(sys.meta_path)
import parallel_pool
parallel_pool.register(parallel_pool.EnvSpec("some/Env-v0"), library="/nowhere.so")
assert (gymnasium.registry, sys.meta_path) == before
import parallel_pool.gymnasium
parallel_pool.register(parallel_pool.EnvSpec("some/Other-v0"), library="/nowhere.so")
print(*(each for each in gymnasium.registry if each.startswith("some/")))
"""
    assert run(code + EACH_NAME) == "some/Env-v0 some/Other-v0"


def test_a_plugin_that_is_being_imported_is_not_asked() -> None:
    """It imports us before its hooks are there; it must count as neither broken nor empty."""
    code = """
import gymnasium, parallel_pool_classic._plugin, parallel_pool
assert "classic/CartPole-v1" in parallel_pool.list_all_envs()
parallel_pool.register_gymnasium()
gymnasium.make_vec("parallel_pool.gymnasium:ParallelPool/CartPole-v1").close()
"""
    run(code)


def test_equal_names_of_two_families_do_not_retire_each_other() -> None:
    """As the Atari game Blackjack-v5 and the card game Blackjack-v1 would."""
    for id in ("test_cards/Patience-v1", "test_games/Patience-v5"):
        register_count(id)
    with warnings.catch_warnings(action="error"):
        for id in (
            "ParallelPool/Patience-v1",
            "ParallelPool/Patience-v5",
            "test_cards/Patience-v1",
            "test_games/Patience-v5",
        ):
            env = gymnasium.make_vec(id, num_envs=2)
            assert env.spec is not None
            assert env.spec.id.endswith(id.partition("/")[2])
            env.close()


def test_a_bare_id_that_becomes_ambiguous_goes() -> None:
    register_count("test_one/Twice-v0")
    assert gymnasium.spec("ParallelPool/Twice-v0").id == "test_one/Twice-v0"
    register_count("test_two/Twice-v0")
    assert "ParallelPool/Twice-v0" not in gymnasium.registry
    assert gymnasium.spec("test_one/Twice-v0").id == "test_one/Twice-v0"


def test_ids_of_others_are_left_alone() -> None:
    gymnasium.register("test_mine/Taken-v0", entry_point="somewhere:Else")
    register_count("test_mine/Taken-v0")
    assert gymnasium.spec("test_mine/Taken-v0").entry_point == "somewhere:Else"
    assert gymnasium.spec("ParallelPool/Taken-v0").id == "test_mine/Taken-v0"


def test_arguments_reach_the_pool() -> None:
    env: Any = gymnasium.make_vec(
        "ParallelPool/Count-v0",
        num_envs=3,
        max_count=2,
        num_threads=1,
        autoreset_mode="SameStep",
        max_episode_steps=7,
        render_mode=None,
    )
    assert isinstance(env, GymnasiumPool)
    assert env.config["max_count"] == 2
    assert env.config["max_episode_steps"] == 7
    assert env.autoreset_mode is gymnasium.vector.AutoresetMode.SAME_STEP
    env.close()
    with refused(OptionError, "max_cuont"):
        gymnasium.make_vec("ParallelPool/Count-v0", max_cuont=2)


def test_the_spec_survives_what_gymnasium_writes() -> None:
    env: Any = gymnasium.make_vec("ParallelPool/Count-v0", num_envs=3, max_count=2)
    assert env.spec.kwargs["vectorization_mode"] == "vector_entry_point"
    assert env.spec.kwargs["num_envs"] == 3
    assert env.spec.config.num_envs == 3
    assert env.spec.config.max_count == 2
    assert env.spec.observation_space == env.single_observation_space
    assert env.spec.action_space == env.single_action_space
    assert env.spec.action_spec().num_values == 3
    env.spec.id = "Mine-v0"
    spec = pickle.loads(pickle.dumps(env.spec))
    assert spec == env.spec
    assert (spec.id, spec.config) == ("Mine-v0", env.spec.config)
    env.spec = None
    assert env.spec.config.num_envs == 3
    env.close()


@pytest.mark.parametrize("made_by", ["gymnasium", "us"])
def test_a_pool_can_be_made_from_the_spec_of_another(made_by: str) -> None:
    arguments: Any = {"num_envs": 3, "max_count": 2, "autoreset_mode": "Disabled"}
    make = gymnasium.make_vec if made_by == "gymnasium" else parallel_pool.make
    first: Any = make("test/Count-v0", **arguments)
    kwargs = dict(first.spec.kwargs)
    second: Any = gymnasium.make_vec(first.spec)
    assert first.spec.kwargs == kwargs
    for env in (first, second):
        for name, value in arguments.items():
            assert env.config[name] == value
        env.close()
    if made_by == "gymnasium":
        assert second.spec == first.spec


def test_gymnasiums_own_processes() -> None:
    code = """
import gymnasium, numpy, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of fork with threads
env = gymnasium.make_vec("parallel_pool.gymnasium:ParallelPool/CartPole-v1", 2, vectorization_mode="async")
obs, _ = env.reset(seed=0)
env.step(numpy.zeros(2, int))
env.close()
print(obs.shape)
"""
    assert run(code) == "(2, 4)"


@pytest.mark.parametrize(
    ("name", "limit", "steps"),
    [
        ("classic/CartPole-v1", 700, 700),
        ("classic/CartPole-v1", 3, 3),
        ("test/Discount-v0", None, 3),
    ],
)
def test_time_limits_of_gymnasium_make(name: str, limit: int | None, steps: int) -> None:
    env: Any = gymnasium.make(name, max_episode_steps=limit)
    assert env.unwrapped.config["max_episode_steps"] in (3, 2**31 - 1)
    obs, _ = env.reset(seed=0)
    for step in range(1, steps + 1):
        # Balances for as long as one likes.
        action = (
            int(obs[2] + 0.3 * obs[3] + 0.02 * obs[0] + 0.05 * obs[1] > 0) if len(obs) == 4 else 0
        )
        obs, _, terminated, truncated, _ = env.step(action)
        assert not terminated
        assert truncated == (step == steps)
    env.close()


@pytest.mark.parametrize("name", ["Count", "Walk", "Types", "Echo", "Discount"])
@pytest.mark.filterwarnings("ignore:.*Box.*space m.*imum value is .*infinity")
def test_single_environments_pass_gymnasiums_check(name: str) -> None:
    check_env(gymnasium.make(f"ParallelPool/{name}-v0").unwrapped)


def test_answers_of_a_single_environment_have_no_batch() -> None:
    env = SingleEnv("test/Count-v0", max_count=2)
    obs, info = env.reset(seed=4)
    assert (obs.shape, obs.dtype, info) == ((), np.int32, {"elapsed_step": 0, "total": 0.0})
    env.step(2)
    obs, reward, terminated, truncated, info = env.step(np.int64(1))
    assert (obs, info) == (2, {"elapsed_step": 2, "total": 3.0})
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert [type(each) for each in (reward, terminated, truncated)] == [float, bool, bool]
    with refused(ResetNeededError, "has ended"):
        env.step(0)
    with refused(OptionError, "difficulty"):
        env.reset(options={"difficulty": 1})
    env.close()
    env.close()


def test_make_vec_takes_a_thread_pool_and_its_spec_forgets_it() -> None:
    with ThreadPool(2) as threads:
        env: Any = gymnasium.make_vec("test/Walk-v0", num_envs=4, thread_pool=threads)
        assert threads.num_pools == 1
        assert "thread_pool" not in pickle.loads(pickle.dumps(env.spec)).kwargs
        again: Any = gymnasium.make_vec(env.spec)
        assert threads.num_pools == 1
        again.close()
        env.close()


def test_a_copied_spec_makes_a_single_environment() -> None:
    with parallel_pool.make("test/Walk-v0", env_options={"drift": [2.0, 3.0]}) as pool:
        single = gymnasium.make(copy.deepcopy(SingleEnv("test/Walk-v0", drift=2.0).spec))
        obs, _ = single.reset(seed=0)
        assert pool.reset(seed=0)[0][0].tolist() == obs.tolist()
        single.close()
