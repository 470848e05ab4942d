"""Results without rows: EnvPool returns them where no environment is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.envpool.array_spec import ArraySpec
from parallel_pool.envpool.records import nested
from parallel_pool.schema.fields import tree_of


def names_none(env_id: Any, action: Any = None) -> bool:
    """Whether env_id, or else the one of a dict of actions, is there and empty."""
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
