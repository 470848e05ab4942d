"""What the core alone imports to make a pool and to step it: docs/why.md has the reasons."""

import json

from test_envs.programs import python

APART = "author_api benchmarking cli envpool gymnasium native_checks pettingzoo pool_api testing"
"""Parts of the package that a pool of native environments does without."""
HEAVY = {"dm_env", "jax", "torch", "ray", "mujoco", "PIL", "pygame", "pettingzoo", "tensordict"}
PROGRAM = """
import json, sys
import parallel_pool
parallel_pool.register(parallel_pool.EnvSpec("test/Walk-v0"), library=sys.argv[1])
with parallel_pool.make("test/Walk-v0", num_envs=4, num_threads=2) as envs:
    envs.reset(seed=0)
    envs.step(envs.action_space.sample())
print(json.dumps([name for name, module in sys.modules.items() if getattr(module, "__file__", None)]))
"""


def test_a_bare_pool_imports_what_it_needs(test_envs_library: str) -> None:
    loaded = json.loads(python("-c", PROGRAM, test_envs_library, PARALLEL_POOL_DISABLE_PLUGINS="*"))
    own = {name.split(".")[1] for name in loaded if name.startswith("parallel_pool.")}
    assert not own & {*APART.split()}
    assert {"views", "config", "registry", "_core"} <= own
    assert not {name.partition(".")[0] for name in loaded} & HEAVY
    assert not [name for name in loaded if name.startswith("parallel_pool_")]
