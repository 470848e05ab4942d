"""The options of a pool of tasks, completed: the model and the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from parallel_pool.plugin_api import EnvSpec
from parallel_pool_mujoco import sdk

from parallel_pool_tasks.models import compiled
from parallel_pool_tasks.program.numpy_loops import table_address
from parallel_pool_tasks.program.text import digest_of
from parallel_pool_tasks.task import Task, own_options
from parallel_pool_tasks.trace.tracer import traced


def completed(task: type[Task], spec: EnvSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    """For the hook `parallel_pool_options`. Raises TaskError, OptionError."""
    with sdk.option_errors(spec):
        model, source = compiled(task)
    own = {name: options[name] for name in own_options(task) if name in options}
    known = {name: value for name, value in options.items() if name not in own}
    handed = sdk.completed(spec, known, model, source)
    if overrides := options.get("model_overrides"):
        model = sdk.overridden(model, json.loads(overrides))
    made = task(**own, frame_skip=options.get("frame_skip", task.frame_skip))
    program = traced(made, model)
    return {
        **own,
        **handed,
        "program": program,
        "digest": digest_of(program),
        "numpy_loops": table_address(),
    }
