"""An environment of any family is in company what it is alone, whatever Hypothesis does with both."""

import os

import numpy as np
import parallel_pool
import pytest
from hypothesis import Phase
from real_families import FAMILIES
from real_machine import RealMachine
from test_envs.checks import leaves
from test_envs.saving import saving_families
from test_envs.states import expect_as_played
from test_state_machine import run


def machine(family: str) -> type[RealMachine]:
    return type(f"Machine_{family}", (RealMachine,), {"played": FAMILIES[family]})


def test_every_family_that_saves_states_is_played() -> None:
    assert FAMILIES.keys() == saving_families(), "tests/model/real_families.py has other families"
    for family, played in FAMILIES.items():
        assert played.env.startswith(f"{family}/")
        assert len(played.variants) > 1, "environments have to differ"


@pytest.mark.parametrize("family", FAMILIES)
def test_random_programs_on_real_environments(family: str) -> None:
    """The same programs in every run. One that fails is not made smaller: that may take ten minutes."""
    run(machine(family), 5, 25, derandomize=True, phases=[Phase.generate])


@pytest.mark.parametrize("family", FAMILIES)
def test_simulations_are_as_played(family: str) -> None:
    played = FAMILIES[family]
    options = {**played.common, **played.variants[1]}
    with parallel_pool.make(played.env, num_envs=3, num_threads=2, seed=5, **options) as pool:
        pool.reset()
        pool.action_space.seed(5)
        for _ in range(6):
            pool.step(pool.action_space.sample())
        steps = [[pool.single_action_space.sample() for _ in range(12)] for _ in range(7)]
        states = pool.get_state()
        expect_as_played(pool, [states[i % 3] for i in range(7)], np.array(steps))
        assert pool.get_state() == states


@pytest.mark.parametrize("family", FAMILIES)
def test_seeds_of_simulations_decide_what_steps_draw(family: str) -> None:
    """And nothing else: where steps draw nothing, all sequences are those without seeds."""
    played = FAMILIES[family]
    options = {**played.common, **played.variants[1]}
    if family == "minigrid":
        options["stochastic_actions"] = True
    with parallel_pool.make(played.env, num_envs=1, seed=5, **options) as pool:
        pool.reset()
        pool.action_space.seed(5)
        pool.step(pool.action_space.sample())
        (state,) = pool.get_state()
        pool.single_action_space.seed(5)
        steps = np.array([pool.single_action_space.sample() for _ in range(40)])
        actions = np.repeat(steps[None], 8, axis=0)

        def ends(count: int, seeds: list[int] | None) -> list[bytes]:
            result = pool.simulate(state, actions[:count], seeds)
            arrays = [result.rewards, result.lengths, *leaves(result.obs)]
            return [
                b"".join(np.asarray(rows[i]).tobytes() for rows in arrays) for i in range(count)
            ]

        plain, seeded = ends(8, None), ends(8, [7, 7, 8, 9, 10, 11, 12, 13])
        assert len(set(plain)) == 1 and seeded[0] == seeded[1]
        assert ends(2, [9, 7]) == [seeded[3], seeded[0]]
        if family in ("dmc", "mujoco", "tasks"):
            assert seeded == plain
        else:
            assert len(set(seeded)) > 2


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("family", FAMILIES)
def test_many_random_programs_on_real_environments(family: str) -> None:
    """Others in every run; PP_MODEL_EXAMPLES among all families."""
    examples = int(os.environ.get("PP_MODEL_EXAMPLES", "3000")) // len(FAMILIES)
    # Phases of five minutes; an explanation takes as long.
    run(machine(family), examples, 60, phases=[Phase.generate, Phase.shrink])
