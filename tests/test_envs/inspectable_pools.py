"""Pools of inspectable.cpp: environments to look into, in this process or in worker processes."""

from typing import Any

import parallel_pool

NAMES = ["Inspectable", "InspectableBatch"]

WHERE: dict[str, Any] = {}


def make(name: str, env_type: str = "gymnasium", num_envs: int = 6, **arguments: Any) -> Any:
    arguments = {**WHERE, **arguments}
    return parallel_pool.make(f"inspectable/{name}-v0", env_type, num_envs=num_envs, **arguments)
