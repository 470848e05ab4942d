"""Policies of libraries: torch modules, models of Stable-Baselines3, functions that JAX compiled."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from test_envs.libraries import needed

SEEDS = range(30)


def played(policy: Any, *, rows: int = 8, **arguments: Any) -> list[tuple[float, int, int]]:
    """Return, length and fingerprint of an episode of CartPole for each seed."""
    with parallel_pool.make("CartPole-v1", **{"num_envs": 8, **arguments}) as envs:
        found = envs.episodes(policy, SEEDS, rows=rows)
        return [(each.return_, each.length, each.fingerprint) for each in found]


@pytest.mark.parametrize("kind", ["module", "function", "compiled", "model"])
def test_the_same_for_any_pool(kind: str) -> None:
    """Networks round differently for other numbers of rows, and each call has as many here."""
    seen: list[int] = []
    policy: Any
    if kind == "compiled":
        jax = needed("jax")
        weights = np.random.default_rng(0).normal(size=(4, 2)).astype(np.float32)
        policy = jax.jit(lambda obs: jax.numpy.tanh(obs @ weights))
    elif kind == "model":
        stable = needed("stable_baselines3")
        policy = stable.PPO(
            "MlpPolicy", parallel_pool.SingleEnv("CartPole-v1"), seed=0, device="cpu"
        )
    else:
        torch = needed("torch")
        torch.manual_seed(0)
        module = torch.nn.Sequential(
            torch.nn.Linear(4, 64), torch.nn.Dropout(0.5), torch.nn.Tanh(), torch.nn.Linear(64, 2)
        )
        module.register_forward_pre_hook(lambda _, given: seen.append(len(given[0])))
        module[1].eval()
        policy = module
        if kind == "function":
            module.eval()

            def policy(obs: np.ndarray) -> Any:
                return module(torch.from_numpy(obs)).argmax(1)

    first = played(policy)
    assert len({each[2] for each in first}) == len(SEEDS)
    assert played(policy, num_envs=3, autoreset_mode="SameStep") == first
    assert played(policy, num_envs=20, batch_size=6) == first
    if kind == "module":
        assert set(seen) == {8}
        assert played(policy, output="torch", num_envs=5) == first
        # It is as it was: what trained trains, what did not does not.
        assert [each.training for each in policy.modules()] == [True, True, False, True, True]
