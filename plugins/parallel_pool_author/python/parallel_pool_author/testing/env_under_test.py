"""An environment under test: pools of it, actions for it, and what comes out."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space
from parallel_pool import EnvError, make_gymnasium, native_checks
from parallel_pool.author_api import registry
from parallel_pool.errors import OversubscriptionWarning
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.pool_api import (
    GymnasiumPool,
    PoolConfig,
    bounds,
    leaves,
    make_config,
    map_tree,
    space_of,
    tree_of,
)

from parallel_pool_author.testing.findings import Finding, Inapplicable

Row = dict[str, npt.NDArray[Any]]
"""The answer of one environment to one step: every array, by its path."""


class EnvUnderTest:
    """One environment id with the options it is tested with.

    env_id: canonical. options: to make it quick or small, say. steps: how long trajectories are.
    reference: a Gymnasium id, or a callable that makes a gymnasium.Env, which it must equal.
    """

    def __init__(
        self,
        env_id: str,
        options: Mapping[str, Any] | None = None,
        *,
        steps: int = 150,
        reference: Any = None,
    ) -> None:
        if steps < 1:
            raise ValueError(f"{env_id}: steps is {steps}, expected 1 or more")
        self.env_id = env_id
        self.options = dict(options or {})
        self.steps = steps
        self.reference = reference
        self.deep: Any = None
        """The usual deep play, once it has been played: see `parallel_pool_author.testing.deep`."""
        self.deep_actions: list[npt.NDArray[Any]] | None = None

    @property
    def config(self) -> PoolConfig:
        """The configuration of a pool of it."""
        return make_config(self.env_id, {"seed": 0, **self.options})

    @property
    def spec(self) -> EnvSpec:
        """The environment as its plugin lists it."""
        return registry().resolve(self.env_id).spec

    @property
    def native(self) -> tuple[native_checks.Plugin, str, dict[str, Any]]:
        """The first arguments of the kit's native functions: library, id and options."""
        config = self.config
        return config.plugin, config.env.native_id, config.options

    @contextmanager
    def pool(self, **arguments: Any) -> Iterator[GymnasiumPool]:
        """A pool in the gymnasium view; arguments as for `make`, with one thread unless they say otherwise:
        what threads do to it is for one check alone. Texts are bytes, so that checks see all of a row. An
        environment that fails is a Finding.
        """
        try:
            every = {"num_threads": 1, "texts": "bytes", **self.options, **arguments}
            with warnings.catch_warnings():
                # More threads than CPUs are slow, and show the same.
                warnings.simplefilter("ignore", OversubscriptionWarning)
                made = make_gymnasium(self.env_id, **every)
            with made as pool:
                yield pool
        except EnvError as error:
            number, said = min(error.failures.items())
            raise Finding(
                f"environment {number} fails with valid actions: {said}. An environment may raise only "
                "where it cannot go on; whatever lies in the action space has to work"
            ) from error

    def expect_resets(self) -> None:
        """Raises Inapplicable where the environment begins its next episodes itself: no pool resets it."""
        if self.config.resets_itself:
            raise Inapplicable("it resets itself, in the step that ends an episode")

    def actions(self, envs: int, steps: int | None = None, *, held: bool = True) -> Actions:
        """Random valid actions, the same ones each time. held: environments 2, 7, 12 ... do the least there
        is in every step, and 4, 9, 14 ... the most: what random play never sees, an episode's end often, or
        a bound.
        """
        table = Actions(self, envs, self.steps if steps is None else steps)
        for env in range(2, envs if held else 0):
            if env % 5 in (2, 4):
                table.hold(env, "low" if env % 5 == 2 else "high")
        return table

    def trajectories(
        self,
        envs: int,
        *,
        steps: int | None = None,
        seed: Any = 0,
        **arguments: Any,
    ) -> list[list[Row]]:
        """Returns each environment's answers, in its own order for any shape of pool. Env i has seed + i."""
        table = self.actions(envs, steps)
        records: list[list[Row]] = [[] for _ in range(envs)]

        def record(result: tuple[Any, ...]) -> npt.NDArray[np.int32]:
            info = result[-1]
            ids: npt.NDArray[np.int32] = info["env_id"]
            flat = flatten(result)
            for row, env in enumerate(ids):
                # With copy=False the next step overwrites the arrays.
                records[env].append({path: copy(rows[row]) for path, rows in flat.items()})
            return ids

        with self.pool(num_envs=envs, seed=seed, **arguments) as pool:
            if not pool.is_async:
                record(pool.reset())
                for step in range(table.steps):
                    record(pool.step(table.at(step)))
                return records
            done = np.zeros(envs, int)
            pool.async_reset()
            waiting = envs
            while waiting >= pool.config["batch_size"]:
                # A row that follows a reset is the reset's: its flags and reward are none of a step.
                ids = record(pool.recv())
                waiting -= len(ids)
                ids = ids[done[ids] < table.steps]
                if len(ids) > 0:
                    pool.send(table.rows(done[ids], ids), ids)
                    done[ids] += 1
                    waiting += len(ids)
        return records


class Actions:
    """For every environment and step one valid action."""

    def __init__(self, tested: EnvUnderTest, envs: int, steps: int) -> None:
        self.steps = steps
        self._envs = envs
        config = self._config = tested.config
        space = batch_space(space_of(config.fields, "action", config.max_players), envs * steps)
        space.seed(12345)
        self._all = space.sample()

    def hold(self, env: int, end: Literal["low", "high"]) -> None:
        """Environment `env` does the same in all steps: its least or its most, where there is such a thing."""
        config = self._config
        fields = [field for field in config.fields if field["role"] == "action"]
        for field, values in zip(fields, _in_order(config, leaves(self._all)), strict=True):
            if field[end] is None:
                continue
            low, high = bounds(field)
            limit = low if end == "low" else high
            held = values[env :: self._envs]
            held[...] = np.where(np.isfinite(limit), limit, held)

    def hold_one(self, env: int, number: int) -> None:
        """Environment `env` does the same in all steps: of few discrete actions the `number`-th, each in its
        turn; of others its first, its least or its most, as `number` is 2 or more, 0 or 1.
        """
        config = self._config
        fields = [field for field in config.fields if field["role"] == "action"]
        for field, values in zip(fields, _in_order(config, leaves(self._all)), strict=True):
            held = values[env :: self._envs]
            low, high = bounds(field)
            if field["kind"] == "discrete":
                count = int(high.flat[0]) - int(low.flat[0]) + 1
                held[...] = int(low.flat[0]) + number % count
            else:
                limit = (low, high)[number] if number < 2 else held[0].copy()
                held[...] = np.where(np.isfinite(limit), limit, held[0].copy())

    def rows(self, steps: npt.NDArray[Any], envs: npt.NDArray[Any]) -> Any:
        """The action of step steps[i] for environment envs[i], for each i, as the action space nests."""
        return _take(self._all, steps * self._envs + envs)

    def at(self, step: int) -> Any:
        """The actions of all environments in this step; after the last they begin anew."""
        return self.rows(np.full(self._envs, step % self.steps), np.arange(self._envs))

    def play(self, pool: GymnasiumPool, steps: int | None = None, **reset: Any) -> list[Row]:
        """Returns all answers to a reset with these arguments, and to the first `steps` (None: all) actions."""
        answers = [flatten(pool.reset(**reset))]
        for step in range(self.steps if steps is None else min(steps, self.steps)):
            answers.append(flatten(pool.step(self.at(step))))
        return answers

    def arrays(self, config: PoolConfig) -> list[npt.NDArray[Any]]:
        """Per action field an array (steps, envs, ...) in the field's dtype, for the native ShardChecker."""
        fields = [field for field in config.fields if field["role"] == "action"]
        flat = leaves(self._all)
        arrays = []
        for field, values in zip(fields, _in_order(config, flat), strict=True):
            shape = (self.steps, self._envs, *values.shape[1:])
            arrays.append(np.ascontiguousarray(values.reshape(shape), field["dtype"]))
        return arrays


def _in_order(config: PoolConfig, actions: list[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """Leaves of the action space, whose dicts are sorted by name, in the order of the fields."""
    numbers = tree_of(
        config.fields,
        "action",
        lambda number, _: number,
        make_dict=lambda members: dict(sorted(members.items())),
    )
    order = leaves(numbers)
    return [leaf for _, leaf in sorted(zip(order, actions, strict=True), key=lambda pair: pair[0])]


_PARTS = ("obs", "reward", "terminated", "truncated", "info")


def flatten(tree: Any, path: str = "") -> dict[str, npt.NDArray[Any]]:
    """Every array of a nested result, by its path; without masks and what depends on the clock."""
    if isinstance(tree, dict):
        members = [(name, value) for name, value in tree.items() if not name.startswith("_")]
        return {
            key: value
            for name, child in members
            if name not in ("env_id", "final_info", "final_obs")
            for key, value in flatten(child, f"{path}/{name}").items()
        }
    if isinstance(tree, (tuple, list)):
        names: tuple[str, ...] = tuple(map(str, range(len(tree))))
        if not path:
            names = ("obs", "info") if len(tree) == 2 else _PARTS
        return {
            key: value
            for name, child in zip(names, tree, strict=True)
            for key, value in flatten(child, f"{path}/{name}" if path else name).items()
        }
    return {path: tree}


def first_difference(
    one: list[Row], other: list[Row], *, begin: int = 0, every: int = 1
) -> str | None:
    """Says where two records of one environment part; None: nowhere. Records of a reset lack what a step adds.

    begin: the number of the first step that was recorded; 0 is the reset. every: how many steps there are
    from one that was recorded to the next.
    """
    for number, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        step = begin + number * every
        for path in mine.keys() & theirs.keys():
            if not same(mine[path], theirs[path]):
                moment = "at its reset" if step == 0 else f"at step {step}"
                index, left, right = parting(mine[path], theirs[path])
                return f"{path}{index} {moment} is {left} and {right}"
    if len(one) != len(other):
        lengths = len(one) - 1 + begin, len(other) - 1 + begin
        return f"one lasts {lengths[0]} steps and the other {lengths[1]}"
    return None


def same(one: Any, other: Any) -> bool:
    """A NaN is itself; a text or None is no array."""
    one, other = np.asarray(one), np.asarray(other)
    alike = one.dtype == other.dtype and one.shape == other.shape
    if alike and one.dtype != object and one.tobytes() == other.tobytes():  # many times faster
        return True
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")


def parting(one: Any, other: Any) -> tuple[str, str, str]:
    """Two values that differ, to be printed: of large arrays the first elements that do, and their index."""
    one, other = np.asarray(one), np.asarray(other)
    if one.shape != other.shape or one.size <= _SHOWN:
        return "", _short(one), _short(other)
    differs = (one != other) & ~((one != one) & (other != other))  # a NaN is itself
    where = tuple(np.argwhere(differs)[0].tolist()) if differs.any() else (0,) * one.ndim
    return str(list(where)), str(one[where]), str(other[where])


_SHOWN = 8
"""Elements of an array that a finding shows."""


def _short(value: npt.NDArray[Any]) -> str:
    text = np.array2string(value, threshold=_SHOWN, edgeitems=3).replace("\n", "")
    return text if len(text) < 80 else text[:77] + "..."


def _take(tree: Any, rows: npt.NDArray[Any]) -> Any:
    return map_tree(lambda array: np.asarray(array)[rows], tree)
