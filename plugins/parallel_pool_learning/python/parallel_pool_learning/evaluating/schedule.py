"""Gives each environment its seeds: every seed once for each kind of environment that the pool has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Literal

from parallel_pool.errors import OptionError
from parallel_pool.pool_api import PoolConfig

from parallel_pool_learning.evaluating.episode import Episode

Order = Literal["seeds", "ends"]


@dataclass(frozen=True)
class Job:
    """A seed for one kind of environment: the number of the seed, and of the kind."""

    number: int
    kind: int
    seed: int


class Schedule:
    """Gives seeds to environments, and episodes back in the order that was asked for.

    Raises OptionError for seeds that are none, or come twice, and for another order.
    """

    def __init__(self, config: PoolConfig, seeds: Iterable[int], order: Order) -> None:
        if order not in ("seeds", "ends"):
            raise OptionError(f"order is {order!r}, expected 'seeds' or 'ends'")
        self.seeds = seeds if isinstance(seeds, range) else _checked(seeds)
        if isinstance(seeds, range) and seeds:
            _checked([seeds[0], seeds[-1]][: len(seeds)])
        variants, count = config.variants, config.arguments.num_envs
        of = list(variants.variant_of)
        self.kind_of: Sequence[int] = of if len(of) > 1 else of * count
        self._described = [(each.env.id, dict(each.row)) for each in variants.distinct]
        self._next = [0] * len(self._described)
        self._in_order = order == "seeds"
        self._ended: dict[tuple[int, int], Episode | None] = {}
        self._given = (0, 0)
        """The next one in the order of seeds: the number of the seed, and the kind."""

    @property
    def kinds(self) -> range:
        """The numbers of the kinds of environments."""
        return range(len(self._described))

    @property
    def total(self) -> int:
        """The number of episodes."""
        return len(self.seeds) * len(self._next)

    def described(self, job: Job) -> tuple[str, Mapping[str, Any]]:
        """The id and the own options of the job's environment."""
        return self._described[job.kind]

    def next_job(self, lane: int) -> Job | None:
        """The next seed for this environment; None: there is none left."""
        kind = self.kind_of[lane]
        number = self._next[kind]
        if number == len(self.seeds):
            return None
        self._next[kind] += 1
        return Job(number, kind, int(self.seeds[number]))

    def left(self, kind: int) -> Sequence[int]:
        """The seeds that no environment of this kind has begun."""
        return self.seeds[self._next[kind] :]

    def skip(self, kind: int) -> None:
        """Nobody can play what is left for this kind."""
        for number in range(self._next[kind], len(self.seeds)):
            self._ended[number, kind] = None
        self._next[kind] = len(self.seeds)

    def ended(self, job: Job, episode: Episode | None) -> None:
        """Keeps an episode until it is taken. None: it was lost."""
        self._ended[job.number, job.kind] = episode

    def take(self) -> Episode | None:
        """The next episode to give, if it is there."""
        for key in self._ready():
            episode = self._ended.pop(key)
            if episode is not None:
                return episode
        return None

    def _ready(self) -> Iterator[tuple[int, int]]:
        while self._ended:
            if not self._in_order:
                yield next(iter(self._ended))
                continue
            key = self._given
            if key not in self._ended:
                return
            number, kind = key
            self._given = (number, kind + 1) if kind + 1 < len(self._next) else (number + 1, 0)
            yield key


def _checked(seeds: Iterable[int]) -> list[int]:
    try:
        numbers = [index(seed) for seed in seeds]
    except TypeError as error:
        raise OptionError(f"seeds are {seeds!r}, expected integers") from error
    for seed in numbers:
        if not 0 <= seed < 2**64:
            raise OptionError(f"a seed is {seed}, expected 0 .. 2**64 - 1")
    if len(set(numbers)) != len(numbers):
        twice = next(seed for place, seed in enumerate(numbers) if seed in numbers[:place])
        raise OptionError(f"the seed {twice} comes twice: each is played once")
    return numbers
