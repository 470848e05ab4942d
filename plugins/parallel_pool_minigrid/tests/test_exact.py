"""All ids equal minigrid's: observations, rewards, ends and limits, over episodes without a new seed."""

import parallel_pool
import pytest
from minigrid_twins import IDS, Bot, lockstep, takes_max_steps

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
"""In some of its levels, as that of seed 3, minigrid looks for a place of the agent for ever."""

NEVER_SOLVED = ("UnlockToUnlock", CROWDED)
"""minigrid's bot comes to no end in it."""


def test_there_are_172_ids() -> None:
    assert len(IDS) == 172


@pytest.mark.parametrize("task_id", IDS)
def test_short_episodes(task_id: str) -> None:
    limit = {"max_steps": SHORT} if takes_max_steps(task_id) else {}
    lockstep(task_id, seeds=range(8) if limit and task_id != CROWDED else range(2), **limit)


def test_a_crowded_level_is_made_again() -> None:
    with parallel_pool.make(CROWDED, num_envs=1) as envs:
        obs, _ = envs.reset(seed=3)
    assert obs["mission"][0]


@pytest.mark.parametrize("task_id", SOLVED)
def test_solved_by_minigrids_bot(task_id: str) -> None:
    bot = Bot(task_id, share=1.0 if "Debug" in task_id else 0.9)
    assert lockstep(task_id, seeds=range(100, 102), episodes=1, play=bot) > 0


@pytest.mark.slow
@pytest.mark.parametrize("task_id", [name for name in IDS if name != CROWDED])
def test_whole_episodes_of_20_seeds(task_id: str) -> None:
    lockstep(task_id, seeds=range(1000, 1020))


@pytest.mark.slow
@pytest.mark.parametrize("task_id", [name for name in IDS if name != CROWDED])
def test_short_episodes_of_500_seeds(task_id: str) -> None:
    limit = {"max_steps": SHORT} if takes_max_steps(task_id) else {}
    lockstep(task_id, seeds=range(2000, 2500), **limit)


@pytest.mark.slow
@pytest.mark.parametrize(
    "task_id", [name for name in ROOMS if not any(n in name for n in NEVER_SOLVED)]
)
def test_all_rooms_played_by_minigrids_bot(task_id: str) -> None:
    lockstep(task_id, seeds=range(100, 104), play=Bot(task_id))
