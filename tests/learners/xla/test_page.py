"""The programs of docs/jax.md run alone, as they stand."""

from typing import Any

import numpy as np
from test_envs.code_blocks import DOCS, blocks


def test_the_programs_of_the_page() -> None:
    rollout, resets = blocks(DOCS / "jax.md")

    names: dict[str, Any] = {}
    exec(rollout, names)
    obs, action, reward, _ = names["steps"]
    assert obs.shape == (128, 1024, 4)
    assert action.shape == reward.shape == (128, 1024)
    assert set(np.unique(action)) == {0, 1}
    names["envs"].close()

    names = {}
    exec(resets, names)
    assert names["obs"].shape == (4, 4)
    names["envs"].close()
