"""Chunks of actions: equal to the same actions one after the other. Views and states: tests/model."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from gymnasium import spaces
from parallel_pool import OptionError
from test_envs.checks import refused
from test_envs.chunks import by_steps, expect_as_by_steps

MODES = ("NextStep", "SameStep", "Disabled")
CHUNK = 5
CHUNKS: dict[str, Any] = {"action_chunk": CHUNK, "chunk_rewards": True}
IN_WORKERS = {"isolation": "process", "num_threads": 1}


def twins(task_id: str, chunked: Any = None, **arguments: Any) -> tuple[Any, Any]:
    """A pool with chunks, which has these arguments too, and one without; both reset."""
    arguments["seed"] = 3
    pools = [parallel_pool.make(task_id, **(arguments | (chunked or {}) | CHUNKS))]
    pools.append(parallel_pool.make(task_id, **arguments))
    for pool in pools:
        pool.reset()
    return pools[0], pools[1]


def play(chunked: Any, plain: Any, calls: int = 25, acting: Any = None) -> list[int]:
    """Plays both and compares; how many steps each chunk had. acting: see by_steps."""
    chunked.action_space.seed(1)
    steps: list[int] = []
    for _ in range(calls):
        actions = chunked.action_space.sample()
        answer = chunked.step(actions)
        expect_as_by_steps(answer, by_steps(plain, actions, range(chunked.num_envs), acting))
        steps += answer[-1]["chunk_steps"].tolist()
        due = np.flatnonzero(answer[2] | answer[3])
        if chunked.autoreset_mode.value == "Disabled" and due.size:
            chunked.reset(due)
            _, info = plain.reset(due)
            if acting is not None:
                acting[due] = info["players"]["acting"]
    return steps


@pytest.mark.parametrize("view", ["gymnasium", "gym", "dm"])
def test_spaces_have_the_axis(view: str) -> None:
    how = {"num_envs": 3, "action_chunk": 4, "chunk_rewards": True}
    with parallel_pool.make("CartPole-v1", view, **how) as pool:
        spec = pool.spec.action_spec()
        assert spec.shape == (4,)
        assert (spec.minimum == 0).all() and (spec.maximum == 1).all()
        assert pool.spec.action_space == spaces.MultiDiscrete([2] * 4, np.int32)
        pool.reset()
        if view == "dm":
            shown = pool.observation_spec()
            assert shown.chunk_rewards.shape == (4,)
            assert shown.chunk_steps.maximum == 4
        with refused(ValueError, "(3,)", "(3, 4)"):
            pool.step(np.zeros(3, int))
        with refused(ValueError, "environment 1", "number 2 of its chunk", "is 7"):
            pool.step(np.array([[0] * 4, [0, 0, 7, 0], [0] * 4]))
    with parallel_pool.make("Pendulum-v1", num_envs=3, action_chunk=4) as pool:
        assert pool.single_action_space.shape == (4, 1)
        assert pool.action_space.shape == (3, 4, 1)


def test_what_cannot_be_combined_is_refused_by_name() -> None:
    with refused(OptionError, "chunk_rewards", "action_chunk"):
        parallel_pool.make("CartPole-v1", chunk_rewards=True)
    with refused(OptionError, "action_chunk is 0"):
        parallel_pool.make("CartPole-v1", action_chunk=0)
    from parallel_pool import envpool

    with refused(OptionError, "action_chunk", "EnvPool"):
        envpool.make("CartPole-v1", "gymnasium", action_chunk=2)
    with (
        parallel_pool.make("CartPole-v1", action_chunk=2) as pool,
        refused(OptionError, "action_chunk"),
    ):
        pool.episodes(lambda obs: 0, seeds=range(3))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("limit", [3, 12])
def test_stacks_and_rewards_of_single_steps(mode: str, limit: int) -> None:
    """A stack deeper than some chunks, and statistics in the order of the steps."""
    arguments = {"num_envs": 5, "autoreset_mode": mode, "max_episode_steps": limit}
    transform = {
        "flatten_obs": True,
        "frame_stack": 4,
        "normalize_reward": True,
        "clip_reward": 0.7,
    }
    chunked, plain = twins("CartPole-v1", transform=transform, **arguments)
    with chunked, plain:
        play(chunked, plain)
        ours, theirs = chunked.reward_statistics, plain.reward_statistics
        assert (ours.mean, ours.var, ours.count) == (theirs.mean, theirs.var, theirs.count)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("task_id", "chunks", "arguments"),
    [
        ("gym:CartPole-v1", IN_WORKERS, {"isolation": "thread"}),
        ("CartPole-v1", {}, IN_WORKERS),
        ("gym:CartPole-v1", {}, {"isolation": "thread", "transform": {"frame_stack": 3}}),
    ],
    ids=["python", "process", "stack"],
)
def test_in_workers(task_id: str, chunks: Any, arguments: dict[str, Any], mode: str) -> None:
    arguments = {"num_threads": 2, "max_episode_steps": 13, **arguments}
    chunked, plain = twins(task_id, chunks, num_envs=5, autoreset_mode=mode, **arguments)
    with chunked, plain:
        play(chunked, plain, 12)


@pytest.mark.parametrize("mode", MODES)
def test_refused_steps_end_the_chunk(mode: str) -> None:
    for workers in ({}, IN_WORKERS):
        arguments = {"num_envs": 4, "autoreset_mode": mode, "nan_action": "truncate"}
        chunked, plain = twins("Pendulum-v1", **arguments, **workers)
        with chunked, plain:
            actions = np.zeros((4, CHUNK, 1), np.float32)
            actions[1, 2], actions[1, 4], actions[2, 0] = np.nan, np.inf, np.nan
            answer = chunked.step(actions)
            expect_as_by_steps(answer, by_steps(plain, actions, range(4)))
            assert answer[-1]["chunk_steps"].tolist() == [5, 2, 0, 5]
            assert answer[3].tolist() == [False, True, True, False]
            actions = np.zeros_like(actions)
            if mode == "Disabled":
                for pool in (chunked, plain):
                    pool.reset([1, 2])
            expect_as_by_steps(chunked.step(actions), by_steps(plain, actions, range(4)))


@pytest.mark.parametrize(
    ("mode", "limit", "shown", "drawn", "view"),
    [
        # The episode ends in its seventh step, whose chunk is the second.
        ("NextStep", 50, [5, 7, 0, 5], [2, 3, 4, 5], "gymnasium"),
        ("NextStep", 50, [5, 7, 0, 5], [2, 3, 4, 5], "dm"),
        ("SameStep", 50, [5, 0, 5, 0], [2, 4, 5, 7], "gymnasium"),
        ("NextStep", 6, [5, 6, 0, 5], [2, 3, 4, 5], "gymnasium"),  # a limit is known before
    ],
)
def test_only_what_is_read_is_drawn(
    mode: str, limit: int, shown: list[int], drawn: list[int], view: str
) -> None:
    arguments = {"num_envs": 3, "autoreset_mode": mode, "max_episode_steps": limit}
    with parallel_pool.make("test/Drawn-v0", view, action_chunk=CHUNK, **arguments) as pool:
        pool.reset()
        for observed, total in zip(shown, drawn, strict=True):
            answer = pool.step(np.ones((3, CHUNK), int))
            fields = answer[-1] if view == "gymnasium" else answer.observation._asdict()
            obs = answer[0] if view == "gymnasium" else fields["obs"]
            assert obs.ravel().tolist() == [observed] * 3
            assert fields["total"].tolist() == [total] * 3


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_game_that_leaves_out_pictures(mode: str) -> None:
    chunked, plain = twins("CarRacing-v3", num_envs=2, autoreset_mode=mode, max_episode_steps=33)
    with chunked, plain:
        play(chunked, plain, 15)


def test_a_stack_has_all_steps_drawn() -> None:
    transform = {"frame_stack": 3}
    with parallel_pool.make("test/Drawn-v0", action_chunk=CHUNK, transform=transform) as pool:
        pool.reset()
        obs, *_, info = pool.step(np.ones((1, CHUNK), int))
        assert obs.ravel().tolist() == [3, 4, 5]
        assert info["total"].tolist() == [1 + CHUNK]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("task_id", "chunks", "isolation"),
    [
        ("test/Crowd-v0", {}, None),
        ("pettingzoo:test_envs.parallel_envs:Race", IN_WORKERS, "thread"),
    ],
    ids=["native", "python"],
)
def test_a_chunk_ends_where_players_change(
    task_id: str, chunks: Any, isolation: str | None, mode: str
) -> None:
    chunked, plain = twins(task_id, chunks, num_envs=4, autoreset_mode=mode, isolation=isolation)
    with chunked, plain:
        acting = plain.reset(seed=3)[1]["players"]["acting"].copy()
        chunked.reset(seed=3)
        steps = play(chunked, plain, 15, acting)
        assert {0, 1, CHUNK} <= {*steps, *([0] if mode != "NextStep" else [])}
