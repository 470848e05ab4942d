"""Environments that begin the next episode in the step that ends one: test/Itself-v0 counts its resets."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from gymnasium.vector import AutoresetMode
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import NotOfferedError
from test_envs.pools import begun, make

RESETS, DRAWN, STEPS = range(3)


def played(pool: Any, steps: int, action: int = 1) -> list[Any]:
    return [pool.step(np.full(len(pool), action)) for _ in range(steps)]


def test_the_step_that_ends_an_episode_begins_the_next_and_the_pool_resets_nothing() -> None:
    with make("Itself", num_envs=2, seed=[3, 4], episode_statistics=True) as pool:
        assert pool.autoreset_mode == AutoresetMode.SAME_STEP
        assert pool.config["autoreset_mode"] == "SameStep"
        begun = pool.reset()[0]
        results = played(pool, 7)
    obs = np.stack([each[0] for each in results])
    assert obs[:, 0, STEPS].tolist() == [1, 2, 0, 1, 2, 0, 1]
    assert (obs[:, :, RESETS] == 1).all()
    assert len({*begun[:, DRAWN].tolist(), *obs[2, :, DRAWN], *obs[5, :, DRAWN]}) == 6
    assert [each[2].all() for each in results] == [False, False, True, False, False, True, False]
    assert [each[4]["elapsed_step"][0] for each in results] == [1, 2, 0, 1, 2, 0, 1]
    last = results[5][4]
    assert last["episode"]["r"].tolist() == [3, 3] and last["episode"]["l"].tolist() == [3, 3]
    assert last["final_info"]["elapsed_step"].tolist() == [3, 3]
    assert not any("final_obs" in name for each in results for name in each[4])


def test_an_episode_that_the_pool_cuts_off_is_reset_by_the_pool() -> None:
    with begun(make("Itself", num_envs=2, length=3, max_episode_steps=2)) as pool:
        first, second = played(pool, 2)
        assert second[3].all() and not second[2].any() and not first[3].any()
        assert second[0][:, RESETS].tolist() == [2, 2]
        assert second[0][:, STEPS].tolist() == [0, 0]
    with make("Itself", num_envs=2, length=2, max_episode_steps=2) as pool:  # both at once
        pool.reset()
        _, second = played(pool, 2)
        assert second[2].all() and second[0][:, RESETS].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            {"autoreset_mode": "NextStep"},
            "autoreset_mode is 'NextStep', expected 'SameStep', as of",
        ),
        ({"autoreset_mode": AutoresetMode.DISABLED}, "autoreset_mode is 'Disabled', expected"),
        ({"episode_seeds": [1, 2]}, "episode_seeds would not reach"),
        ({"isolation": "process"}, "isolation='process' is for environments that the pool resets"),
    ],
)
def test_what_needs_a_reset_for_each_episode_is_refused(arguments: Any, said: str) -> None:
    with pytest.raises(OptionError, match=f"test/Itself-v0 resets itself .*{said}"):
        make("Itself", **arguments)


def test_seeds_of_later_episodes_are_refused_and_those_of_resets_taken() -> None:
    with make("Itself", num_envs=2) as pool:
        one = pool.reset(seed=5)[0]
        with pytest.raises(NotOfferedError, match="resets itself, so seed_next does not reach"):
            pool.seed_next([0], 1)
        assert (pool.reset(seed=5)[0][:, DRAWN] == one[:, DRAWN]).all()


@pytest.mark.parametrize("view", ["gym", "dm"])
def test_other_views_have_no_last_observation(view: str) -> None:
    with begun(make("Itself", view, num_envs=2)) as pool:
        results = played(pool, 3)
    shown = results[2][-1] if view == "gym" else results[2].observation._asdict()
    assert "final_obs" not in shown and "elapsed_step" in shown


def test_states_go_on_across_the_end() -> None:
    with begun(make("Itself", num_envs=2, seed=1)) as pool:
        played(pool, 2)
        state = pool.get_state([0])[0]
        expected = [each[0][0].tolist() for each in played(pool, 4)]
        pool.set_state([1], [state])
        assert [each[0][1].tolist() for each in played(pool, 4)] == expected
        simulated = pool.simulate(state, np.ones((1, 4), np.int64))
        assert simulated.lengths.tolist() == [1] and simulated.terminated.tolist() == [True]


def test_truncations_without_a_last_observation_are_ends_to_learners() -> None:
    learning = pytest.importorskip("parallel_pool_learning")
    with make("Itself", num_envs=2, cuts=True) as pool:
        rollout = learning.RolloutBuffer(pool, num_steps=4)
        rollout.reset()
        for _ in range(4):
            rollout.step(np.ones(2, np.int64), np.full(2, 100.0))
        kept = rollout.finish(lambda obs: np.full(len(obs), 100.0))
        assert kept.terminated[2].all()
        # Nothing of the critic's 100 follows the step that ended: its advantage is 1 - 100.
        assert kept.advantages[2].tolist() == [-99.0, -99.0]


def test_pools_of_both_kinds_are_refused() -> None:
    with pytest.raises(OptionError, match="differ in whether they reset themselves"):
        parallel_pool.make(["test/Itself-v0", "test/Count-v0"], num_envs=2)


@pytest.mark.parametrize("check", ["autoreset", "endings"])
def test_the_kit_asks_such_environments_for_no_last_observation(check: str) -> None:
    env_under_test = pytest.importorskip("parallel_pool_author.testing.env_under_test")
    from parallel_pool_author.testing.checks import ENV_CHECKS
    from parallel_pool_author.testing.findings import Inapplicable

    tested = env_under_test.EnvUnderTest("test/Itself-v0", None, steps=50, reference=None)
    with pytest.raises(Inapplicable, match="resets itself"):
        ENV_CHECKS[check](tested)
