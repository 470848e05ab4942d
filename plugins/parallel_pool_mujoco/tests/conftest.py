from parallel_pool_mujoco.sdk import norms_are_fused
from test_envs.originals import fixture_of

beside = fixture_of("gymnasium", "mujoco", "numpy", norms_are_fused=norms_are_fused())
