from test_envs.originals import fixture_of

beside = fixture_of("dm-control", "mujoco", "numpy")
