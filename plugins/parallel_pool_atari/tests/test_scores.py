"""The statistics of a game are those of a wrapper below all that ends episodes and clips rewards."""

from typing import Any

import ale_py
import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.wrappers import AtariPreprocessing, RecordEpisodeStatistics

gymnasium.register_envs(ale_py)


class Skips(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Repeats an action for four frames; a lost life ends the episode, and a reset goes on with the game.

    A reset presses FIRE for one frame, or nothing in games without it. Keeps the games' statistics from below.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self.ale = env.unwrapped.ale  # type: ignore[attr-defined]
        self.fires = env.unwrapped.get_action_meanings()[1] == "FIRE"  # type: ignore[attr-defined]
        self.games: list[tuple[float, int]] = []
        self.lost = False
        self.steps = 0

    def reset(self, **arguments: Any) -> Any:
        if not self.lost:
            self.env.reset(**arguments)
            self.steps = 0
        *_, info = self.env.step(1 if self.fires else 0)
        assert "episode" not in info
        self.lives = self.ale.lives()

    def step(self, action: Any) -> Any:
        reward = 0.0
        for _ in range(4):
            obs, gain, over, cut, info = self.env.step(action)
            reward += float(gain)
            if over or cut:
                break
        self.steps += 1
        if "episode" in info:
            self.games.append((float(info["episode"]["r"]), self.steps))
        lives = self.ale.lives()
        self.lost = 0 < lives < self.lives and not (over or cut)
        self.lives = lives
        return obs, np.sign(reward), over or self.lost, cut, info


# Breakout serves by FIRE; Seaquest's points are many; in Qbert lives are 0 before the end.
@pytest.mark.parametrize(
    ("game", "steps", "limit", "mode"),
    [
        ("Breakout", 500, 0, "NextStep"),
        ("Seaquest", 500, 0, "SameStep"),
        ("Qbert", 500, 0, "NextStep"),
        pytest.param("Qbert", 900, 0, "SameStep", marks=pytest.mark.slow),
        ("Boxing", 400, 900, "SameStep"),
    ],
)
def test_scores_are_those_from_below_the_wrappers(
    game: str, steps: int, limit: int, mode: str
) -> None:
    pool = parallel_pool.make(
        f"{game}-v5",
        num_envs=2,
        episodic_life=True,
        reward_clip=True,
        noop_max=1,
        max_num_frames_per_episode=limit,
        episode_statistics=True,
        autoreset_mode=mode,
    )
    frames = {"max_num_frames_per_episode": limit} if limit else {}
    frames |= {"frameskip": 1, "repeat_action_probability": 0}
    originals = [gymnasium.make(f"ALE/{game}-v5", **frames) for _ in range(2)]
    below = [Skips(RecordEpisodeStatistics(each)) for each in originals]
    pool.reset(seed=3)
    for number, env in enumerate(below):
        env.reset(seed=3 + number)
    ended = [False, False]
    rng = np.random.default_rng(0)
    found: list[list[tuple[float, int]]] = [[], []]
    with pool:
        for _ in range(steps):
            action = rng.integers(0, pool.single_action_space.n, 2)
            _, reward, terminated, truncated, info = pool.step(action)
            for lane, env in enumerate(below):
                if ended[lane] and mode == "NextStep":
                    env.reset()
                    ended[lane] = False
                else:
                    _, wanted, *flags, _ = env.step(action[lane])
                    assert (reward[lane], terminated[lane], truncated[lane]) == (wanted, *flags)
                    ended[lane] = any(flags)
                    if ended[lane] and mode == "SameStep":
                        env.reset()
                if "episode" in info and info["_episode"][lane]:
                    episode = info["episode"]
                    found[lane].append((float(episode["r"][lane]), int(episode["l"][lane])))
                assert found[lane] == env.games
    assert sum(map(len, found)) >= 2
    assert any(points for each in found for points, _ in each)


class Sum(gymnasium.Wrapper[Any, Any, Any, Any]):
    points = 0.0

    def step(self, action: Any) -> Any:
        result = self.env.step(action)
        self.points += float(result[1])
        return result


def test_points_of_no_ops_count() -> None:
    """Skiing takes some away for every moment."""
    options = {"use_fire_reset": False, "episode_statistics": True}
    with parallel_pool.make("Skiing-v5", num_envs=3, **options) as pool:
        _, info = pool.reset(seed=5)
        for lane in range(3):
            below = Sum(gymnasium.make("ALE/Skiing-v5", frameskip=1, repeat_action_probability=0))
            AtariPreprocessing(below).reset(seed=5 + lane)
            assert info["score"][lane] == below.points < 0
