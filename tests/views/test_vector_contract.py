"""What Gymnasium asserts of its own vector environments, asserted of ours."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space
from test_envs.checks import leaves, refused
from test_envs.pools import make
from twins import every_mode, sync


@every_mode
@pytest.mark.parametrize("name", ["Count", "Walk"])
def test_attributes_are_those_of_gymnasiums_vector_environments(mode: str, name: str) -> None:
    theirs = sync(name, 3, mode)
    with make(name, num_envs=3, autoreset_mode=mode) as mine:
        assert isinstance(mine, VectorEnv)
        assert mine.unwrapped is mine
        assert mine.num_envs == theirs.num_envs
        assert mine.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
        assert mine.render_mode is None
        assert not mine.closed
        for each in ("observation_space", "single_observation_space", "action_space"):
            assert getattr(mine, each) == getattr(theirs, each)
        assert mine.single_action_space == theirs.single_action_space
        assert mine.observation_space == batch_space(mine.single_observation_space, 3)


@every_mode
def test_seeds_are_the_whole_difference(mode: str) -> None:
    def run(pool: Any, seed: Any) -> list[Any]:
        pool.action_space.seed(0)
        answers: list[Any] = [pool.reset(seed=seed)[0]]
        for _ in range(8):
            answer = pool.step(pool.action_space.sample())
            answers += answer[:4]
            if mode == "Disabled" and (over := answer[2] | answer[3]).any():
                answers.append(pool.reset(options={"reset_mask": over})[0])
        return [answer.tolist() for answer in answers]

    with (
        make("Walk", num_envs=4, autoreset_mode=mode) as one,
        make("Walk", num_envs=4, autoreset_mode=mode, num_threads=2) as other,
    ):
        assert run(one, 123) == run(other, [123, 124, 125, 126]) == run(one, 123)
        assert run(one, 123) != run(other, 124)
        assert run(one, None) != run(one, None), "without a seed the generators go on"
        obs, _ = one.reset(seed=[5, 5, 5, 6])
        assert (obs[0] == obs[1]).all()
        assert not (obs[0] == obs[3]).all()


@pytest.mark.parametrize("seed", [[1, 2], [1, 2, 3, 4], [], "seed", 1.5, [1, 2, "3"]])
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    with make(num_envs=3) as pool:
        pool.reset()
        with pytest.raises((ValueError, TypeError)):
            pool.reset(seed=seed)
        pool.step([0, 0, 0])


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_as_many_actions_as_environments(count: int) -> None:
    with make(num_envs=3) as pool:
        pool.reset()
        with pytest.raises(ValueError):
            pool.step(np.zeros(count, int))
        assert pool.step(np.zeros(3, int))[0].tolist() == [1, 1, 1]


@every_mode
@pytest.mark.parametrize("form", [list, tuple, np.asarray])
def test_actions_may_be_any_sequence(mode: str, form: Any) -> None:
    with make(num_envs=3, autoreset_mode=mode) as pool:
        pool.reset()
        assert pool.step(form([0, 1, 2]))[1].tolist() == [0, 1, 2]


@every_mode
def test_answers_are_never_written_again(mode: str) -> None:
    with make("Walk", num_envs=3, autoreset_mode=mode) as pool:
        kept = [pool.reset(seed=1)]
        copies = [[np.array(leaf) for leaf in leaves(kept[0])]]
        for _ in range(20):
            answer = pool.step(np.zeros(3, int))
            kept.append(answer)
            copies.append([np.array(leaf) for leaf in leaves(answer)])
            if mode == "Disabled" and (over := answer[2] | answer[3]).any():
                pool.reset(options={"reset_mask": over})
        for answer, copy in zip(kept, copies, strict=True):
            for leaf, before in zip(leaves(answer), copy, strict=True):
                if leaf.dtype != object:
                    assert (leaf == before).all()


def test_closing_is_final_and_may_be_repeated() -> None:
    pool = make(num_envs=2)
    pool.reset()
    pool.close()
    pool.close()
    assert pool.closed
    for call in (pool.reset, lambda: pool.step([0, 0]), pool.recv):
        with pytest.raises(ClosedEnvironmentError):
            call()


def test_stepping_before_the_first_reset_is_refused() -> None:
    with make(num_envs=2) as pool, pytest.raises(gymnasium.error.ResetNeeded):
        pool.step([0, 0])


def test_a_reset_of_parts_before_the_first_reset() -> None:
    """Gymnasium has no observation to give for the others; we say so."""
    with make(num_envs=2) as pool:
        mask = np.array([True, False])
        with refused(gymnasium.error.ResetNeeded, "reset or step all of them first"):
            pool.reset(options={"reset_mask": mask})
        pool.reset(options={"reset_mask": np.array([True, True])})
        assert pool.reset(options={"reset_mask": mask})[0].tolist() == [0, 0]


def test_render_without_a_renderer() -> None:
    with make(num_envs=2) as pool:
        assert pool.render_mode is None
        with pytest.raises((NotImplementedError, gymnasium.error.Error)):
            pool.render()
