"""Steps a pool and one Gymnasium environment per lane with the same actions and compares all.

The pool resets an ended environment in its next step (NEXT_STEP); so do we with the references.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from atari_engine import same


class Twin:
    def __init__(self, pool: Any, references: list[gymnasium.Env[Any, Any]]) -> None:
        self.pool = pool
        self.references = references
        self.ended = [False] * len(references)
        self.episodes = 0

    def reset(self, seed: int | None) -> None:
        obs, info = self.pool.reset(seed=seed)
        for lane, env in enumerate(self.references):
            expected, _ = env.reset(seed=None if seed is None else seed + lane)
            same(obs[lane], expected, f"lane {lane}, reset")
            self._same_info(info, lane, "reset")
        self.ended = [False] * len(self.references)

    def step(self, actions: np.ndarray[Any, Any], where: str = "") -> None:
        obs, reward, terminated, truncated, info = self.pool.step(actions)
        for lane, env in enumerate(self.references):
            here = f"{where} lane {lane}"
            if self.ended[lane]:
                expected, _ = env.reset()
                wanted: tuple[float, bool, bool] = (0.0, False, False)
            else:
                expected, gain, term, trunc, _ = env.step(int(actions[lane]))
                wanted = (float(gain), term, trunc)
            assert (reward[lane], terminated[lane], truncated[lane]) == wanted, here
            same(obs[lane], expected, here)
            self._same_info(info, lane, here)
            self.ended[lane] = wanted[1] or wanted[2]
            self.episodes += self.ended[lane]

    def run(self, steps: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        n = self.pool.single_action_space.n
        assert n == self.references[0].action_space.n  # type: ignore[attr-defined]
        for step in range(steps):
            self.step(rng.integers(0, n, len(self.references)), f"step {step}")

    def _same_info(self, info: dict[str, Any], lane: int, where: str) -> None:
        ale = self.references[lane].unwrapped.ale  # type: ignore[attr-defined]
        assert info["lives"][lane] == ale.lives(), where
        if "ram" in info:
            same(info["ram"][lane], ale.getRAM(), where)
            assert info["terminated"][lane] == ale.game_over(with_truncation=False), where
        else:
            assert info["frame_number"][lane] == ale.getFrameNumber(), where
            assert info["episode_frame_number"][lane] == ale.getEpisodeFrameNumber(), where

    def close(self) -> None:
        self.pool.close()
        for env in self.references:
            env.close()
