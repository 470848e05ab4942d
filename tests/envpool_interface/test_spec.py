"""EnvPool's spec object, attribute by attribute. What is asserted of CartPole-v1 was seen in 1.2.5."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from dm_env import specs
from parallel_pool import envpool

STATE = [
    *("info:env_id", "info:players.env_id", "elapsed_step", "done", "reward", "discount"),
    *("step_type", "trunc", "obs"),
]


def test_the_arrays_of_an_answer() -> None:
    spec = envpool.make_spec("CartPole-v1")
    arrays = spec.state_array_spec
    assert list(arrays) == spec._state_keys == STATE
    assert {name: (str(each.dtype), each.shape) for name, each in arrays.items()} == {
        "info:env_id": ("int32", []),
        "info:players.env_id": ("int32", [-1]),
        "elapsed_step": ("int32", []),
        "done": ("bool", []),
        "reward": ("float32", [-1]),
        "discount": ("float32", [-1]),
        "step_type": ("int32", []),
        "trunc": ("bool", []),
        "obs": ("float32", [4]),
    }
    assert arrays["obs"].maximum.tolist() == np.float32([4.8, np.inf, 0.41887903, np.inf]).tolist()
    assert (arrays["reward"].minimum, arrays["reward"].maximum) == (-np.inf, np.inf)
    assert (arrays["done"].minimum, arrays["done"].maximum) == (False, True)
    assert not arrays["obs"].is_discrete
    assert repr(arrays["done"]) == "ArraySpec(shape=[], dtype=bool, minimum=False, maximum=True)"


def test_the_arrays_of_an_action() -> None:
    spec = envpool.make_spec("CartPole-v1")
    arrays = spec.action_array_spec
    assert list(arrays) == spec._action_keys == ["env_id", "players.env_id", "action"]
    action = arrays["action"]
    assert (str(action.dtype), action.shape) == ("int32", [-1])
    assert (action.minimum, action.maximum) == (0, 1)
    pendulum = envpool.make_spec("Pendulum-v1").action_array_spec["action"]
    assert (str(pendulum.dtype), pendulum.shape) == ("float32", [-1, 1])
    assert (pendulum.minimum, pendulum.maximum) == (-2.0, 2.0)


def test_array_specs_are_made_of_tuples() -> None:
    spec = envpool.make_spec("CartPole-v1")
    for raw, each in zip(spec._state_spec, spec.state_array_spec.values(), strict=True):
        again = envpool.ArraySpec(*raw)
        assert repr(again) == repr(each)
    assert spec._action_spec[-1] == (np.dtype("int32"), [-1], (0, 1), ([], []), False)


@pytest.mark.parametrize(
    ("task_id", "key", "shape"),
    [
        ("FrozenLake-v1", "obs", [-1]),  # one number per player
        ("Acrobot-v1", "info:state", [2]),
        ("Blackjack-v1", "obs", [3]),  # a Box, not Gymnasium's Tuple
        ("Catch-v0", "obs", [10, 5]),
    ],
)
def test_shapes(task_id: str, key: str, shape: list[int]) -> None:
    assert envpool.make_spec(task_id).state_array_spec[key].shape == shape


def test_spaces() -> None:
    spec = envpool.make_spec("CartPole-v1")
    assert spec.gymnasium_observation_space == spec.observation_space
    assert spec.gymnasium_action_space == spec.action_space == gymnasium.spaces.Discrete(2)
    assert envpool.make_spec("Blackjack-v1").observation_space == gymnasium.spaces.Box(
        0, 31, (3,), np.int32
    )


def test_dm_specs() -> None:
    spec = envpool.make_spec("CartPole-v1")
    state = spec.observation_spec()
    assert state._fields == ("env_id", "players", "obs")
    assert state.players._fields == ("env_id",)
    assert isinstance(state.obs, specs.BoundedArray)
    assert (state.obs.shape, state.obs.name) == ((4,), "obs")
    action = spec.action_spec()
    assert isinstance(action, specs.DiscreteArray)
    assert (action.num_values, action.name) == (2, "action")
    pendulum = envpool.make_spec("Pendulum-v1").action_spec()
    assert pendulum.minimum == -2.0, "a number where all elements have the same"


def test_a_config_makes_a_spec() -> None:
    spec = envpool.make_spec("CartPole-v1", num_envs=2)
    cls = type(spec)
    assert cls.__name__ == "CartPoleEnvSpec"
    config = cls.gen_config(num_envs=4, batch_size=2, max_episode_steps=7)
    assert type(config).__name__ == "Config"
    assert (config.seed, config.num_threads, config.max_episode_steps) == (42, 0, 7)
    other = cls(config)
    assert (other.config.num_envs, other.config.batch_size) == (4, 2)
    assert other.config.max_episode_steps == 7
    assert cls(spec.config).config == spec.config
    assert spec.gen_config is cls.gen_config
    assert type(spec.config) is cls.gen_config
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        cls.gen_config(foo=1)
    defaults = dict(zip(cls._config_keys, cls._default_config_values, strict=True))
    defaults["num_envs"] = 3
    assert cls(tuple(defaults.values())).config.num_envs == 3
    assert spec._config_values == tuple(spec.config)


def test_reward_threshold_and_repr() -> None:
    spec = envpool.make_spec("CartPole-v1", num_envs=3)
    assert spec.reward_threshold == 475.0
    assert envpool.make_spec("NChain-v0").reward_threshold is None
    assert repr(spec).startswith("CartPoleEnvSpec(num_envs=3,")


def test_a_spec_is_gymnasiums_too() -> None:
    spec = envpool.make_spec("CartPole-v1", num_envs=2, seed=[1, 2])
    assert isinstance(spec, gymnasium.envs.registration.EnvSpec)
    assert spec.id == "classic/CartPole-v1"
    again = pickle.loads(pickle.dumps(spec))
    assert again.config == copy.deepcopy(spec).config == spec.config
    assert type(again) is type(spec)
