"""Plays whole episodes of chosen seeds on a pool, one for each seed and nothing beside them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple, Self
from weakref import ReferenceType, WeakKeyDictionary, ref

import numpy as np
import numpy.typing as npt
from parallel_pool import (
    ClosedPoolError,
    EnvError,
    EnvTimeoutError,
    ForkedPoolError,
    NothingPendingError,
)
from parallel_pool.errors import OptionError, ParallelPoolError
from parallel_pool.pool_api import GymnasiumPool, concatenated, leaves, undisturbed

from parallel_pool_learning.arrays import as_numpy
from parallel_pool_learning.evaluating.episode import Episode
from parallel_pool_learning.evaluating.policies import Lanes, joined, picked, policy_for
from parallel_pool_learning.evaluating.records import (
    Records,
    digest,
    expect_records,
    info_of,
    mixed,
    row_of,
)
from parallel_pool_learning.evaluating.schedule import Job, Order, Schedule
from parallel_pool_learning.pools import expect_kept

Looked = Callable[[GymnasiumPool, list[int]], None]


class Lost(NamedTuple):
    """An episode that has no end."""

    seed: int
    task: str
    why: str


class LostEpisodesError(ParallelPoolError, RuntimeError):
    """Environments failed, and their episodes have no end. All others were given before.

    `lost`: which, and why.
    """

    def __init__(self, lost: list[Lost], total: int) -> None:
        self.lost = lost
        said = _few([f"seed {each.seed} of {each.task}: {each.why}" for each in lost])
        super().__init__(f"{len(lost)} of {total} episodes were lost: {said}")


_DIED = "its worker process died, or was killed after step_timeout"
_PLAYED: WeakKeyDictionary[GymnasiumPool, ReferenceType[Episodes]] = WeakKeyDictionary()
"""Who plays a pool, or did last."""


class Episodes:
    """Iterates over episodes of a pool, one `Episode` for each seed: `envs.episodes(policy, seeds)`.

    Each seed is played once, from a reset with it to the end of the episode, and no environment is stepped or
    reset for anything else. A pool of several kinds of environments plays each seed with each of them. Where
    options cut games into episodes, an `Episode` is a whole game.

    policy: a function from observations, as the pool gives them, to actions; a torch module; a model with
    Stable-Baselines3's `predict`, which is asked with deterministic=True; or an object with
    `initial_state(rows)` that is called with (obs, state, begins) and returns (actions, state). For a Discrete
    action, floats (rows, n) choose the largest.
    rows: how many rows the policy gets, always; the pool's num_envs by default. If there are less, the first
    ones fill up. With the same number the results do not depend on num_envs, threads, batch_size or isolation,
    if each of its rows depends on that row alone.
    order: "seeds", or "ends": as they end. infos: names of infos of the last step. record: of "obs",
    "actions", "rewards", "states", "frames". freeze: statistics of the pool's transform are used and not
    changed; without it a transform that has such is refused.

    If the policy raises, its actions are refused, or Ctrl-C comes, nothing is lost: `next` goes on and asks
    the policy again. Where an environment fails, its episode is lost and no other: after all others
    LostEpisodesError says which. After the last episode, or `close`, which the end of a `for` loop over a
    temporary implies, each environment of the pool has to be reset.

    Raises OptionError for arguments that do not fit; AlreadyPendingError if results of the pool are pending.
    """

    def __init__(
        self,
        pool: GymnasiumPool,
        policy: Any,
        seeds: Iterable[int],
        *,
        rows: int | None = None,
        order: Order = "seeds",
        infos: Collection[str] = (),
        record: Collection[str] = (),
        freeze: bool = False,
        _look: Looked | None = None,
    ) -> None:
        config = pool.definition
        num_envs = config.arguments.num_envs
        rows = num_envs if rows is None else rows
        if not isinstance(rows, int) or isinstance(rows, bool) or rows < 1:
            raise OptionError(f"rows is {rows!r}, expected a number of rows, at least 1")
        if isinstance(infos, str):
            raise OptionError(f"infos is {infos!r}, expected names in a tuple or list")
        expect_records(record)
        expect_kept(config, "episodes()")
        if "frames" in record and config.arguments.render_mode is None:
            raise OptionError("record has 'frames': make the pool with render_mode='rgb_array'")
        if config.arguments.isolation == "process" and not config.has_infos:
            raise OptionError(
                "infos='minimal' hides which rows are of a worker that died: make the pool without it"
            )
        if config.arguments.action_chunk is not None:
            raise OptionError(
                f"{config.env.id}: action_chunk is {config.arguments.action_chunk}, and episodes() plays one "
                "action for an observation: make the pool without it"
            )
        if config.counts_games and not config.reports_games:
            raise OptionError(
                f"{config.env.id} has scores of whole games: make the pool with episode_statistics=True, or "
                "'life' for episodes as options cut them"
            )
        self._games = config.reports_games
        self._pool, self._infos, self._record, self._look = pool, infos, record, _look
        self._schedule = Schedule(config, seeds, order)
        self._policy = policy_for(policy, pool.single_action_space, num_envs, rows)
        self._statistics = _counting(pool, freeze=freeze)
        self._batch = config.arguments.batch_size if pool.is_async else 0
        self._jobs: list[Job | None] = [None] * num_envs
        self._records: list[Records | None] = [None] * num_envs
        self._returns: npt.NDArray[np.float64] | None = None
        self._lengths = np.zeros(num_envs, np.int64)
        self._prints = np.zeros(num_envs, np.uint64)
        self._begins = np.zeros(num_envs, np.bool_)
        """True where the observation is the first of an episode or of a part of a game."""
        self._resetting = np.zeros(num_envs, np.bool_)
        self._to_reset: dict[int, int | None] = {}
        """Environments to reset, with seeds; None: within a game."""
        self._seen: list[tuple[Any, Lanes]] = []
        """Observations that wait for actions, and their environments."""
        self._acted: tuple[Any, Lanes] | None = None
        """Actions that could not be sent yet, which the policy is not asked for again."""
        self._on_their_way = 0
        self._unread: Any = None
        self._error: EnvError | None = None
        self._lost: list[Lost] = []
        self._closed = True
        playing = _PLAYED.get(pool)
        if playing is not None and (other := playing()) is not None:
            other.close()
        pool.play_apart(True)
        self._closed = False
        _PLAYED[pool] = ref(self)
        for each in self._statistics:
            each.frozen = True
        self._policy.begin()
        for lane in range(num_envs):
            self._assign(lane)

    def __iter__(self) -> Self:
        return self

    def __len__(self) -> int:
        """The number of episodes that there are in all, lost ones too."""
        return self._schedule.total

    def __next__(self) -> Episode:
        while True:
            if (episode := self._schedule.take()) is not None:
                return episode
            if self._closed or not any(self._jobs):
                self.close()
                lost, self._lost = self._lost, []
                if lost:
                    raise LostEpisodesError(lost, self._schedule.total)
                raise StopIteration
            self._turn()

    def close(self) -> None:
        """Ends here. Episodes that were not played to their end are lost, and each environment has to be reset.

        Waits for the steps that are under way. Raises AlreadyPendingError if others sent a part of a batch.
        """
        if self._closed:
            return
        with contextlib.suppress(ClosedPoolError, ForkedPoolError):
            with contextlib.suppress(NothingPendingError):
                while True:  # also what others sent
                    with contextlib.suppress(EnvError):
                        self._pool.recv()
            self._pool.play_apart(False)
        self._closed = True
        for each in self._statistics:
            each.frozen = False
        self._policy.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if not getattr(self, "_closed", True):
            self.close()

    def _assign(self, lane: int) -> None:
        """Gives the environment its next seed, if there is one."""
        job = self._jobs[lane] = self._schedule.next_job(lane)
        self._records[lane] = None
        if job is None:
            return
        if self._record:
            self._records[lane] = Records(self._record)
        self._to_reset[lane] = job.seed
        self._lengths[lane] = 0
        self._prints[lane] = 0
        if self._returns is not None:
            self._returns[lane] = 0

    # ---- a turn: sends what waits, and takes in one batch

    def _turn(self) -> None:
        if self._unread is None:
            if self._batch or not self._on_their_way:
                self._send()
            try:
                self._unread = self._pool.recv()
            except EnvError as error:
                self._unread, self._error = error.result, error
        ids = as_numpy(self._unread[-1]["env_id"]).astype(np.intp)
        failed = self._failed(self._unread[-1], ids)
        looked = self._looked([lane for lane in ids.tolist() if lane not in failed])
        undisturbed(self._take_in, self._unread, ids, failed, looked)

    def _send(self) -> None:
        """An asynchronous pool answers in whole batches, but for what is sent while nothing is on its way."""
        resets = list(self._to_reset)
        steps = sum(len(lanes) for _, lanes in self._seen)
        if self._batch and self._on_their_way:
            room = (len(resets) + steps) // self._batch * self._batch
            resets = resets[:room]
            steps = room - len(resets)
        elif self._batch and resets:
            steps = 0
        if steps and self._acted is None:
            self._ask(steps)
        undisturbed(self._send_both, resets, steps)

    def _send_both(self, lanes: list[int], steps: int) -> None:
        if steps:
            self._send_steps()
        if not lanes:
            return
        self._pool.async_reset(lanes, seed=[self._to_reset[lane] for lane in lanes])
        self._resetting[lanes] = True
        self._on_their_way += len(lanes)
        for lane in lanes:
            del self._to_reset[lane]

    def _ask(self, count: int) -> None:
        """Asks the policy for the actions of the environments that have waited longest."""
        parts = [obs for obs, _ in self._seen]
        obs = joined(parts, [len(lanes) for _, lanes in self._seen], concatenated)
        lanes = np.concatenate([lanes for _, lanes in self._seen])
        rest = []
        if count < len(lanes):
            rest = [(picked(obs, np.arange(count, len(lanes))), lanes[count:])]
            obs, lanes = picked(obs, np.arange(count)), lanes[:count]
        try:
            actions = self._policy(obs, lanes, self._begins[lanes])
        except Exception as error:
            error.add_note(f"the policy was asked by episodes() of {self._playing(lanes)}")
            raise
        self._seen, self._acted = [(obs, lanes), *rest], (actions, lanes)

    def _send_steps(self) -> None:
        assert self._acted is not None
        (actions, lanes), self._acted = self._acted, None
        try:
            self._pool.send(actions, lanes)
        except (ValueError, TypeError) as error:
            error.add_note(f"the policy's actions were for episodes() of {self._playing(lanes)}")
            raise
        self._policy.accept()
        self._seen = self._seen[1:]
        self._on_their_way += len(lanes)
        if "actions" in self._record:
            for row, lane in enumerate(lanes.tolist()):
                self._recorded(lane).add("actions", row_of(actions, row))

    def _looked(self, ids: list[int]) -> dict[int, dict[str, Any]]:
        """Returns what has to be asked of environments that were received, which can be repeated."""
        looked: dict[int, dict[str, Any]] = {lane: {} for lane in ids}
        if self._look is not None:
            self._look(self._pool, ids)
        for name, ask in (("states", self._pool.get_state), ("frames", self._pool.render)):
            if name in self._record and ids:
                for lane, value in zip(ids, ask(ids), strict=True):
                    looked[lane][name] = value
        return looked

    def _failed(self, info: dict[str, Any], ids: Lanes) -> dict[int, str]:
        """Why environments failed, by their numbers; of a worker that died all rows are marked."""
        failed = {} if self._error is None else dict(self._error.failures)
        if (crashed := info.get("worker_crashed")) is not None:
            died = ids[as_numpy(crashed)].tolist()
            failed |= dict.fromkeys(died, _DIED)
        return failed

    def _take_in(
        self,
        result: Any,
        ids: Lanes,
        failed: dict[int, str],
        looked: dict[int, dict[str, Any]],
    ) -> None:
        obs, reward, terminated, truncated, info = result
        reward, terminated, truncated = map(as_numpy, (reward, terminated, truncated))
        self._unread = None
        self._on_their_way -= len(ids)
        if self._returns is None:
            self._returns = np.zeros((len(self._jobs), *reward.shape[1:]))
        first = self._resetting[ids]
        self._returns[ids] += reward
        self._lengths[ids] += ~first
        self._prints[ids] = np.where(first, self._prints[ids], mixed(self._prints[ids], reward))
        self._begins[ids] = first
        self._resetting[ids] = False
        ended = terminated | truncated
        over = ended & as_numpy(info["_episode"]) if self._games and "episode" in info else ended
        if self._games and "episode" not in info:
            over = np.zeros_like(ended)
        for row in np.flatnonzero(first).tolist() if not self._record else range(len(ids)):
            lane = int(ids[row])
            if lane not in failed:
                self._note(lane, row, first=bool(first[row]), obs=obs, rewards=reward)
                for name, value in looked[lane].items():
                    self._recorded(lane).add(name, value)
        for row in np.flatnonzero(ended).tolist():
            lane = int(ids[row])
            if lane in failed:
                continue
            if over[row]:
                flags = bool(terminated[row]), bool(truncated[row])
                self._end(lane, row, flags, obs, info)
            else:
                self._to_reset[lane] = None
        if failed:
            self._lose(failed, hangs=isinstance(self._error, EnvTimeoutError))
        self._error = None
        on = ~ended
        if on.all():
            self._seen.append((obs, ids))
        elif on.any():
            self._seen.append((picked(obs, np.flatnonzero(on)), ids[on]))

    def _note(self, lane: int, row: int, *, first: bool, obs: Any, rewards: Any) -> None:
        if first:
            self._prints[lane] ^= np.uint64(digest(obs, row))
        if self._record:
            record = self._recorded(lane)
            if "obs" in self._record:
                record.add("obs", row_of(obs, row))
            if not first:
                record.add("rewards", np.array(rewards[row], np.float64))

    def _end(
        self, lane: int, row: int, flags: tuple[bool, bool], obs: Any, info: dict[str, Any]
    ) -> None:
        job = self._jobs[lane]
        assert job is not None and self._returns is not None
        task, options = self._schedule.described(job)
        length = int(self._lengths[lane])
        score = None
        if self._games:
            seen = int(as_numpy(info["episode"]["l"])[row]) == length
            score = float(as_numpy(info["episode"]["r"])[row]) if seen else float("nan")
        returns = self._returns[lane]
        records = self._records[lane]
        episode = Episode(
            seed=job.seed,
            task=task,
            options=options,
            return_=returns.copy() if returns.ndim else float(returns),
            length=length,
            terminated=flags[0],
            truncated=flags[1],
            score=score,
            infos={name: info_of(info, name, row) for name in self._infos},
            fingerprint=int(self._prints[lane]) ^ digest(obs, row) << 16,
            **(records.arrays() if records is not None else {}),
        )
        self._schedule.ended(job, episode)
        self._assign(lane)

    def _lose(self, failed: dict[int, str], *, hangs: bool) -> None:
        """The episodes of environments that failed; the environments go on with their next seeds."""
        # Threads cannot be ended: an environment that hangs in one is left.
        hangs = hangs and self._pool.definition.arguments.isolation is None
        for lane, text in failed.items():
            job = self._jobs[lane]
            if job is not None:
                self._schedule.ended(job, None)
                self._lost.append(Lost(job.seed, self._schedule.described(job)[0], text))
            self._jobs[lane] = None
            if not hangs:
                self._assign(lane)
        for kind in self._schedule.kinds if hangs else ():
            left = self._schedule.left(kind)
            playing = (each is not None and each.kind == kind for each in self._jobs)
            if left and not any(playing):
                task, _ = self._schedule.described(Job(0, kind, 0))
                why = "no environment is left that does not hang"
                self._lost += [Lost(int(seed), task, why) for seed in left]
                self._schedule.skip(kind)

    def _recorded(self, lane: int) -> Records:
        records = self._records[lane]
        assert records is not None
        return records

    def _playing(self, lanes: Lanes) -> str:
        """The environments and what they play, for errors."""
        jobs = [(lane, self._jobs[lane]) for lane in lanes.tolist()]
        said = [f"seed {job.seed} (environment {lane})" for lane, job in jobs if job is not None]
        return _few(said)


def _few(names: Any) -> str:
    shown = ", ".join(str(each) for each in names[:8])
    return shown if len(names) <= 8 else f"{shown} and {len(names) - 8} more"


def _counting(pool: GymnasiumPool, *, freeze: bool) -> list[Any]:
    """The statistics that an evaluation would change. Raises OptionError unless they are to be frozen."""
    statistics = [*leaves(pool.obs_statistics), pool.reward_statistics]
    counting = [each for each in statistics if each is not None and not each.frozen]
    if counting and not freeze:
        raise OptionError(
            "the pool's transform has running statistics, which episodes would change: pass freeze=True to use "
            "them as they are"
        )
    return counting
