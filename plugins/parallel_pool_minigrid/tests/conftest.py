"""Shared by the tests of the minigrid plugin."""

from test_envs.originals import fixture_of

beside = fixture_of("gymnasium", "minigrid", "numpy")
