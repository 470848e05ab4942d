"""A tree of futures plays an Atari game: simulations say which button is next, no network does.

python examples/planning/tree_search.py [--game Asterix-v5] [--decisions 150] [--seed 0]

Each decision grows a tree of button sequences from the present state: rounds of simulations go down the tree
by upper confidence bounds (UCT, Kocsis and Szepesvari 2006), and on at random. Beside it plays a greedy policy,
with the same seed: it takes the button that brings most while it is held.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import numpy as np
import parallel_pool

HOLD = 3  # steps that a button is held
DEPTH, WIDTH, ROUNDS = 8, 32, 3
Path = tuple[int, ...]


class Tree:
    """How often sequences of buttons were tried from one state, and what they brought in sum."""

    def __init__(self, buttons: int, rng: np.random.Generator) -> None:
        self._buttons, self._rng = buttons, rng
        self._visits: Counter[Path] = Counter()
        self._sums: Counter[Path] = Counter()
        self._range = (0.0, 1.0)

    def plan(self) -> Path:
        """A sequence to simulate. It counts as visited at once, so that those of a round differ."""
        path: Path = ()
        self._visits[path] += 1
        while len(path) < DEPTH and self._visits[path] > 1:
            bounds = np.array([self._bound((*path, button)) for button in range(self._buttons)])
            path += (int(self._rng.choice(np.flatnonzero(bounds == bounds.max()))),)
            self._visits[path] += 1
        rest = self._rng.integers(0, self._buttons, DEPTH - len(path))
        return path + tuple(rest.tolist())

    def learn(self, path: Path, value: float) -> None:
        self._range = (min(self._range[0], value), max(self._range[1], value))
        for end in range(1, DEPTH + 1):
            if self._visits[path[:end]] > 0:
                self._sums[path[:end]] += value  # type: ignore[assignment]

    def best(self) -> int:
        return max(range(self._buttons), key=lambda button: self._visits[(button,)])

    def _bound(self, path: Path) -> float:
        visits = self._visits[path]
        if visits == 0:
            return float("inf")
        low, high = self._range
        mean = (self._sums[path] / visits - low) / (high - low)
        return float(mean + 0.5 * np.sqrt(np.log(self._visits[path[:-1]]) / visits))


def search(envs: Any, state: bytes, buttons: int, rng: np.random.Generator) -> int:
    tree = Tree(buttons, rng)
    for _ in range(ROUNDS):
        paths = [tree.plan() for _ in range(WIDTH)]
        futures = envs.simulate(state, np.repeat(paths, HOLD, axis=1))
        discounts = 0.97 ** np.arange(DEPTH * HOLD)
        for path, value in zip(paths, futures.rewards @ discounts, strict=True):
            tree.learn(path, float(value))
    return tree.best()


def greedy(envs: Any, state: bytes, buttons: int, rng: np.random.Generator) -> int:
    futures = envs.simulate(state, np.repeat(np.arange(buttons)[:, None], HOLD, axis=1))
    returns = futures.rewards.sum(axis=1)
    return int(rng.choice(np.flatnonzero(returns == returns.max())))


def score(decide: Any, game: str, decisions: int, seed: int) -> float:
    """The points of so many decisions, or of the game if it ends before."""
    rng, points = np.random.default_rng(seed), 0.0
    with parallel_pool.make(game, num_envs=1, seed=seed) as envs:
        envs.reset()
        space: Any = envs.single_action_space
        for _ in range(decisions):
            button = decide(envs, envs.get_state()[0], int(space.n), rng)
            for _ in range(HOLD):
                _, reward, *ended, _ = envs.step([button])
                points += float(reward[0])
                if np.any(ended):
                    return points
    return points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="Asterix-v5", help="an id of the Atari plugin")
    parser.add_argument(
        "--decisions", type=int, default=150, help=f"each holds a button for {HOLD} steps"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the game and of the search")
    given = parser.parse_args()
    for decide in (search, greedy):
        points = score(decide, given.game, given.decisions, given.seed)
        print(f"{decide.__name__}: {points:.0f} points")


if __name__ == "__main__":
    main()
