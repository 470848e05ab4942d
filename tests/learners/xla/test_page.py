"""The programs of docs/jax.md run alone, as they stand."""

from typing import Any

import numpy as np
from test_envs.code_blocks import DOCS, blocks


def test_the_programs_of_the_page() -> None:
    rollout, ppo, resets = blocks(DOCS / "jax.md")

    names: dict[str, Any] = {}
    exec(rollout, names)
    obs, action, reward, _ = names["steps"]
    assert obs.shape == (128, 1024, 4)
    assert action.shape == reward.shape == (128, 1024)
    assert set(np.unique(action)) == {0, 1}
    names["envs"].close()

    names = {}
    exec(ppo, names)
    returns = np.asarray(names["returns"])
    assert np.nanmean(returns[-5:]) > 2 * np.nanmean(returns[:5])
    params, _ = names["train"]("Pong-v5", num_envs=2, num_steps=4, updates=1, epochs=1)
    assert all(np.isfinite(each).all() for each in names["jax"].tree.leaves(params))

    names = {}
    exec(resets, names)
    assert names["obs"].shape == (4, 4)
    names["envs"].close()
