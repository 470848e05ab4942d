"""What is said of the scenarios is so in the games. Its length: tests/registry/test_about.py."""

import numpy as np
import parallel_pool
from parallel_pool.registry import registry
from parallel_pool.schema.meanings import rows
from parallel_pool_vizdoom._about import _SCRIPTS, about
from parallel_pool_vizdoom._matches import MATCHES
from parallel_pool_vizdoom._scenarios import SCENARIOS


def test_the_scripts_of_all_scenarios_are_explained() -> None:
    named = {scenario.cfg for scenario in SCENARIOS}
    named |= {str(options["cfg_path"]).removesuffix(".cfg") for _, _, options in MATCHES}
    assert named - {"freedoom2"} == set(_SCRIPTS)


def test_actions_and_rewards_are_those_of_the_game() -> None:
    """Shots cost five, and a tic one; the number of a button is the one that is said."""
    with parallel_pool.make("VizdoomBasic-v1", num_envs=2, seed=0) as pool:
        found = about(registry().resolve("VizdoomBasic-v1").spec)
        assert found is not None
        said = [row[1] for row in rows(found.action, pool.single_action_space)]
        assert said == ["nothing", "attack", "move right", "move left"]
        pool.reset()
        rewards = [pool.step(np.full(2, said.index("attack")))[1] for _ in range(20)]
        # A step that resets gives 0.
        assert set(np.unique(rewards)) <= {-6.0, -1.0, 0.0, 100.0, 105.0}
        assert -6.0 in np.unique(rewards)
