"""What a pool refuses its adapters refuse with the pool's words, and a refusal loses no row. So do pools that a
library cannot use.
"""

import importlib
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import ClosedPoolError
from test_envs.bad_actions import BAD, CART_POLE, PENDULUM, N, told
from test_envs.checks import refused
from test_envs.libraries import ADAPTERS, adapter, needed

NUMPY = [name for name in ADAPTERS if name != "torchrl"]
NAN = float("nan")


@pytest.mark.parametrize("task", [CART_POLE, PENDULUM])
@pytest.mark.parametrize("name", NUMPY)
def test_bad_actions_are_refused_as_by_a_pool(name: str, task: str) -> None:
    env = adapter(name, task, N, seed=5)
    mode = env.pool.config["autoreset_mode"]
    pool = parallel_pool.make(task, num_envs=N, autoreset_mode=mode, seed=5)
    good = np.zeros(N if task == CART_POLE else (N, 1), int)
    for bad in BAD:
        if bad.task_id != task or bad.env_id is not None or bad.options or bad.action is None:
            continue  # None is told apart by whoever sends
        env.reset()
        pool.reset()
        assert told(env.step, bad.action) == told(pool.step, bad.action)
        obs, reward = env.step(good)[:2]
        expected = pool.step(good)
        np.testing.assert_array_equal(obs, expected[0])
        np.testing.assert_array_equal(reward, expected[1].astype(reward.dtype))
    env.close()
    pool.close()


@pytest.mark.parametrize("encoding", [False, True], ids=["one_hot", "numbers"])
def test_torchrl_refuses_them_too(encoding: bool) -> None:
    env = adapter("torchrl", categorical_action_encoding=encoding)
    import torch

    numbers = [[0, 1, 7], [0, 1, -1], [0.0, 1.0, 0.5], [[0], [1], [0]], [True, False, True]]
    one_hot = [[0, 0], [1, 1], [0, 2], [0, -1], [0.0, NAN], [0, 0, 1], [1]]
    for bad in numbers if encoding else [*numbers, *([row] * 3 for row in one_hot)]:
        begun = env.reset()
        with pytest.raises((TypeError, ValueError)):
            env.step(begun.set("action", torch.as_tensor(bad)))
        env.step(env.rand_action(env.reset()))
    if not encoding:
        for dtype in (torch.bool, torch.int64, torch.float32):
            env.step(env.reset().set("action", torch.tensor([[0, 1]] * 3).to(dtype)))
    env.close()


@pytest.mark.parametrize("name", ADAPTERS)
def test_a_closed_pool_says_so(name: str) -> None:
    env = adapter(name)
    begun = env.reset()
    env.pool.close()
    with pytest.raises(ClosedPoolError):
        env.reset()
    with pytest.raises(ClosedPoolError):
        env.step(env.rand_action(begun) if name == "torchrl" else [0, 1, 1])
    env.close()


@pytest.mark.parametrize("name", ADAPTERS)
@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, NAN], ids=str)
def test_what_is_no_seed_is_refused(name: str, seed: Any) -> None:
    env = adapter(name)
    with pytest.raises(OptionError, match="seed"):
        (env.set_seed if name == "torchrl" else env.seed)(seed)
    env.reset()
    env.close()


def test_seeds_of_tianshou() -> None:
    env = adapter("tianshou")
    for good in (7, np.int64(7), [7, 8, 9], np.array([7, 8, 9])):
        assert env.seed(good) == [[7], [8], [9]]
    for bad in ("a", [1, 2], [1, -2, 3], True):
        with pytest.raises(OptionError, match="seed"):
            env.seed(bad)
    env.close()


def test_environments_of_sb3_that_are_not_there() -> None:
    env = adapter("sb3")
    for bad in ([9], [-9], 3):
        with pytest.raises(IndexError, match=r"not in 0 \.\. 2"):
            env.get_attr("spec", bad)
    env.close()


NEEDED = {
    "cleanrl": ("CleanRL", "SameStep", "make_vec_env", "FinalInfoToList"),
    "rl_games": ("rl_games", "SameStep", "make_vec_env", "RLGamesVecEnv"),
    "sb3": ("Stable-Baselines3", "SameStep", "make_vec_env", "SB3VecEnv"),
    "skrl": ("skrl", "SameStep", "make_env", "wrap_env"),
    "tianshou": ("Tianshou", "Disabled", "make_vector_env", "TianshouVectorEnv"),
    "torchrl": ("TorchRL", "Disabled", "make_env", "TorchRLEnv"),
}
"""By adapter: how it names its library, the mode that this needs, what makes its environments, of pools too."""


@pytest.mark.parametrize("name", NEEDED)
def test_pools_that_a_library_cannot_use(name: str) -> None:
    title, mode, *functions = NEEDED[name]
    if name != "cleanrl":  # which needs none
        needed("stable_baselines3" if name == "sb3" else name)
    module = importlib.import_module(f"parallel_pool_learning.{name}")
    make, wrap = (getattr(module, function) for function in functions)
    for other in {"NextStep", "SameStep", "Disabled"} - {mode}:
        words = (f"{title} needs autoreset_mode='{mode}'", f"this pool has '{other}'")
        call = f"parallel_pool.make('classic/CartPole-v1', num_envs=3, autoreset_mode='{mode}')"
        with refused(OptionError, *words, call):
            make("CartPole-v1", 3, autoreset_mode=other)
        with (
            parallel_pool.make("CartPole-v1", num_envs=3, autoreset_mode=other) as pool,
            refused(OptionError, *words),
        ):
            wrap(pool)
    if name in ADAPTERS:
        with refused(OptionError, "in a Tuple", "Blackjack"):
            make("Blackjack-v1", 3)
        with refused(OptionError, "leave out batch_size"):
            make("CartPole-v1", 3, batch_size=1)
    with refused(TypeError, "a pool of env_type 'gymnasium'", "not a CartPoleVectorEnv"):
        wrap(gymnasium.make_vec("CartPole-v1", 3))
