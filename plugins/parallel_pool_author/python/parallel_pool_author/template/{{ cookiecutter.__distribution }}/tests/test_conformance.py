"""Tests what users of pools rely on: `parallel-pool check {{ cookiecutter.family }}` runs the same."""

from parallel_pool.testing import PluginConformance


class TestConformance(PluginConformance):
    plugin = "{{ cookiecutter.family }}"
