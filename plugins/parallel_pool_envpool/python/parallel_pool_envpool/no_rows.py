"""Results without rows: EnvPool returns them where no environment is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from parallel_pool.pool_api import PoolConfig, tree_of

from parallel_pool_envpool.array_spec import ArraySpec
from parallel_pool_envpool.records import nested


def names_none(env_id: Any, action: Any = None) -> bool:
    """Returns True if env_id, or else the one of a dict of actions, is there and empty."""
    if env_id is None and isinstance(action, Mapping):
        env_id = action.get("env_id")
    return env_id is not None and np.ndim(env_id) == 1 and len(env_id) == 0


def no_obs(config: PoolConfig) -> Any:
    """An observation without rows."""
    return tree_of(
        config.fields, "obs", lambda _, field: np.zeros((0, *field["shape"]), field["dtype"])
    )


def no_infos(arrays: Mapping[str, ArraySpec]) -> dict[str, Any]:
    """The infos of a `state_array_spec`, without rows."""
    return nested(
        {
            key.removeprefix("info:"): np.zeros(
                (0, *(size for size in each.shape if size != -1)), each.dtype
            )
            for key, each in arrays.items()
            if key.startswith("info:")
        }
    )
