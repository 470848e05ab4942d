"""The three autoreset modes, in lockstep with Gymnasium's SyncVectorEnv."""

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.vector import AutoresetMode
from parallel_pool import EnvError, ResetNeededError
from test_envs.checks import refused
from test_envs.pools import WALKS, make
from twins import MODES, assert_same, both, play, reset_masked

every_mode = pytest.mark.parametrize("mode", MODES)
every_thread_count = pytest.mark.parametrize("threads", [1, 2])


@every_thread_count
@every_mode
@pytest.mark.parametrize(
    "options",
    [
        {"max_count": 3},
        {"max_count": 1},
        {"max_count": 9, "limit": 4},
        {"max_count": 4, "limit": 4},
        {"max_count": 9, "truncate_at": 2},
        {"max_count": 2, "truncate_at": 2, "scale": 0.1},
    ],
)
def test_counting_is_gymnasiums(mode: str, threads: int, options: dict[str, Any]) -> None:
    mine, theirs = both("Count", 4, mode, pool={"num_threads": threads}, **options)
    assert_same(mine.reset(seed=1), theirs.reset(seed=1))
    assert play(mine, theirs, 30) >= 4 * 6


@every_thread_count
@every_mode
@pytest.mark.parametrize("name", WALKS)
def test_episodes_that_end_apart_are_gymnasiums(name: str, mode: str, threads: int) -> None:
    mine, theirs = both(name, 5, mode, limit=15, pool={"num_threads": threads})
    assert_same(mine.reset(seed=7), theirs.reset(seed=7))
    assert play(mine, theirs, 200) > 50
    # In the middle of episodes, and with an autoreset pending.
    assert_same(
        mine.reset(seed=[3, None, 2**40, None, 0]), theirs.reset(seed=[3, None, 2**40, None, 0])
    )
    assert play(mine, theirs, 50) > 5


@every_mode
def test_masks_may_reset_anything_at_any_time(mode: str) -> None:
    mine, theirs = both("Count", 4, mode, max_count=6)
    assert_same(mine.reset(), theirs.reset())
    masks = np.random.default_rng(2)
    for turn in range(40):
        play(mine, theirs, 2, seed=turn)
        mask = masks.random(4) < 0.4
        if mask.any():
            assert_same(*reset_masked(mine, theirs, mask))


@every_thread_count
@every_mode
def test_cartpole_is_gymnasiums(mode: str, threads: int) -> None:
    arguments: Any = {"num_envs": 3, "max_episode_steps": 40}
    mine: Any = parallel_pool.make(
        "classic/CartPole-v1", num_threads=threads, autoreset_mode=mode, **arguments
    )
    theirs = gymnasium.make_vec(
        "CartPole-v1",
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode(mode)},
        **arguments,
    )
    assert_same(mine.reset(seed=5), theirs.reset(seed=5))
    assert play(mine, theirs, 300) > 20
    theirs.close()


@every_mode
def test_modes_may_be_given_as_gymnasium_gives_them(mode: str) -> None:
    for spelt in (mode, AutoresetMode(mode), AutoresetMode(mode).name):
        with make(autoreset_mode=spelt) as pool:
            assert pool.autoreset_mode is AutoresetMode(mode)
            assert pool.metadata["autoreset_mode"] is AutoresetMode(mode)
            assert pool.config["autoreset_mode"] == mode


def test_final_obs_in_both_layouts() -> None:
    with make("Walk", num_envs=6, seed=0, autoreset_mode="SameStep") as pool:
        pool.reset()
        seen = 0
        for _ in range(60):
            obs, _, terminated, _, info = pool.step(np.zeros(6, int))
            assert info["_final_obs_dense"].tolist() == terminated.tolist()
            assert info["final_obs_dense"].shape == obs.shape
            assert ("final_obs" in info) == terminated.any()
            assert info["elapsed_step"][terminated].tolist() == [0] * terminated.sum()
            for row in np.flatnonzero(terminated):
                assert (info["final_obs"][row] == info["final_obs_dense"][row]).all()
                assert info["final_obs"][row][1] < 0.1, (
                    "the last observation has the noise that ended it"
                )
                assert obs[row][1] == 0, "a first observation has no noise"
                assert info["final_info"]["elapsed_step"][row] > 0
                seen += 1
        assert seen > 10


def test_final_obs_of_nested_spaces() -> None:
    with make("Types", num_envs=2, autoreset_mode="SameStep", max_episode_steps=2) as pool:
        first, _ = pool.reset()
        action = pool.action_space.sample()
        pool.step(action)
        obs, _, _, truncated, info = pool.step(action)
        assert truncated.all()
        assert obs["types"]["i8"].tolist() == first["types"]["i8"].tolist()
        for row, final in enumerate(info["final_obs"]):
            assert pool.single_observation_space.contains(final)
            assert final["types"]["i8"].tolist() == [2, 2, 2]
            assert final["echo"]["joint"] == action["joint"][row]


@every_thread_count
@every_mode
def test_asynchronous_pools_count_the_same(mode: str, threads: int) -> None:
    """Each environment's own sequence of rows, whatever the order in which they come."""
    with make(
        num_envs=6, batch_size=2, num_threads=threads, max_count=3, autoreset_mode=mode
    ) as pool:
        pool.async_reset()
        rows: dict[int, list[Any]] = {env: [] for env in range(6)}
        for _ in range(3 * 12):
            obs, reward, terminated, _, info = pool.recv()
            ids = info["env_id"]
            for k, env in enumerate(ids):
                rows[env].append((obs[k], reward[k], terminated[k]))
                if mode == "SameStep" and terminated[k]:
                    assert info["final_obs"][k] == info["final_obs_dense"][k] == 3
                    assert info["final_info"]["total"][k] == 3
            again = terminated if mode == "Disabled" else np.zeros(2, bool)
            if again.any():
                pool.async_reset(ids[again])
            if not again.all():
                pool.send(np.ones(2 - again.sum(), int), ids[~again])
    cycle = {
        "NextStep": [(0, 0, False), (1, 1, False), (2, 1, False), (3, 1, True)],
        "Disabled": [(0, 0, False), (1, 1, False), (2, 1, False), (3, 1, True)],
        "SameStep": [(1, 1, False), (2, 1, False), (0, 1, True)],
    }[mode]
    for history in rows.values():
        start = [(0, 0, False)] if mode == "SameStep" else []
        assert history == (start + cycle * 20)[: len(history)]
    assert sum(map(len, rows.values())) == 3 * 12 * 2


def test_same_step_in_the_gym_view() -> None:
    with make("Count", "gym", num_envs=2, max_count=2, autoreset_mode="SameStep") as pool:
        pool.reset()
        pool.step(np.array([1, 2]))
        obs, reward, terminated, _, info = pool.step(np.array([1, 2]))
        assert (obs.tolist(), reward.tolist()) == ([0, 0], [1, 2])
        assert terminated.all()
        assert info["_final_obs"].all()
        assert info["_final_info"].all()
        assert info["final_obs"].tolist() == [2, 2]
        assert info["final_info"]["total"].tolist() == [2, 4]
        assert info["total"].tolist() == [0, 0]
        assert info["episode"]["r"].tolist() == [2, 4]
        obs, *_, info = pool.step(np.array([1, 2]))
        assert obs.tolist() == [1, 1]
        assert not info["_final_obs"].any()


def test_same_step_in_the_dm_view() -> None:
    with make("Count", "dm", num_envs=2, max_count=2, autoreset_mode="SameStep") as pool:
        pool.reset()
        types = []
        for _ in range(5):
            step = pool.step(np.array([1, 2]))
            types.append(step.step_type.tolist())
            if step.step_type[0] == 2:
                assert step.observation.obs.tolist() == [0, 0]
                assert step.observation.final_obs.tolist() == [2, 2]
                assert step.reward.tolist() == [1, 2]
                assert step.discount.tolist() == [0, 0]
        assert types == [[1, 1], [2, 2], [1, 1], [2, 2], [1, 1]]


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_without_autoreset_an_ended_environment_takes_no_step(env_type: str) -> None:
    with make("Count", env_type, num_envs=3, max_count=2, autoreset_mode="Disabled") as pool:
        pool.reset()
        pool.step(np.ones(3, int))
        pool.reset([1])
        pool.step(np.ones(3, int))
        for env_id in (None, [1, 2], [2]):
            ended = 0 if env_id is None else 2
            with refused(ResetNeededError, f"environment {ended} has ended", "reset it first"):
                pool.step(np.ones(3 if env_id is None else len(env_id), int), env_id)
        step = pool.step(np.ones(1, int), [1])
        obs = step.observation.obs if env_type == "dm" else step[0]
        assert obs.tolist() == [2], "the refused steps changed nothing"
        pool.reset([0, 1, 2])
        pool.step(np.ones(3, int))


BAD_MASKS: list[Any] = [
    [True, False, False],
    None,
    np.array([True, False]),
    np.array([[True, False, False]]),
    np.array([1, 0, 0]),
    np.zeros(3, bool),
]


@every_mode
@pytest.mark.parametrize("mask", BAD_MASKS, ids=["list", "None", "short", "2d", "int", "empty"])
def test_bad_masks_are_refused_as_gymnasium_does(mode: str, mask: Any) -> None:
    mine, theirs = both("Count", 3, mode)
    mine.reset()
    theirs.reset()
    with pytest.raises((TypeError, ValueError)) as expected:
        theirs.reset(options={"reset_mask": mask})
    with refused(expected.type, "options['reset_mask']"):
        mine.reset(options={"reset_mask": mask})
    with make("Count", "gym", num_envs=3) as pool, refused(expected.type, "reset_mask"):
        pool.reset(options={"reset_mask": mask})


def test_options_stay_as_they_were() -> None:
    with make(num_envs=3, autoreset_mode="Disabled") as pool:
        pool.reset()
        mask = np.array([True, False, True])
        options = {"reset_mask": mask}
        pool.reset(options=options)
        assert list(options) == ["reset_mask"]
        assert options["reset_mask"] is mask
        assert mask.tolist() == [True, False, True]


def test_a_masked_reset_gives_everybodys_observation() -> None:
    with make(num_envs=4, autoreset_mode="Disabled") as pool:
        pool.reset()
        before, *_ = pool.step(np.ones(4, int))
        obs, info = pool.reset(options={"reset_mask": np.array([False, True, False, True])})
        assert obs.tolist() == [1, 0, 1, 0]
        assert info["_total"].tolist() == info["_env_id"].tolist() == [False, True, False, True]
        assert before.tolist() == [1, 1, 1, 1], "an answer is never written again"
        obs, _ = pool.reset(options={"reset_mask": np.array([True, False, False, False])})
        assert obs.tolist() == [0, 0, 1, 0]
        obs, *_ = pool.step(np.ones(4, int))
        assert obs.tolist() == [1, 1, 2, 1]


def test_a_masked_reset_keeps_rows_in_order() -> None:
    """An answer in another order than the environments' does not count as the last observation."""
    with make(num_envs=3, max_count=100) as pool:
        pool.reset()
        pool.step(np.ones(1, int), [0])
        pool.step(np.ones(3, int), [2, 1, 0])
        mask = np.array([True, False, False])
        with refused(ResetNeededError, "reset or step all"):
            pool.reset(options={"reset_mask": mask})
        pool.step(np.ones(3, int))
        pool.reset([2, 1, 0])
        with refused(ResetNeededError, "reset or step all"):
            pool.reset(options={"reset_mask": mask})
        pool.step(np.ones(3, int))
        pool.send(np.ones(3, int), [2, 0, 1])
        pool.recv()
        with refused(ResetNeededError, "reset or step all"):
            pool.reset(options={"reset_mask": mask})


def test_seeds_with_a_mask() -> None:
    mine, theirs = both("Walk", 3, "Disabled")
    for seed in (5, [1, 2, 3], [4, None, 6], [None, 8, None]):
        assert_same(mine.reset(seed=0), theirs.reset(seed=0))
        mask = np.array([True, False, True])
        assert_same(*reset_masked(mine, theirs, mask, seed))
        play(mine, theirs, 5)
    with refused(ValueError, "2 values for 3"):
        reset_masked(mine, theirs, mask, [1, 2])


@every_mode
def test_a_natural_end_on_the_time_limit_gives_both_flags(mode: str) -> None:
    with make(max_count=2, max_episode_steps=2, autoreset_mode=mode) as pool:
        pool.reset()
        pool.step(np.ones(1, int))
        _, _, terminated, truncated, _ = pool.step(np.ones(1, int))
        assert terminated[0]
        assert truncated[0]


@every_mode
def test_failures_do_not_disturb_the_others(mode: str) -> None:
    with make("Faulty", num_envs=3, autoreset_mode=mode) as pool:
        pool.reset()
        pool.step(np.array([0, 0, 0]))
        with pytest.raises(EnvError) as caught:
            pool.step(np.array([0, 1, 3]))  # 1: throws; 3: ends
        obs, reward, terminated, truncated, info = caught.value.result
        assert list(caught.value.failures) == [1]
        ended = mode == "SameStep"
        assert obs.tolist() == [2, 0, 0 if ended else 2]
        assert reward.tolist() == [1, 0, 1]
        assert terminated.tolist() == [False, False, True]
        assert truncated.tolist() == [False, True, False]
        if ended:
            assert list(info["final_obs"]) == [None, None, 2]
            assert info["_final_obs"].tolist() == [False, False, True]
        with refused(ResetNeededError, "environment 1 failed"):
            pool.step(np.zeros(1, int), [1])
        pool.reset([1] if mode != "Disabled" else [1, 2])
        obs, *_ = pool.step(np.zeros(3, int))
        assert obs.tolist() == [3, 1, {"NextStep": 0, "SameStep": 1, "Disabled": 1}[mode]]


def test_a_failing_kernel_resets_nobody() -> None:
    """Four lanes to a kernel, which fails as a whole; the other kernel's lanes go on."""
    with make("FaultyBatch", num_envs=8, autoreset_mode="SameStep", max_episode_steps=2) as pool:
        pool.reset()
        pool.step(np.zeros(8, int))
        with pytest.raises(EnvError) as caught:
            pool.step(np.array([0, 1, 0, 0, 0, 0, 0, 0]))
        assert sorted(caught.value.failures) == [0, 1, 2, 3]
        obs, _, _, truncated, info = caught.value.result
        assert truncated.all()
        assert info["_final_obs"].tolist() == [False] * 4 + [True] * 4
        assert list(info["final_obs"]) == [None] * 4 + [1] * 4
        assert obs.tolist() == [0] * 8
        pool.reset([0, 1, 2, 3])
        assert pool.step(np.zeros(8, int))[0].tolist() == [1] * 8


def test_a_failing_environment_has_no_final_observation() -> None:
    with make("Faulty", num_envs=2, autoreset_mode="SameStep") as pool:
        pool.reset()
        for _ in range(20):  # long enough that memory of batches with ends is used again
            pool.step(np.array([3, 3]))
            with pytest.raises(EnvError) as caught:
                pool.step(np.array([1, 0]))
            assert "final_obs" not in caught.value.result[4]
            pool.reset([0])


def test_a_reset_that_fails_within_a_step() -> None:
    """SAME_STEP: the episode ended well, but the next one could not begin."""
    with make("Faulty", num_envs=2, autoreset_mode="SameStep") as pool:
        pool.reset()
        pool.step(np.array([4, 0]))  # the next reset of environment 0 throws
        with pytest.raises(EnvError, match="environment 0: boom in reset") as caught:
            pool.step(np.array([3, 0]))
        obs, _, terminated, truncated, _ = caught.value.result
        assert (obs[0], terminated[0], truncated[0]) == (0, False, True)
        assert obs[1] == 2
        pool.reset([0])
        obs, *_ = pool.step(np.array([0, 0]))
        assert obs.tolist() == [1, 3]


def test_a_mask_after_a_step_that_names_everybody() -> None:
    """Whoever named all environments, in order, has had the observations of all."""
    with make("Count", num_envs=3) as pool:
        pool.reset()
        pool.step([1, 1, 1], env_id=[0, 1, 2])
        obs, _ = pool.reset(options={"reset_mask": np.array([False, True, False])})
        assert obs.tolist() == [1, 0, 1]
        pool.step([1, 1, 1], env_id=[2, 1, 0])
        with refused(ResetNeededError, "reset_mask"):
            pool.reset(options={"reset_mask": np.array([False, True, False])})
