"""Forged states of every family: none hangs, crashes or disables a pool.

They run in another process (forge.py), so that one that does harm
is named, with what plays it again.
"""

import os

import parallel_pool
import pytest
from forge import Case, play
from forged_cases import CASES, FAMILIES
from parallel_pool.registry import registry
from test_envs.checks import refused
from test_envs.forged_states import plugin_start, sealed
from test_envs.saving import saving_families

A_FEW = {
    "toy text": 20,
    "classic control": 20,
    "two players": 40,
    "atari": 0,
    "box2d": 12,
    "minigrid": 8,
    "mujoco": 5,
    "dmc": 4,
    "tasks": 5,
}
"""Forgeries of each case in every run of the tests; Atari's games need ROMs."""
QUICK = {"box2d": 2, "minigrid": 8, "mujoco": 4, "dmc": 3}
"""The least weight of a case that every run plays: others take long to build."""


def few(family: str) -> list[tuple[Case, int]]:
    cases = FAMILIES[family]
    if family == "atari":
        return [(case, 15) for case in cases[:2]]
    quick = QUICK.get(family, 0)
    return [(case, A_FEW[family]) for case in cases if case.weight >= quick]


def test_every_family_that_saves_states_has_cases() -> None:
    """One that is new is forged from its first day; one without states says why in `EnvSpec.no_states`."""
    forged = {registry().resolve(case.env).spec.family for case in CASES}
    assert forged == saving_families(), "tests/fuzz/forged_cases.py has other families"


@pytest.mark.timeout(1800)
def test_a_few_forgeries() -> None:
    work = {family: few(family) for family in FAMILIES}
    outcome = play([each for some in work.values() for each in some], seed=7, first=0, most_harm=3)
    assert not outcome.harm, "\n".join(outcome.harm)
    assert outcome.played == sum(count for some in work.values() for _, count in some)
    for family, some in work.items():
        taken = sum(outcome.taken[case.name] for case, _ in some)
        assert 0 < taken < sum(count for _, count in some), f"{family}: all are taken, or none"


GENERATOR = 40
"""Bytes of pp::Rng, with which the plugin's part begins."""
EDITS = GENERATOR + 2512 + 16
"""In states of dm_control's tasks: behind the RandomState, the steps and the model's fingerprint."""

MOVED = "it changes mjModel.body_pos where"


@pytest.mark.parametrize(
    ("env", "place", "value", "words"),
    [
        ("Blackjack-v1", 36, b"\7", "no seed leads to a random generator"),
        ("Blackjack-v1", 24, b"\0", "no seed leads to a random generator"),
        ("Blackjack-v1", GENERATOR, b"\x20", "sum is 32, expected 0 .. 31"),
        ("Blackjack-v1", GENERATOR + 1, b"\2", "ace is 2, expected 0 .. 1"),
        ("FrozenLake-v1", GENERATOR, b"\x10", "state is 16, expected 0 .. 15"),
        ("FrozenLake-v1", GENERATOR + 4, b"\4", "last_action is 4, expected -1 .. 3"),
        ("Taxi-v4", GENERATOR + 4, b"\2", "will_change is 2, expected 0 .. 1"),
        ("MountainCarContinuous-v0", GENERATOR + 16, b"\2", "fresh is 2, expected 0 .. 1"),
        ("Pong-v5", GENERATOR + 80, b"\x63", "mode is 99"),
        ("TwoPlayerPong-v0", -36, b"\4\0\0\0", "points is 4, expected 0 .. 3"),
        ("dmc/pendulum-swingup-v1", GENERATOR, bytes(2500), "no seed leads to a random generator"),
        ("dmc/pendulum-swingup-v1", GENERATOR + 2496, b"\x71\2", "no seed leads"),
        ("dmc/pendulum-swingup-v1", GENERATOR + 2512, b"\xff" * 8, "steps is -1, expected 0"),
        ("dmc/stacker-stack_4-v1", EDITS + 8 * 15 + 7, b"\x40", MOVED),
        ("dmc/manipulator-insert_peg-v1", EDITS + 7, b"\x40", MOVED),
    ],
)
def test_what_once_did_harm(env: str, place: int, value: bytes, words: str) -> None:
    """Or would: the first byte that no play leads to is refused by name."""
    with parallel_pool.make(env, num_envs=2) as pool:
        pool.reset(seed=1)
        before = pool.get_state()
        assert [sealed(state) for state in before] == before
        altered = bytearray(before[0])
        at = plugin_start(altered) + place if place >= 0 else len(altered) + place
        altered[at : at + len(value)] = value
        with refused(parallel_pool.StateError, "environment 0 refused its state", words):
            pool.set_state([0], [sealed(altered)])
        with pytest.raises(parallel_pool.ResetNeededError):
            pool.get_state([0])
        assert pool.get_state([1]) == before[1:]
        pool.set_state([0], before[:1])
        assert pool.get_state() == before


@pytest.mark.slow
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_many_forgeries(case: Case) -> None:
    """Others in every run; PP_FORGERIES among all cases."""
    seed = int.from_bytes(os.urandom(4))
    total = int(os.environ.get("PP_FORGERIES", "200000"))
    count = max(1, round(total * case.weight / sum(each.weight for each in CASES)))
    outcome = play([(case, count)], seed, 0)
    assert not outcome.harm, "\n".join(outcome.harm)
    assert outcome.played == count
