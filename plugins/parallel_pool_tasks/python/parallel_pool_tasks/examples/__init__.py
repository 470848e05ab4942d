"""Tasks that come with the package, as examples and for its tests. Their authors' terms are numpy's alone."""

from parallel_pool_tasks.examples.cheetah import Cheetah
from parallel_pool_tasks.examples.reach import Reach

__all__ = ["TASKS", "Cheetah", "Reach"]

TASKS = (Cheetah, Reach)
