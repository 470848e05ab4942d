"""All ids equal minigrid's: observations, rewards, ends and limits, over episodes without a new seed."""

from functools import partial

import parallel_pool
import pytest
from minigrid_originals import IDS, Bot, glancing, limits_too, original, play_at_random, quiet
from parallel_pool.testing import Play
from test_envs.originals import Beside, unrecorded

SHORT = 20

SOLVED = (
    "MiniGrid-UnlockPickup-v0",
    "MiniGrid-BlockedUnlockPickup-v0",
    "MiniGrid-KeyCorridorS3R2-v0",
    "MiniGrid-Unlock-v0",
    "BabyAI-GoToImpUnlock-v0",
    "BabyAI-OpenRedBlueDoorsDebug-v0",
    "BabyAI-OpenDoorsOrderN4-v0",
    "BabyAI-UnblockPickup-v0",
    "BabyAI-PickupDistDebug-v0",
    "BabyAI-PutNextS5N2-v0",
    "BabyAI-PutNextLocal-v0",
    "BabyAI-MoveTwoAcrossS5N2-v0",
    "BabyAI-GoToSeqS5R2-v0",
    "BabyAI-SynthS5R2-v0",
    "BabyAI-MiniBossLevel-v0",
)
ROOMS = tuple(
    name
    for name in IDS
    if name.startswith("BabyAI") or any(word in name for word in ("Unlock", "Corridor", "Obstr"))
)
CROWDED = "BabyAI-SynthS5R2-v0"
ENDLESS = {3, 2259}
"""Of its seeds, those with a level in which minigrid looks for a place of the agent for ever."""


def seeds_of(task_id: str, first: int, count: int) -> int | list[int]:
    """Those with which minigrid comes to an end."""
    if task_id != CROWDED:
        return first
    seeds = range(first, first + count + len(ENDLESS))
    return [seed for seed in seeds if seed not in ENDLESS][:count]


def test_there_are_172_ids() -> None:
    assert len(IDS) == 172


@pytest.mark.parametrize("task_id", IDS)
def test_short_episodes(task_id: str, beside: Beside) -> None:
    theirs = glancing(task_id, 1 if beside.in_full else 4)
    how = {"num_envs": 20, "seed": seeds_of(task_id, 0, 20), "episodes": 3, "max_steps": SHORT}
    with quiet():
        beside(task_id, theirs, play_at_random, **how)


def test_a_crowded_level_is_made_again() -> None:
    with parallel_pool.make(CROWDED, num_envs=1) as envs:
        obs, _ = envs.reset(seed=3)
    assert obs["mission"][0]


@pytest.mark.parametrize(
    "task_id",
    [*SOLVED[::2], *(pytest.param(each, marks=pytest.mark.slow) for each in SOLVED[1::2])],
)
def test_solved_by_minigrids_bot(task_id: str) -> None:
    bot = Bot(task_id, share=1.0 if "Debug" in task_id else 0.9)
    assert played(task_id, 100, 2, bot).reward > 0


def played(task_id: str, first: int, count: int, bot: Bot | None = None, **options: int) -> Play:
    """Beside minigrid, with so many seeds: three episodes of chance, or one of the bot."""
    episodes = 1 if bot else 3
    theirs, policy = partial(original, task_id), limits_too(bot or play_at_random, episodes)
    how = {"num_envs": count, "episodes": episodes, **options}
    with quiet():
        return unrecorded(task_id, theirs, policy, seed=seeds_of(task_id, first, count), **how)


@pytest.mark.slow
@pytest.mark.parametrize("task_id", IDS)
def test_whole_episodes_of_20_seeds(task_id: str) -> None:
    played(task_id, 1000, 20)


@pytest.mark.slow
@pytest.mark.parametrize("task_id", IDS)
def test_short_episodes_of_500_seeds(task_id: str) -> None:
    played(task_id, 2000, 500, max_steps=SHORT)


@pytest.mark.slow
@pytest.mark.parametrize("task_id", ROOMS)
def test_all_rooms_played_by_minigrids_bot(task_id: str) -> None:
    played(task_id, 100, 20, Bot(task_id))
