"""What is said of the scenarios is as long as their spaces, and so in the games."""

import numpy as np
import parallel_pool
import pytest
from parallel_pool.registry import registry
from parallel_pool.schema.meanings import rows, space_size
from parallel_pool_vizdoom._about import _SCRIPTS, about
from parallel_pool_vizdoom._matches import MATCHES
from parallel_pool_vizdoom._scenarios import SCENARIOS

SPECS = {spec.id.partition("/")[2]: spec for spec in registry().specs("vizdoom")}
OF_SCENARIOS = [name for name in SPECS if not name.endswith("-v0")]
"""The ids that are no maps of whole games; two of those are looked at."""


def test_the_scripts_of_all_scenarios_are_explained() -> None:
    named = {scenario.cfg for scenario in SCENARIOS}
    named |= {str(options["cfg_path"]).removesuffix(".cfg") for _, _, options in MATCHES}
    assert named - {"freedoom2"} == set(_SCRIPTS)


@pytest.mark.parametrize(
    "name", [*OF_SCENARIOS, "VizdoomFreedoom1E1M1-S1-v0", "VizdoomFreedoom2MAP02-S5-v0"]
)
def test_tables_are_as_long_as_the_spaces(name: str) -> None:
    found, made = about(SPECS[name]), parallel_pool.make_spec(f"vizdoom/{name}")
    assert found is not None
    assert sum(part.count for part in found.observation) == space_size(made.observation_space)
    assert sum(part.count for part in found.action) == space_size(made.action_space)
    assert found.reward
    assert found.ends


def test_actions_and_rewards_are_those_of_the_game() -> None:
    """Shots cost five, and a tic one; the number of a button is the one that is said."""
    with parallel_pool.make("VizdoomBasic-v1", num_envs=2, seed=0) as pool:
        found = about(SPECS["VizdoomBasic-v1"])
        assert found is not None
        said = [row[1] for row in rows(found.action, pool.single_action_space)]
        assert said == ["nothing", "attack", "move right", "move left"]
        pool.reset()
        rewards = [pool.step(np.full(2, said.index("attack")))[1] for _ in range(20)]
        # A step that resets gives 0.
        assert set(np.unique(rewards)) <= {-6.0, -1.0, 0.0, 100.0, 105.0}
        assert -6.0 in np.unique(rewards)
