"""Plays a pool beside the environments that it reproduces, one for each row, up to the first difference."""

from __future__ import annotations

import copy
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from parallel_pool.pool_api import GymnasiumPool, map_tree

from parallel_pool_author.testing.env_under_test import parting
from parallel_pool_author.testing.findings import Finding

Original: TypeAlias = str | Callable[[], Any]
"""A Gymnasium id, or what makes a `gymnasium.Env`; only its `reset(seed=)`, `step` and `close` are called."""

Seed: TypeAlias = int | Sequence[int]


def play_beside(
    pool: GymnasiumPool,
    original: Original | None,
    policy: Callable[[Play], Any] | None = None,
    *,
    seed: Seed | Mapping[int, Seed | None] = 0,
    steps: int = 0,
    episodes: int = 0,
    infos: Iterable[str] | None = (),
) -> Play:
    """Plays a pool and one original for each row, with the same seeds and actions. All must be the same in each
    bit: observations and their dtypes, rewards, ends, infos. A difference is a Finding; it names a file with
    the environment's state before that step.

    pool: with autoreset_mode "NextStep" or "SameStep"; it is reset and stepped here. original: None plays the
    pool alone, for those who compare it with a record. policy: gives the actions of all rows; None: valid ones
    at random. seed: as the pool's `reset` has it; or, of several resets, by the number of steps before each,
    where None goes on with the same generators. steps: the least number of them. episodes: until each row has
    ended that many; one that has is compared no more. infos: names of those to compare, where the original has
    them; None: all that it gives. What an original's dict of observations lacks in a step is not compared.
    """
    mode = pool.config["autoreset_mode"]
    if pool.definition.resets_itself:
        raise ValueError(
            f"{pool.spec.id}: play_beside needs last observations, and it resets itself"
        )
    if pool.is_async or mode == "Disabled":
        raise ValueError(
            f"{pool.spec.id}: play_beside needs batch_size=num_envs and autoreset_mode 'NextStep' or "
            f"'SameStep', this pool has {pool.config['batch_size']} of {pool.num_envs} and {mode!r}"
        )
    if steps == episodes == 0:
        raise ValueError(f"{pool.spec.id}: play_beside needs a number of steps or of episodes")
    originals = [] if original is None else [made(original) for _ in range(pool.num_envs)]
    play = Play(pool, originals, seed, infos)
    try:
        while play.step < steps or (play.ended < episodes).any():
            play._reset()
            play._step(
                (policy or Play.sample)(play), left=(play.ended >= episodes) & (episodes > 0)
            )
    finally:
        for env in play.originals:
            env.close()
    return play


class Play:
    """The knowledge that a policy is given; at the end, a record of what was played."""

    def __init__(
        self, pool: GymnasiumPool, originals: list[Any], seed: Any, infos: Iterable[str] | None
    ) -> None:
        self.pool, self.originals = pool, originals
        self._resets = seed if isinstance(seed, Mapping) else {0: seed}
        self._seeds: Any = self._resets[0]
        first: int = self._seeds if isinstance(self._seeds, int) else self._seeds[0]
        self.draw = np.random.default_rng(first)
        """For policies: the same numbers in each play with this seed."""
        self.obs: Any = None
        """The observations of the pool, a row for each environment."""
        self.step = 0
        """Steps that have been played."""
        self.begun = np.ones(pool.num_envs, bool)
        """The rows whose observation is the first of an episode."""
        self.ended = np.zeros(pool.num_envs, np.int64)
        """Episodes that have ended, by row."""
        self.reward: Any = 0.0
        """The sum of all rewards."""
        self._infos = None if infos is None else list(infos)
        self._same_step = pool.config["autoreset_mode"] == "SameStep"
        self._over = np.zeros(pool.num_envs, bool)
        self._taken: list[Any] = []
        self._space = copy.deepcopy(pool.action_space)
        self._space.seed(first)

    def sample(self) -> Any:
        """Valid actions of all rows, at random."""
        return self._space.sample()

    def _reset(self) -> None:
        if self.step not in self._resets:
            return
        seed = self._resets[self.step]
        if seed is not None:
            rows = range(self.pool.num_envs)
            self._seeds = [seed + row for row in rows] if isinstance(seed, int) else seed
        self.obs, info = self.pool.reset(seed=None if seed is None else self._seeds)
        self.begun, self._over = np.ones_like(self.begun), np.zeros_like(self._over)
        for row, env in enumerate(self.originals):
            theirs, facts = env.reset(seed=None if seed is None else self._seeds[row])
            self._same(row, self.obs, theirs, "observation")
            self._same_infos(row, info, facts)

    def _step(self, actions: Any, left: npt.NDArray[np.bool_]) -> None:
        self._taken.append(map_tree(np.array, actions))
        self.step += 1
        self.obs, rewards, terminated, truncated, info = self.pool.step(actions)
        over = terminated | truncated
        last = info["final_obs_dense"] if self._same_step else self.obs
        for row, env in enumerate(self.originals):
            if left[row]:
                continue
            if self._over[row] and not self._same_step:
                (theirs, facts), ends = env.reset(), (False, False)
                reward = np.zeros_like(rewards[row])
            else:
                action = map_tree(lambda rows, row=row: rows[row], actions)
                theirs, reward, *ends, facts = env.step(action)
            self._same(row, last if over[row] else self.obs, theirs, "observation")
            self._same(row, rewards, np.asarray(reward, np.float64), "reward")
            self._same(row, terminated, bool(ends[0]), "terminated")
            self._same(row, truncated, bool(ends[1]), "truncated")
            if self._same_step and over[row]:
                self._same_infos(row, info["final_info"], facts)
                theirs, facts = env.reset()
                self._same(row, self.obs, theirs, "observation after the end")
            self._same_infos(row, info, facts)
        self.begun, self._over = over if self._same_step else self._over, over
        self.ended += over & ~left
        self.reward += np.sum(rewards[~left])

    def _same_infos(self, row: int, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
        for name in theirs if self._infos is None else self._infos:
            if name in theirs:
                self._same(row, ours[name], theirs[name], "info", name)

    def _same(self, row: int, ours: Any, theirs: Any, *path: Any) -> None:
        if isinstance(theirs, dict | tuple):
            for key, each in theirs.items() if isinstance(theirs, dict) else enumerate(theirs):
                self._same(row, ours[key], each, *path, key)
        elif not _alike(ours[row], theirs):
            what = path[0] + "".join(f"[{key!r}]" for key in path[1:])
            raise Finding(self._difference(row, what, np.asarray(ours[row]), theirs))

    def _difference(self, row: int, what: str, mine: npt.NDArray[Any], theirs: Any) -> str:
        where, ours, originals = parting(mine, theirs)
        if ours == originals:
            ours, originals = f"{ours} ({mine.dtype})", f"{originals} ({np.asarray(theirs).dtype})"
        return (
            f"{self.pool.spec.id}: the {what}{where} of step {self.step} with seed {self._seeds[row]} "
            f"(row {row}, episode {self.ended[row]}) is {ours}, and the original's is {originals}. "
            f"{self._before(row)}"
        )

    def _before(self, row: int) -> str:
        """Plays all again up to there, as saving states all the time might hide a mistake."""
        if not self._taken:
            return "It is of the first reset"
        action = map_tree(lambda rows: rows[row].tolist(), self._taken[-1])
        try:
            for step, actions in enumerate(self._taken):
                if step in self._resets:
                    self.pool.reset(seed=self._resets[step])
                if step + 1 < len(self._taken):
                    self.pool.step(actions)
            (state,) = self.pool.get_state([row])
        except Exception as error:
            return f"The action was {action}; no state before it: {error}"
        with tempfile.NamedTemporaryFile(prefix="before_", suffix=".state", delete=False) as file:
            file.write(state)
        return f"The action was {action}; the state before it, for `set_state`, is in {file.name}"


def made(original: str | Callable[..., Any], **options: Any) -> Any:
    """One of the originals, with these options."""
    if callable(original):
        return original(**options)
    import gymnasium

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the original warns about its own space
        return gymnasium.make(original, disable_env_checker=True, **options)


def _alike(mine: Any, theirs: Any) -> bool:
    """A number of Python has no precision, a NaN is itself, and -0.0 is not 0.0."""
    mine, wanted = np.asarray(mine), np.asarray(theirs)
    if type(theirs) in (bool, int, float):
        mine = mine.astype(wanted.dtype)
    alike = (mine.dtype, mine.shape) == (wanted.dtype, wanted.shape)
    return alike and mine.tobytes() == wanted.tobytes()
