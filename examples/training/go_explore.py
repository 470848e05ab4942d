"""Branching by states: a small Go-Explore on the first room of Montezuma's Revenge.

python examples/training/go_explore.py

No network and no reward is needed to get around: the archive has one saved game for each cell, a cell
being what the screen looks like at 11 x 8 pixels and eight shades. Every environment of the pool takes
a cell that was seldom chosen, goes there by `set_state`, and plays at random for a while; what it finds
that is new, or was reached in fewer steps, is saved by `get_state`. The way to the best score is played
again from the start at the end, and filmed.

After Ecoffet et al., "Go-Explore: a New Approach for Hard-Exploration Problems", its first phase.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import imageio
import numpy as np
import parallel_pool
from command_line import from_command_line
from report import Report, draw_curves


@dataclass
class Config:
    """Go-Explore with random actions."""

    env: str = "MontezumaRevenge-v5"
    total_steps: int = 2_000_000
    num_envs: int = 64
    steps_each: int = 60
    """steps from a cell until another one is chosen"""
    keep_action: float = 0.9
    """probability that an action is the one before"""
    goal: float = 400
    """score at which to stop: the key is worth 100, the door that it opens 300"""
    num_threads: int | None = None
    """threads that step environments; none: as many as there are CPUs"""
    seed: int = 1
    track: str = ""
    """also log to "tensorboard" or "wandb", or to both, with a comma between"""
    out: Path = Path("results/go_explore")
    """folder for log, picture and film"""
    film_frames: int = 2_000
    """most steps of the film; 0: none"""


@dataclass
class Cell:
    """The best way known to what looks alike, as a way from an earlier cell."""

    state: bytes
    score: float
    steps: int
    came_from: Cell | None
    actions: np.ndarray
    chosen: int = 0

    def way(self) -> list[int]:
        """All actions since the start."""
        pieces, cell = [], self
        while cell is not None:
            pieces.append(cell.actions)
            cell = cell.came_from
        return np.concatenate(pieces[::-1]).tolist()


class GoExplore:
    """The archive, and a pool to look further from it."""

    def __init__(self, config: Config, envs: Any) -> None:
        self.config, self.envs = config, envs
        self.rng = np.random.default_rng(config.seed)
        obs, info = envs.reset(seed=config.seed)
        self.lives = info["lives"][0]
        self.start = envs.get_state([0])[0]
        self.archive = {self.keys(obs)[0]: Cell(self.start, 0.0, 0, None, np.zeros(0, np.int64))}
        self.steps = 0

    @property
    def best(self) -> Cell:
        """The highest score in the fewest steps; as long as there is no score, the cell that is farthest."""
        cells = self.archive.values()
        return max(cells, key=lambda x: (x.score, -x.steps if x.score else x.steps))

    @staticmethod
    def keys(obs: np.ndarray) -> list[bytes]:
        """The cell of each picture."""
        return [bytes(x) for x in (obs[:, 0] // 32).reshape(len(obs), -1)]

    def choose(self) -> list[Cell]:
        """A cell for each environment; the more often it was chosen, the less likely it is."""
        cells = list(self.archive.values())
        weight = 1 / np.sqrt(1 + np.array([cell.chosen for cell in cells]))
        picks = self.rng.choice(len(cells), self.config.num_envs, p=weight / weight.sum())
        for k in picks:
            cells[k].chosen += 1
        return [cells[k] for k in picks]

    def explore(self) -> None:
        """Each environment goes to a cell and on from there."""
        config, count = self.config, self.config.num_envs
        cells = self.choose()
        self.envs.set_state(None, [cell.state for cell in cells])
        score = np.array([cell.score for cell in cells])
        alive = np.ones(count, bool)
        actions = np.zeros((config.steps_each, count), np.int64)
        number = int(self.envs.single_action_space.n)
        action = self.rng.integers(number, size=count)
        for t in range(config.steps_each):
            fresh = self.rng.random(count) > config.keep_action
            action = np.where(fresh, self.rng.integers(number, size=count), action)
            actions[t] = action
            obs, reward, terminated, truncated, info = self.envs.step(action)
            self.steps += count
            score += reward * alive
            # An environment that has lost a life is out until the next cell.
            alive &= ~(terminated | truncated) & (info["lives"] == self.lives)
            found = []
            for i, key in enumerate(self.keys(obs)):
                known, steps = self.archive.get(key), cells[i].steps + t + 1
                worth = alive[i] and (
                    known is None or (-known.score, known.steps) > (-score[i], steps)
                )
                if worth:
                    # Reserved at once, so that two of one step do not both save it.
                    chosen = 0 if known is None or score[i] > known.score else known.chosen
                    cell = Cell(b"", score[i], steps, cells[i], actions[: t + 1, i].copy(), chosen)
                    self.archive[key] = cell
                    found.append((i, cell))
            states = self.envs.get_state([i for i, _ in found]) if found else []
            for (_, cell), state in zip(found, states, strict=True):
                cell.state = state


def make_envs(config: Config, num_envs: int, **more: Any) -> Any:
    """Games that always begin alike, on tiny screens."""
    return parallel_pool.make(
        config.env,
        num_envs=num_envs,
        num_threads=config.num_threads,
        img_height=8,
        img_width=11,
        stack_num=1,
        noop_max=0,
        **more,
    )


def replay(config: Config, found: GoExplore) -> float:
    """Plays the way to the best score again from the start, filmed; gives the score."""
    way, score = found.best.way(), 0.0
    with make_envs(config, 1, render_mode="rgb_array") as envs:
        envs.reset(seed=config.seed)
        envs.set_state(None, [found.start])
        with imageio.get_writer(
            config.out / f"seed{config.seed}.mp4", fps=15, macro_block_size=1
        ) as film:
            for action in way[: config.film_frames or None]:
                score += envs.step(np.array([action]))[1][0]
                if config.film_frames:
                    film.append_data(envs.render()[0])
    return score


def main() -> None:
    """Explores until the goal or the end of the budget."""
    config = from_command_line(default=Config())
    report = Report(config)
    with make_envs(config, config.num_envs) as envs:
        search = GoExplore(config, envs)
        while search.steps < config.total_steps and search.best.score < config.goal:
            search.explore()
            report.log(search.steps, [search.best.score], cells=len(search.archive))
    report.close()
    draw_curves(config.out, f"{config.env}, best score", config.goal)
    print(
        f"best score {search.best.score:.0f} in {search.best.steps} steps, {len(search.archive)} "
        f"cells after {search.steps} steps; played again: {replay(config, search):.0f}"
    )


if __name__ == "__main__":
    main()
