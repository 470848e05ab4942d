"""Environments whose constructor takes a pp::Seed: resets make them, and states hold the seed."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from conformance.findings import hurry
from numpy.random import default_rng
from parallel_pool.pool_errors import EnvError, ResetNeededError, SimulationError, StateError
from parallel_pool.testing import check_plugin
from test_envs.pools import begun

pytestmark = pytest.mark.usefixtures("plugin")
SEED, LEVEL, RESETS = range(3)
PLAYED = [
    ("Episode", "NextStep"),
    ("Episode", "SameStep"),
    ("Engine", "NextStep"),
    ("Engine", "SameStep"),
    ("Itself", "SameStep"),
]


def make(name: str, mode: str, **arguments: Any) -> Any:
    return parallel_pool.make(f"made/{name}-v0", autoreset_mode=mode, **arguments)


def played(pool: Any, steps: int = 11) -> Any:
    """(steps, environments, 4): observations."""
    return np.stack([pool.step(np.ones(len(pool), np.int32))[0] for _ in range(steps)])


def raw(seed: int, count: int) -> list[int]:
    """What next_uint64() gives."""
    return [int(each) for each in default_rng(seed).bit_generator.random_raw(count)]


@pytest.mark.parametrize(("name", "mode"), PLAYED)
def test_a_seed_is_the_same_episodes_in_any_pool_and_however_it_is_given(
    name: str, mode: str
) -> None:
    with make(name, mode, num_envs=5, seed=7) as pool:
        first = pool.reset()[0]
        assert first[:, SEED].tolist() == [7, 8, 9, 10, 11]
        expected = played(pool)
        assert len(np.unique(expected[:, 0, LEVEL])) > 2
        for _ in range(2):
            assert (pool.reset(seed=7)[0] == first).all()
            assert (played(pool) == expected).all()
    with make(name, mode, num_envs=5, num_threads=3) as pool:
        assert (pool.reset(seed=7)[0] == first).all()
        assert (played(pool) == expected).all()
    with make(name, mode, num_envs=1, seed=9) as pool:
        assert (pool.reset()[0] == first[2:3]).all()
        assert (played(pool) == expected[:, 2:3]).all()


@pytest.mark.parametrize(("name", "mode"), PLAYED)
def test_what_a_reset_without_a_seed_makes(name: str, mode: str) -> None:
    with make(name, mode, num_envs=2, seed=7) as pool:
        begun = [pool.reset()[0], *(pool.reset()[0] for _ in range(2)), played(pool, 4)[-1]]
    for env, seed in enumerate([7, 8]):
        seeds = [seed, *raw(seed, 3)] if name == "Episode" else [seed] * 4
        assert [int(each[env, SEED]) for each in begun] == seeds
        levels = [raw(each, 1)[0] for each in seeds] if name == "Episode" else raw(seed, 4)
        assert [int(each[env, LEVEL]) for each in begun] == levels
        again = {"Episode": [1, 1, 1, 1], "Engine": [1, 2, 3, 4], "Itself": [1, 2, 3, 3]}[name]
        assert [int(each[env, RESETS]) for each in begun] == again


@pytest.mark.parametrize(("name", "mode"), PLAYED[:4])
def test_each_seed_of_a_list_makes_an_object(name: str, mode: str) -> None:
    with begun(make(name, mode, num_envs=3, seed=1, episode_seeds=range(40, 60))) as pool:
        seen = set()
        for _ in range(20):
            obs, *_, info = pool.step(np.ones(3, np.int32))
            assert obs[:, SEED].tolist() == info["episode_seed"].tolist()
            assert obs[:, LEVEL].tolist() == [raw(int(seed), 1)[0] for seed in obs[:, SEED]]
            assert (obs[:, RESETS] == 1).all()
            seen |= set(obs[:, SEED].tolist())
        assert len(seen) > 6 and seen <= set(range(40, 60))


@pytest.mark.parametrize(("name", "mode"), PLAYED)
def test_a_state_is_loaded_by_objects_of_other_seeds_and_where_none_was_made(
    name: str, mode: str
) -> None:
    with begun(make(name, mode, num_envs=3, seed=7)) as pool:
        played(pool, 7)
        states = pool.get_state()
        expected = played(pool)
        pool.set_state(None, states)
        assert (played(pool) == expected).all()
    for seed in (None, 1):
        with make(name, mode, num_envs=3, seed=1) as other:
            if seed is not None:
                other.reset()
            other.set_state(None, states)
            assert (played(other) == expected).all()


@pytest.mark.parametrize(("name", "mode"), PLAYED)
def test_a_copy_is_made_of_the_seed_and_one_that_fails_costs_its_environment(
    name: str, mode: str
) -> None:
    """Engines are four lanes of an object, so that copies stay in one and leave it."""
    with begun(make(name, mode, num_envs=6, num_threads=2, seed=7, length=9, kept=4)) as pool:
        played(pool, 3)
        pool.clone(1, (0, 2, 5))
        state, several = pool.get_state([1]), np.ones((20, 4), np.int32)
        once, each = pool.simulate(state, several), pool.simulate(20 * state, several)
        for one, other in zip(once, each, strict=True):
            np.testing.assert_array_equal(one, other)
        actions = np.ones(6, np.int32)
        obs = pool.step(actions)[0]
        assert (obs[[0, 2, 5]] == obs[1]).all()
        with pytest.raises(StateError, match=r"environment 3 .*: not now"):
            pool.clone(1, (3,))
        # One state for many sequences is copied, one for each is read.
        state = pool.get_state([1])
        pool.simulate(20 * state, several)
        with pytest.raises(SimulationError, match="not now"):
            pool.simulate(state, several)
        with pytest.raises(ResetNeededError, match="environment 3 "):
            pool.step(actions)


@pytest.mark.parametrize("name", ["Episode", "Engine"])
def test_a_constructor_that_throws_fails_its_environment_until_a_reset_makes_it(name: str) -> None:
    with make(name, "NextStep", num_envs=3, refused=8) as pool:
        for _ in range(2):
            with pytest.raises(EnvError, match="no such level") as caught:
                pool.reset(seed=7)
            assert "environment 1" in str(caught.value)
        obs = pool.reset()[0]
        assert obs[1, SEED] == raw(8, 1)[0] and obs[1, RESETS] == 1
        assert pool.reset(seed=20)[0][:, SEED].tolist() == [20, 21, 22]
        assert played(pool).shape == (11, 3, 4)


def test_they_pass_the_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)
    report = check_plugin("made", steps=60)
    assert report.ok, report.failures
