"""Shared by the tests of the box2d plugin."""

from test_envs.originals import fixture_of

beside = fixture_of("box2d", "gymnasium", "numpy", "pygame-ce")
