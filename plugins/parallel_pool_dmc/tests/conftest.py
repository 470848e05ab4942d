"""Shared by the tests of the plugin of the DeepMind Control Suite."""

from test_envs.originals import fixture_of

beside = fixture_of("dm-control", "mujoco", "numpy")
