"""The conformance kit: whether a plugin keeps the promises that users of pools rely on.

The whole test file of a plugin:

    from parallel_pool.testing import PluginConformance

    class TestLander(PluginConformance):
        plugin = "lander"

Without pytest: `parallel-pool check lander`. Both run the functions of `parallel_pool_author.testing.checks`,
each of which raises `Finding` with a message that says what to change.
"""

from parallel_pool_author.testing.beside import Play, play_beside
from parallel_pool_author.testing.conformance import PluginConformance
from parallel_pool_author.testing.env_under_test import EnvUnderTest
from parallel_pool_author.testing.findings import Finding, Inapplicable
from parallel_pool_author.testing.report import Report, Result, check_env, check_plugin

__all__ = [
    "EnvUnderTest",
    "Finding",
    "Inapplicable",
    "Play",
    "PluginConformance",
    "Report",
    "Result",
    "check_env",
    "check_plugin",
    "play_beside",
]
