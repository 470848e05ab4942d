"""The shapes of the APIs: the same native pool as a Gymnasium VectorEnv, as EnvPool's gym, as dm_env."""
