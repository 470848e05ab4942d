"""MuJoCo tasks that are declared in Python and stepped in C++: docs/tasks.md.

Names are imported when they are first used, because listing environments imports this package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parallel_pool_tasks.control import lookup, substeps, until, when
    from parallel_pool_tasks.errors import TaskError
    from parallel_pool_tasks.in_python import reference
    from parallel_pool_tasks.models import gymnasium_model
    from parallel_pool_tasks.registered import register
    from parallel_pool_tasks.task import Step, Task
    from parallel_pool_tasks.tunables import tune

__all__ = [
    "Step",
    "Task",
    "TaskError",
    "gymnasium_model",
    "lookup",
    "reference",
    "register",
    "substeps",
    "tune",
    "until",
    "when",
]

_FROM = {
    "Step": "task",
    "Task": "task",
    "TaskError": "errors",
    "gymnasium_model": "models",
    "lookup": "control",
    "reference": "in_python",
    "register": "registered",
    "substeps": "control",
    "tune": "tunables",
    "until": "control",
    "when": "control",
}


def __getattr__(name: str) -> Any:
    if name not in _FROM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("parallel_pool_tasks.registered")  # teaches Task its parallel_pool_id
    found = getattr(import_module(f"parallel_pool_tasks.{_FROM[name]}"), name)
    globals()[name] = found
    return found
