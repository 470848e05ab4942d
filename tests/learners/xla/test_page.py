"""The code of docs/jax.md runs as it stands."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import parallel_pool
from test_envs.code_blocks import BLOCK, DOCS

PAGE = DOCS / "jax.md"


def test_the_programs_of_the_page() -> None:
    rollout, resets = BLOCK.findall(PAGE.read_text("utf-8"))

    def policy(obs: Any, key: Any) -> Any:
        return jax.random.bernoulli(key, 0.5, (obs.shape[0],)).astype(jnp.int32)

    names: dict[str, Any] = {"policy": policy}
    exec(rollout, names)
    keys = jax.random.split(jax.random.key(0), 5)
    _, (obs, action, reward, _) = names["rollout"](names["handle"], names["obs"], keys)
    assert obs.shape == (5, 1024, 4)
    assert action.shape == reward.shape == (5, 1024)
    names["envs"].close()

    with parallel_pool.make("CartPole-v1", num_envs=4, autoreset_mode="Disabled") as envs:
        envs.reset(seed=0)
        names = {"envs": envs, "handle": envs.xla().handle, "action": np.zeros(4, np.int32)}
        exec(resets, names)
        assert names["obs"].shape == (4, 4)
