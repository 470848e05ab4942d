"""A driver of EnvPool's pools, where it is installed."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from measuring.baselines import (
    Absent,
    Task,
    drive,
    effective_options,
    module_of,
)
from measuring.drivers import Driver


def envpool(task: Task, *, name: str = "EnvPool") -> Driver:
    """EnvPool, with those of the options that it has."""
    module = module_of("envpool")
    known = module.list_all_envs()
    if task.bare_id not in known:
        raise Absent(f"EnvPool has no {task.bare_id}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # gymnasium's remarks on its spaces
        accepted = module.make_spec(task.bare_id).config._fields
        options = {key: value for key, value in effective_options(task).items() if key in accepted}
        env = module.make(task.bare_id, env_type="gymnasium", **{**options, **task.sizes})
        return drive(name, _EnvPoolSpaces(env), task, integers=np.int32)


class _EnvPoolSpaces:
    """EnvPool's `action_space` is that of one environment."""

    def __init__(self, env: Any) -> None:
        self.single_action_space = env.action_space
        for method in ("step", "send", "recv", "async_reset", "reset", "close"):
            setattr(self, method, getattr(env, method))
