"""The family of examples, which are imported when one is made."""

from parallel_pool_tasks.hooks import Family

plugin = Family("parallel_pool_tasks.examples")
