"""The options of a pool of tasks, completed: the model and the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from parallel_pool.plugin_api import EnvSpec
from parallel_pool_mujoco import sdk

from parallel_pool_tasks.classes import task_of
from parallel_pool_tasks.models import compiled
from parallel_pool_tasks.own_options import named
from parallel_pool_tasks.program.text import digest_of
from parallel_pool_tasks.trace.tracer import traced


def completed(spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """For the hook `parallel_pool_options`. Raises TaskError, OptionError."""
    task = task_of(spec.id)
    with sdk.option_errors(spec):
        model, source = compiled(task)
    handed = sdk.completed(spec, options, model, source)
    if overrides := options.get("model_overrides"):
        model = sdk.overridden(model, json.loads(overrides))
    made = task(**named(task, options), frame_skip=options.get("frame_skip", task.frame_skip))
    program = traced(made, model)
    return {**handed, "program": program, "digest": digest_of(program)}
