from test_envs.originals import fixture_of

beside = fixture_of("gymnasium", "numpy")
