"""Missions as texts, as bytes and as numbers of words are the same missions."""

import gymnasium
import numpy as np
import parallel_pool
import parallel_pool.envpool
import pytest
from minigrid.wrappers import DictObservationSpaceWrapper
from minigrid_originals import IDS, original, quiet
from parallel_pool_minigrid.vocabulary import NUMBERS, WORDS, text_of

COUNT = 32
SAYS_ALL = "BabyAI-BossLevel-v0"


@pytest.mark.parametrize(
    "task_id",
    [pytest.param(each, marks=[pytest.mark.slow] * (k % 3 > 0)) for k, each in enumerate(IDS)],
)
def test_three_forms(task_id: str) -> None:
    forms = ("text", "bytes", "words")
    text, letters, words = (
        parallel_pool.make(task_id, num_envs=COUNT, num_threads=1, seed=0, mission=form)
        for form in forms
    )
    with text, letters, words:
        for _ in range(2):
            missions, rows, numbers = (
                each.reset()[0]["mission"] for each in (text, letters, words)
            )
            assert missions.bytes.tolist() == rows.tolist()
            assert [text_of(row) for row in numbers] == list(missions)
    assert missions in text.observation_space["mission"]
    assert numbers in words.observation_space["mission"]


def test_spaces() -> None:
    with parallel_pool.make(SAYS_ALL, num_envs=2, mission="words") as pool:
        space = pool.single_observation_space["mission"]
        assert space == gymnasium.spaces.MultiDiscrete([len(WORDS) + 1] * 80, dtype=np.uint8)
    with parallel_pool.make(SAYS_ALL, num_envs=2, mission="bytes") as pool:
        space = pool.single_observation_space["mission"]
        assert space == gymnasium.spaces.Box(0, 127, (384,), np.uint8)
    with parallel_pool.make(SAYS_ALL, num_envs=2) as pool:
        assert isinstance(pool.single_observation_space["mission"], gymnasium.spaces.Text)


def test_numbers_are_those_of_minigrids_wrapper() -> None:
    theirs = DictObservationSpaceWrapper.get_minigrid_words()
    assert {word: number + 1 for word, number in theirs.items()} == {
        word: NUMBERS[word] for word in theirs
    }
    for task_id in ("MiniGrid-LockedRoom-v0", "MiniGrid-Fetch-8x8-N3-v0", "BabyAI-GoToSeq-v0"):
        envs = parallel_pool.make(task_id, num_envs=8, mission="words")
        with envs, quiet():
            obs, _ = envs.reset(seed=0)
            for seed, row in enumerate(obs["mission"]):
                try:
                    said = DictObservationSpaceWrapper(original(task_id)).reset(seed=seed)[0]
                except ValueError:  # a word that it lacks
                    continue
                both = min(len(row), len(said["mission"]))
                assert row[:both].tolist() == list(said["mission"][:both])


def test_envpools_interface_has_bytes() -> None:
    with parallel_pool.envpool.make("BabyAI-GoToLocal-v0", "gymnasium", num_envs=2) as pool:
        row = pool.reset()[0]["mission"][0]
        assert row.tobytes().rstrip(b"\0").decode().startswith("go to the ")
