"""Tells parallel-pool of this package."""

from parallel_pool_tasks.hooks import Family

plugin = Family("{{ cookiecutter.__module }}.tasks")
