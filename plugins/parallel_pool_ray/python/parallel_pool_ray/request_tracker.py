"""Distributes calls over actors, and decides what happens to the environments of a lost actor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from parallel_pool import AlreadyPendingError, NothingPendingError, ResetNeededError
from parallel_pool.pool_api import with_leaves

from parallel_pool_ray.actor_group import ActorGroup, Answer, Loss, Refusal
from parallel_pool_ray.errors import LostPoolError
from parallel_pool_ray.pool_actor import ActorResult
from parallel_pool_ray.requests import LastObservations, Part, Request
from parallel_pool_ray.sharding import Sharding

NEEDS_RESET, READY, LOST, OVER = range(4)
"""States of an environment. NEEDS_RESET: never reset, or failed. READY: takes actions. LOST: its actor is
lost, and the caller has not received this yet. OVER: the caller has received it; the next episode starts in a
new actor."""


class RequestTracker:
    """Knows the state of every environment. `requests`: calls without a returned result, in order."""

    def __init__(
        self,
        actors: ActorGroup,
        sharding: Sharding,
        in_flight: int,
        mode: AutoresetMode,
        *,
        raises: bool,
    ) -> None:
        self._actors, self._sharding, self._raises = actors, sharding, raises
        self._checker = sharding.config.action_checker(sharding.num_envs)
        self._rows, self._lane = sharding.rows, sharding.rows // in_flight
        self._mode = mode
        self._state = np.full(sharding.num_envs, NEEDS_RESET, np.uint8)
        self._pending = np.zeros(sharding.num_envs, np.bool_)
        self._seen = LastObservations(sharding.pools * in_flight, self._lane)
        self.requests: list[Request] = []
        self.lost_envs = 0
        self.seconds_stepped = 0.0
        self.last_loss = ""
        self._finished = 0

    def ids(self, env_id: Any) -> npt.NDArray[np.int64]:
        """The environments that `env_id` names (None: all), each once. Raises what a pool raises."""
        return self._checker.ids(env_id).astype(np.int64)

    def step(self, action: Any, ids: npt.NDArray[np.int64], *, by_lane: bool) -> list[Request]:
        """Sends actions, one row for each of `ids`: as one request, or with by_lane as one per whole lane."""
        self._handle_events()
        members = self._checker.check(action, ids)
        self._expect_idle(ids)
        state = self._state[ids]
        needs = state == NEEDS_RESET
        if self._raises or self._mode == AutoresetMode.DISABLED:
            needs |= state == OVER
        if needs.any():
            raise ResetNeededError(f"environments {ids[needs][:8].tolist()} need a reset first")
        if (state == OVER).any():
            self._expect_there(ids[state == OVER])
        requests = self._requests(ids, by_lane, is_reset=False)
        self._pending[ids] = True
        for request in requests:
            for part in request.parts:
                kind = self._state[part.ids[0]]
                if kind == READY:
                    rows = part.places if request.ids is ids else self._found(ids, part.ids)
                    mine = (each[rows] for each in members)
                    part.arguments = (with_leaves(self._sharding.config.action_tree, mine),)
                    self._call(part)
                elif kind == LOST:
                    self._lose(part)
                else:
                    self._reset(part)
        self._note_finished()
        return requests

    def reset(
        self, ids: npt.NDArray[np.int64], seed: Any, options: Any, *, by_lane: bool
    ) -> list[Request]:
        """Requests resets. seed: None, an int for all, or a list with one (or None) for each of `ids`."""
        self._handle_events()
        self._expect_idle(ids)
        self._expect_there(ids)
        requests = self._requests(ids, by_lane, is_reset=True)
        self._pending[ids] = True
        for request in requests:
            for part in request.parts:
                rows = part.places if request.ids is ids else self._found(ids, part.ids)
                mine = [seed[row] for row in rows] if isinstance(seed, list) else seed
                part.lost = bool((self._state[part.ids] == LOST).any())
                self._reset(part, mine, options)
        return requests

    def look(self, seconds: float | None) -> None:
        """Waits for events of the actors, for at most `seconds` (None: no limit)."""
        if not self._actors.events and not self._actors.busy:
            raise NothingPendingError(
                "nothing is on its way: the call of send() or async_reset() was interrupted by a signal"
            )
        self._actors.wait(seconds)
        self._handle_events()

    def finished(self, count: int, *, in_order: bool) -> list[Request]:
        """`count` finished requests: the oldest, or those that finished first. Empty if there are fewer."""
        self._handle_events()
        some = self.requests[:count] if in_order else self.requests
        done = sorted((each for each in some if each.done), key=lambda each: each.finished)
        if len(done) < count:
            return []
        return done[:count]

    def forget(self, requests: Sequence[Request]) -> None:
        """Removes requests. Their results were returned."""
        for request in requests:
            self._pending[request.ids] = False
        self.requests = [each for each in self.requests if each not in requests]

    # ---- asking ---------------------------------------------------------------------------------

    def _requests(
        self, ids: npt.NDArray[np.int64], by_lane: bool, *, is_reset: bool
    ) -> list[Request]:
        lanes = ids // self._lane
        order = np.argsort(lanes, kind="stable")
        starts = np.flatnonzero(np.diff(lanes[order], prepend=-1))
        groups = np.split(order, starts[1:])
        if by_lane:
            for rows in groups:
                if len(rows) != self._lane:
                    lane = lanes[rows[0]]
                    raise ValueError(
                        f"environments {lane * self._lane} .. {(lane + 1) * self._lane - 1} are one lane of an "
                        f"asynchronous RayPool and must be sent together, but {len(rows)} of them were named"
                    )
            made = [
                Request(ids[rows], is_reset, self._parts(ids[rows], np.arange(len(rows)), is_reset))
                for rows in groups
            ]
        else:
            parts = [part for rows in groups for part in self._parts(ids[rows], rows, is_reset)]
            made = [Request(ids, is_reset, parts)]
        self.requests += made
        return made

    def _parts(
        self, ids: npt.NDArray[np.int64], places: npt.NDArray[np.int64], is_reset: bool
    ) -> list[Part]:
        """The parts of one lane: one for each state that its environments are in."""
        pool, lane = int(ids[0] // self._rows), int(ids[0] // self._lane)
        state = self._state[ids]
        if is_reset or (state == state[0]).all():
            return [Part(pool, lane, ids, places)]
        return [Part(pool, lane, ids[state == s], places[state == s]) for s in np.unique(state)]

    def _call(self, part: Part) -> None:
        part.generation = self._actors.members[part.pool].generation
        local = part.ids - part.pool * self._rows
        if part.resets:
            seed, options = part.arguments
            if seed is not None and not isinstance(seed, list):
                seeds = self._sharding.reset_seeds(seed, part.pool, part.generation)
                seed = [seeds[row] for row in local]
            self._actors.call(part.pool, part, "reset", local, seed, options)
        else:
            self._actors.call(part.pool, part, "step", *part.arguments, local)

    def _reset(self, part: Part, seed: Any = None, options: Any = None) -> None:
        part.resets, part.arguments = True, (seed, options)
        self._call(part)

    @staticmethod
    def _found(ids: npt.NDArray[np.int64], some: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The indices of `some` in `ids`."""
        order = np.argsort(ids)
        return order[np.searchsorted(ids, some, sorter=order)]

    def _expect_idle(self, ids: npt.NDArray[np.int64]) -> None:
        if self._pending[ids].any():
            busy = ids[self._pending[ids]]
            raise AlreadyPendingError(
                f"environments {busy[:8].tolist()} have results on their way: call recv() first"
            )

    def _expect_there(self, ids: npt.NDArray[np.int64]) -> None:
        for pool in np.unique(ids // self._rows).tolist():
            if self._actors.is_gone(pool):
                raise self._gone(pool)

    def _gone(self, pool: int) -> LostPoolError:
        first, last = pool * self._rows, (pool + 1) * self._rows - 1
        return LostPoolError(
            f"pool {pool} (environments {first} .. {last}) was lost for good: {self.last_loss}. All of its "
            "max_restarts are used up; go on with the others by env_id, or pass more",
            pool,
        )

    # ---- what comes of it -----------------------------------------------------------------------

    def _handle_events(self) -> None:
        while self._actors.events:
            event = self._actors.events[0]
            if isinstance(event, Answer):
                self._answered(event.token, event.value)
            elif isinstance(event, Refusal):
                event.token.error = event.error
            else:
                self._lost(event)
            self._actors.events.popleft()
        self._note_finished()

    def _note_finished(self) -> None:
        for request in self.requests:
            if request.finished < 0 and request.done:
                request.finished = self._finished
                self._finished += 1

    def _answered(self, part: Part, rows: ActorResult) -> None:
        if part.ends and self._mode == AutoresetMode.SAME_STEP:
            part.final_obs = self._seen.of(part)
        part.value = rows
        self._seen.note(part, rows.obs)
        self._state[part.ids] = READY
        if rows.failures:
            self._state[part.ids[list(rows.failures)]] = NEEDS_RESET
        self.seconds_stepped += rows.seconds

    def _lost(self, loss: Loss) -> None:
        self.last_loss = loss.cause
        state = self._state[loss.pool * self._rows : (loss.pool + 1) * self._rows]
        self.lost_envs += int((state == READY).sum())
        state[state == READY] = LOST
        for part in loss.tokens:
            part.lost = True
            if not part.resets:
                self._lose(part)
            elif not loss.final:
                self._call(part)  # a reset has no action that could be executed twice
            elif part.ends or not self._is_asked(part):
                self._end(part)
            else:
                part.error = self._gone(loss.pool)

    def _is_asked(self, part: Part) -> bool:
        """Returns True if the caller requested this reset; otherwise it replaces a step."""
        return any(part in request.parts and request.is_reset for request in self.requests)

    def _lose(self, part: Part) -> None:
        """Ends the episodes of lost environments, because their actions may or may not have been executed."""
        part.lost = part.ends = True
        part.generation = self._actors.members[part.pool].generation
        begins = self._mode == AutoresetMode.SAME_STEP and not self._raises
        if begins and not self._actors.is_gone(part.pool):
            self._reset(part)
        else:
            self._end(part)

    def _end(self, part: Part) -> None:
        part.ends = True
        part.value = ActorResult(self._seen.of(part))
        if self._mode == AutoresetMode.SAME_STEP:
            part.final_obs = part.value.obs
        self._state[part.ids] = OVER
