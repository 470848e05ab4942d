"""Steps a pool and one Gymnasium environment per lane with the same actions and compares all.

The pool resets an ended environment in its next step (NEXT_STEP); so do we with the references.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from test_envs.lockstep import Lockstep


class Twin:
    def __init__(self, pool: Any, references: list[gymnasium.Env[Any, Any]]) -> None:
        self.pool = pool
        self.references = references
        self.compared = Lockstep(str(pool.spec.id))
        self.ended = [False] * len(references)
        self.episodes = 0

    def reset(self, seed: int | None) -> None:
        self.compared = Lockstep(self.compared.env_id, seed)
        obs, info = self.pool.reset(seed=seed)
        for lane, env in enumerate(self.references):
            expected, _ = env.reset(seed=None if seed is None else seed + lane)
            self.compared.same(lane, "observation", obs[lane], expected)
            self._same_info(info, lane)
        self.ended = [False] * len(self.references)

    def step(self, actions: np.ndarray[Any, Any], where: int | str = "") -> None:
        self.compared.step = where
        obs, reward, terminated, truncated, info = self.pool.step(actions)
        for lane, env in enumerate(self.references):
            if self.ended[lane]:
                expected, _ = env.reset()
                wanted: tuple[float, bool, bool] = (0.0, False, False)
            else:
                expected, gain, term, trunc, _ = env.step(int(actions[lane]))
                wanted = (float(gain), term, trunc)
            rewarded = (reward[lane], terminated[lane], truncated[lane])
            assert rewarded == wanted, f"{self.compared.place(lane)}: {rewarded}, not {wanted}"
            self.compared.same(lane, "observation", obs[lane], expected)
            self._same_info(info, lane)
            self.ended[lane] = wanted[1] or wanted[2]
            self.episodes += self.ended[lane]

    def run(self, steps: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        n = self.pool.single_action_space.n
        assert n == self.references[0].action_space.n  # type: ignore[attr-defined]
        for step in range(steps):
            self.step(rng.integers(0, n, len(self.references)), step)

    def _same_info(self, info: dict[str, Any], lane: int) -> None:
        ale = self.references[lane].unwrapped.ale  # type: ignore[attr-defined]
        wanted = {"lives": ale.lives()}
        if "ram" in info:
            wanted["ram"] = ale.getRAM()
            wanted["terminated"] = ale.game_over(with_truncation=False)
        else:
            wanted["frame_number"] = ale.getFrameNumber()
            wanted["episode_frame_number"] = ale.getEpisodeFrameNumber()
        for key, value in wanted.items():
            self.compared.same(lane, f"info[{key!r}]", info[key][lane], value, dtype=key == "ram")

    def close(self) -> None:
        self.pool.close()
        for env in self.references:
            env.close()
