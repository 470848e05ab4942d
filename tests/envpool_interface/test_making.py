"""EnvPool's make functions: ids, arguments, defaults, errors. What is asserted of EnvPool was seen in 1.2.5."""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.vector import VectorEnv
from parallel_pool import envpool
from parallel_pool.errors import OptionError, UnknownEnvError

NAMES = [
    *("register", "make", "make_dm", "make_gym", "make_gymnasium", "make_spec", "list_all_envs"),
    *("EnvSpec", "EnvPool", "DMEnvPool", "GymnasiumEnvPool", "__version__"),
]
GYMNASIUM = (envpool.GymnasiumEnvPool, envpool.EnvPool, VectorEnv, gymnasium.Env)
DM = (envpool.DMEnvPool,)


def test_every_public_name_is_there() -> None:
    assert set(NAMES) <= set(envpool.__all__)
    assert all(hasattr(envpool, name) for name in NAMES)
    assert envpool.__version__ == parallel_pool.__version__


@pytest.mark.parametrize(
    ("make", "kinds"),
    [
        *((partial(envpool.make, env_type=each), GYMNASIUM) for each in ("gym", "gymnasium")),
        *((make, GYMNASIUM) for make in (envpool.make_gym, envpool.make_gymnasium)),
        *((make, DM) for make in (envpool.make_dm, partial(envpool.make, env_type="dm"))),
    ],
)
def test_the_functions_of_each_type(make: Any, kinds: tuple[type, ...]) -> None:
    with make("CartPole-v1") as pool:
        assert all(isinstance(pool, kind) for kind in kinds)
        assert len(pool) == 1


def test_ids_are_bare() -> None:
    ids = envpool.list_all_envs()
    assert {"CartPole-v1", "phys2d/CartPole-v1", "Taxi-v3", "tabular/Blackjack-v0"} <= set(ids)
    assert "classic/CartPole-v1" not in ids
    for task_id in ("CartPole-v0", "CartPole-v1", "Pendulum-v0", "CliffWalking-v0", "NChain-v0"):
        assert task_id in ids
        assert envpool.make_spec(task_id).config.num_envs == 1


def test_arguments_have_envpools_defaults_and_order() -> None:
    config = envpool.make_spec("CartPole-v1", num_envs=3).config
    assert config._fields[:11] == (
        *("num_envs", "batch_size", "num_threads", "max_num_players", "thread_affinity_offset"),
        *("base_path", "seed", "env_seed", "gym_reset_return_info", "max_episode_steps"),
        "reward_threshold",
    )
    assert (config.num_envs, config.batch_size, config.max_num_players) == (3, 3, 1)
    assert (config.seed, config.env_seed, config.gym_reset_return_info) == (42, [], True)
    assert (config.max_episode_steps, config.reward_threshold) == (500, 475.0)
    assert config.thread_affinity_offset == -1
    assert isinstance(config.base_path, str)
    assert envpool.make_spec("Blackjack-v1").config.max_episode_steps == 2**31 - 1


def first_obs(**arguments: Any) -> Any:
    with envpool.make_gymnasium("CartPole-v1", num_envs=2, **arguments) as pool:
        return pool.reset()[0].tolist()


def test_seeds() -> None:
    assert first_obs() == first_obs(seed=42) != first_obs(seed=43)
    assert first_obs(seed=[42, 43]) == first_obs() == first_obs(env_seed=np.array([42, 43]))
    assert first_obs(seed=-1) == first_obs(env_seed=[2**32 - 1, 0])
    assert first_obs(seed=None) != first_obs(seed=None)
    config = envpool.make_spec("CartPole-v1", num_envs=2, seed=(7, 8)).config
    assert (config.seed, config.env_seed) == (0, [7, 8])
    assert envpool.make_spec("CartPole-v1", seed=-5).config.seed == -5


@pytest.mark.parametrize(
    "arguments",
    [
        {"base_path": "/somewhere"},
        {"max_num_players": 2},
        {"from_pixels": False},
        {"num_threads": 0, "batch_size": 0},
        {"max_episode_steps": 2**31 - 1},
        {"gym_reset_return_info": True},
        {"render_mode": None, "render_env_id": 0, "render_width": 0, "render_camera_id": -1},
    ],
)
def test_arguments_that_are_taken(arguments: dict[str, Any]) -> None:
    with envpool.make_gym("CartPole-v1", **arguments) as pool:
        pool.reset()
    assert envpool.make_spec("CartPole-v1", base_path="/x").config.base_path == "/x"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_envs": 0}, "num_envs is 0"),
        ({"num_envs": 2, "batch_size": 3}, "batch_size is 3"),
        ({"max_num_players": 0}, "max_num_players is 0"),
        ({"num_envs": 2, "seed": [1]}, "1 seeds for 2 environments"),
        ({"seed": [1], "env_seed": [1]}, "seeds are given twice"),
        ({"env_seed": 1}, "env_seed is 1"),
        ({"render_mode": "ansi"}, "render_mode is 'ansi'"),
        ({"gym_reset_return_info": False}, r"parallel_pool\.envpool\.legacy"),
    ],
)
def test_refusals_are_assertions_and_value_errors(arguments: dict[str, Any], words: str) -> None:
    for kind in (AssertionError, ValueError, OptionError):
        with pytest.raises(kind, match=words):
            envpool.make_gymnasium("CartPole-v1", **arguments)


def test_an_unknown_id_is_an_assertion() -> None:
    for kind in (AssertionError, UnknownEnvError):
        with pytest.raises(kind, match="Nothing-v1"):
            envpool.make("Nothing-v1", env_type="gym")


def test_an_unknown_type_is_an_assertion() -> None:
    with pytest.raises(AssertionError, match="'dm', 'gym' or 'gymnasium'"):
        envpool.make("CartPole-v1", "pettingzoo")
    with pytest.raises(TypeError, match="env_type"):
        envpool.make("CartPole-v1")  # type: ignore[call-overload]


def test_an_unknown_argument_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'") as caught:
        envpool.make_gymnasium("CartPole-v1", foo=1)
    assert not isinstance(caught.value, AssertionError)
    with pytest.raises(ValueError, match="from_pixels"):
        envpool.make_gymnasium("CartPole-v1", from_pixels=True)
