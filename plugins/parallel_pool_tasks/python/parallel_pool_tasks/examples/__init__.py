"""Tasks that come with the package, as examples and for its tests. Their authors' terms are numpy's alone."""

from parallel_pool_tasks.examples.cheetah import Cheetah

__all__ = ["TASKS", "Cheetah"]

TASKS = (Cheetah,)
