"""test/Crowd-v0 and what a pool makes of it, in plain Python: the rules of docs/multi-player.md."""

from typing import Any

import numpy as np
import numpy.typing as npt

PLAYERS = 4
PLAYS_ON = 6  # from this action on
Array = npt.NDArray[Any]


class Row:
    """One environment's part of an answer. Arrays have a place for every player."""

    def __init__(self, present: Array, elapsed: int = 0, first: bool = False) -> None:
        self.present, self.elapsed, self.first = present, elapsed, first
        self.acting, self.ended, self.final = np.zeros((3, PLAYERS), bool)
        self.player_terminated, self.player_truncated = np.zeros((2, PLAYERS), bool)
        self.age, self.final_age = np.zeros((2, PLAYERS), np.int32)
        self.reward, self.returns = np.zeros((2, PLAYERS))
        self.own, self.final_own = np.zeros((2, PLAYERS, 4))
        self.common = self.final_common = 0.0
        self.terminated = self.truncated = False
        self.length = 0

    @property
    def shown(self) -> Array:
        return self.present | self.final


class CrowdModel:
    """One environment of a pool, stepped by the actions of those it showed."""

    def __init__(self, seed: int, mode: str = "NextStep", limit: int = 0, begin: int = 2) -> None:
        self.draw = np.random.default_rng(seed)
        self.mode, self.limit, self.begin = mode, limit, begin
        self.over = False
        self.row = Row(np.zeros(PLAYERS, bool))

    def reset(self) -> Row:
        self.over = False
        self.elapsed = 0
        self.age = np.zeros(PLAYERS, np.int32)
        self.sums = np.zeros(PLAYERS)
        row = Row(present=np.arange(PLAYERS) < self.begin, first=True)
        row.acting = row.present.copy()
        self._observe(row, np.full(PLAYERS, -1))
        self.row = row
        return row

    def step(self, actions: list[int]) -> Row:
        """actions: one for each player shown last."""
        slots = np.flatnonzero(self.row.shown)
        assert len(actions) == len(slots)
        if self.over:
            assert self.mode == "NextStep"
            return self.reset()
        acted = self.row.acting
        given = dict(zip(slots.tolist(), actions, strict=True))
        self.elapsed += 1
        row = Row(present=acted.copy(), elapsed=self.elapsed)
        done = np.full(PLAYERS, -1)
        for k in np.flatnonzero(acted).tolist():
            done[k] = given[k]
            self.age[k] = self.age[k] + 1 if given[k] < PLAYS_ON else 0
            row.reward[k] = 10 * k + given[k]
            row.player_terminated[k] = given[k] in (1, PLAYS_ON)
            row.player_truncated[k] = given[k] in (2, PLAYS_ON + 1)
            if given[k] == 3:
                row.present[k] = False
            if given[k] == 4 and not row.present.all():
                new = int(np.argmin(row.present))
                row.present[new] = True
                self.age[new] = 0
        self._observe(row, done)
        for flags in (row.reward, row.player_terminated, row.player_truncated):
            flags[~row.present] = 0
        ended = row.player_terminated | row.player_truncated
        out = ended & (done < PLAYS_ON)
        if done[0] == done[1] == PLAYS_ON:
            row.player_terminated |= row.present
            out = row.present
        everybody = bool(row.present.any() and out[row.present].all())
        row.terminated = everybody and bool(row.player_terminated.any())
        row.truncated = everybody and bool(row.player_truncated.any())
        if self.elapsed == self.limit:
            row.truncated = True
            row.player_truncated |= row.present
            out = row.present
        row.ended = row.player_terminated | row.player_truncated
        row.acting = row.present & ~out
        self.sums = np.where(row.present, self.sums + row.reward, 0)
        row.returns = np.where(row.ended, self.sums, 0)
        self.sums[row.ended] = 0
        self.over = row.terminated or row.truncated
        row.length = self.elapsed if self.over else 0
        if self.over and self.mode == "SameStep":
            last, row = row, self.reset()
            row.final, row.final_own, row.final_age = last.present, last.own, last.age
            row.final_common = last.common
            row.first = False
            for name in ("ended", "player_terminated", "player_truncated", "reward", "returns"):
                setattr(row, name, getattr(last, name))
            row.terminated, row.truncated, row.length = last.terminated, last.truncated, last.length
        self.row = row
        return row

    def _observe(self, row: Row, done: Array) -> None:
        row.common = row.present.sum()
        for k in range(PLAYERS):
            row.own[k] = k, self.age[k], done[k], self.draw.random()
        row.age = np.where(row.present, self.age, 0).astype(np.int32)
        row.own[~row.present] = 0


def some_actions(draw: np.random.Generator, count: int) -> list[int]:
    """Mostly staying; now and then a player ends, plays on, leaves or comes."""
    return draw.choice(8, count, p=[0.3, 0.1, 0.05, 0.05, 0.1, 0.3, 0.05, 0.05]).tolist()


def flat(rows: list[Row], name: str) -> Array:
    """The players' rows of an attribute, as flat views have them."""
    return np.concatenate([getattr(row, name)[row.shown] for row in rows])


def padded(rows: list[Row], name: str) -> Array:
    """An attribute as padded views have it."""
    return np.array([getattr(row, name) for row in rows])
