"""The interfaces to a native pool: Gymnasium's VectorEnv, EnvPool's gym, and dm_env."""
