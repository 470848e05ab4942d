from test_envs.pools import use_test_envs as use_test_envs
