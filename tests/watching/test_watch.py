"""What the labels say, and going back to an earlier moment."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool_watch.policies import random_policy
from parallel_pool_watch.watch import Episode, Watch

pytest.importorskip("parallel_pool_classic")


def watched(task_id: str = "CartPole-v1", num_envs: int = 4, **arguments: Any) -> Watch:
    how: dict[str, Any] = {"seed": 1, "arguments": arguments}
    return Watch(task_id, num_envs, lambda space: random_policy(space, 1), **how)


def test_returns_and_lengths_are_those_of_the_pool() -> None:
    with (
        watched() as watch,
        parallel_pool.make("CartPole-v1", num_envs=4, seed=1, episode_statistics=True) as pool,
    ):
        pool.reset()
        act = random_policy(pool.action_space, 1)
        seen, expected = [], []
        for step in range(120):
            seen += watch.step()
            *_, info = pool.step(act(None, step))
            assert np.array_equal(watch.lengths, info["elapsed_step"])
            for env in np.flatnonzero(info.get("_episode", ())).tolist():
                total, length = info["episode"]["r"][env], info["episode"]["l"][env]
                expected.append(Episode(step + 1, env, total, length))
        assert seen == expected
        assert len(seen) > 8


def test_going_back_gives_the_same_again() -> None:
    with watched() as watch:
        for _ in range(30):
            watch.step()
        moment = watch.save()
        before = watch.pool.render()

        def course() -> list[Any]:
            episodes = [episode for _ in range(60) for episode in watch.step()]
            return [episodes, watch.returns.tolist(), watch.observations.tolist()]

        first = course()
        watch.go_to(moment)
        assert watch.steps == 30
        assert np.array_equal(watch.returns, watch.lengths)
        assert course() == first
        watch.go_to(moment)
        for drawn, drawn_before in zip(watch.pool.render(), before, strict=True):
            assert np.array_equal(drawn, drawn_before)
        assert moment.nbytes > 4 * 100


def test_the_camera_follows_the_body() -> None:
    pytest.importorskip("parallel_pool_mujoco")

    def camera(**arguments: Any) -> Any:
        with watched("Hopper-v5", 1, **arguments) as one:
            return one.pool.config["render_camera_name"]

    assert camera() == "track"
    assert camera(render_camera_id=-1) is None
    assert camera(render_camera_name="other") == "other"
    with watched() as watch:
        assert watch.pool.config["render_camera_name"] is None


def test_returns_are_those_of_each_player() -> None:
    with watched("TwoPlayerPong-v0", 2, points=1, max_episode_steps=200) as watch:
        moment = watch.save()
        episodes = [episode for _ in range(400) for episode in watch.step()]
        assert {each.players for each in episodes} >= {(1.0, -1.0), (-1.0, 1.0)}
        assert all(each.total == sum(each.players) for each in episodes)
        assert watch.returns.shape == (2, 2)
        (longest, *_, shortest), _ = watch._labels()
        assert longest.startswith(f"0: return {shortest.removeprefix('0: ')}  step ")
        assert "(last " in longest and ", " in shortest
        watch.go_to(moment)
        assert not watch.returns.any()
