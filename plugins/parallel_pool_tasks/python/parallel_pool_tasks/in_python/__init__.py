"""Tasks run as they are: numpy and mujoco, with breakpoints and prints."""

from parallel_pool_tasks.in_python.env import TaskEnv, reference

__all__ = ["TaskEnv", "reference"]
