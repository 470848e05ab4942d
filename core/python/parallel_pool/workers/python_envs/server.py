"""The worker's side for environments written in Python: calls in, rows of shared memory out.

The protocol is described in host/workers/mailbox.hpp. The C++ server answers the same calls.
"""

from __future__ import annotations

import struct
import time
import traceback
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from parallel_pool import _core
from parallel_pool.config.python_env import PythonEnv
from parallel_pool.registry.described import described, one_line, utf8
from parallel_pool.threads.cpu_budget import gil_is_on
from parallel_pool.workers import forks
from parallel_pool.workers.python_envs.action_objects import free
from parallel_pool.workers.python_envs.global_generators import generators
from parallel_pool.workers.python_envs.infos import as_it_is_now
from parallel_pool.workers.python_envs.obs_objects import SeenObjects, joined
from parallel_pool.workers.python_envs.players import as_env
from parallel_pool.workers.python_envs.questions import (
    NotHereError,
    answer,
    load,
    save,
    unpack_options,
)
from parallel_pool.workers.python_envs.row_checks import RowError, checked_flag, checked_number
from parallel_pool.workers.python_envs.rows import Columns, EnvRows, PlayerRows
from parallel_pool.workers.python_envs.serializer import InProcessStore
from parallel_pool.workers.python_envs.waiting import WaitingWatch

ERROR, INFO, RESET_OPTIONS, ADVICE, DROPPED = range(5)
"""Kinds of records."""
ALL_LANES = 0xFFFFFFFF

LEAVE_ALONE, STEP, RESET, RESET_WITH_SEED = range(4)
"""Kinds of work, one per lane."""

Records = list[tuple[int, int, bytes]]


class Op(IntEnum):
    """As in mailbox.hpp."""

    HELLO = 0
    CREATE = 1
    DESTROY = 2
    WORK = 3
    SAVE = 4
    LOAD = 5
    LEAVE = 8
    ASK = 13


def serve(box: _core.Mailbox, env: PythonEnv, send_infos: bool, actions: int) -> None:
    """Answers calls until it is told to leave. actions: the file of those that are no arrays."""
    server = _Server(box, env, send_infos, actions)
    try:
        _answer_calls(box, server)
    finally:
        # Also after SystemExit: with threads the process continues, and open files of environments would stay.
        server.close()


def _answer_calls(box: _core.Mailbox, server: _Server) -> None:
    while True:
        op, shard, env0, first, count, text = box.next()
        if op == Op.LEAVE:
            return
        records: Records = []
        answer = None
        try:
            if op == Op.WORK:
                server.work(shard, first, count, text, records)
            elif op in (Op.SAVE, Op.LOAD, Op.ASK):
                answer = server.access(op, shard, first, text, records)
            elif op == Op.CREATE:
                server.create(shard, env0, count, records)
            elif op == Op.DESTROY:
                server.destroy(shard)
        finally:  # infos may fork where they are packed
            server.end_child()
        if answer is None:
            box.answer(any(kind == ERROR for kind, *_ in records), records)
        else:
            box.answer_text(answer)


class _Unlike(Exception):
    """An environment differs from the first."""


class _Server:
    """The environments of one worker, by shard."""

    def __init__(self, box: _core.Mailbox, env: PythonEnv, send_infos: bool, actions: int) -> None:
        self._env = env
        self._send_infos = send_infos
        self._shards: dict[int, list[Any]] = {}
        self._env0: dict[int, int] = {}
        players = (len(env.agents),)
        columns = [
            box.column(number, each["dtype"], players * each["per_player"] + each["shape"])
            for number, each in enumerate(env.fields)
        ]
        of = Columns(env, columns)
        self._actions = actions
        self._places = [columns[number] for number in env.objects("action")]
        self._objects = SeenObjects(env)
        self._rows: EnvRows | PlayerRows = (
            PlayerRows(env, of) if env.agents else EnvRows(env, of, actions, self._objects)
        )
        self._check = env.check_obs
        self._score = env.score and (*env.score, of.one("score"), of.one("continues"))
        self._watch = _watch(env)
        self._in_process = isinstance(env.serializer, InProcessStore)
        # Environments may fill the same dict again.
        self._settled = as_it_is_now if self._in_process else dict
        self._said: set[tuple[Any, str]] = set()
        self._forks = forks.count
        self._generators = generators(env.global_seeds)
        self._kind = box.kind()
        self._seed = box.seed()
        self._steps = box.steps()
        self._chunk = box.chunk
        self._capacity = len(self._kind)
        self._shown_rows = len(next(of.of("obs")))
        self._acting: dict[tuple[int, int], bytes] = {}
        """By shard and lane the players that act next, where that is known."""

    def end_child(self) -> None:
        """Ends this process if an environment forked it. Called wherever an environment was called."""
        if forks.count != self._forks:
            forks.end_child()

    def create(self, shard: int, env0: int, count: int, records: Records) -> None:
        made = self._shards[shard] = []
        self._env0[shard] = env0
        for number in range(env0, env0 + count):
            try:
                made.append(self._make(number))
            except _Unlike as error:
                records.append((ERROR, ALL_LANES, utf8(str(error))))
            except Exception:
                said = traceback.format_exc() + self._one_at_a_time()
                records.append((ERROR, ALL_LANES, utf8(said)))
            else:
                continue
            self.destroy(shard)
            return

    def _one_at_a_time(self) -> str:
        """What may help where a worker made environments, and cannot make another."""
        held = sum(map(len, self._shards.values()))
        if held == 0:
            return ""
        more = "isolation='process', " if self._in_process else ""
        return (
            f"(The same worker made {held} before. If the library allows one environment per process: "
            f"{more}num_threads=num_envs)"
        )

    def _make(self, number: int) -> Any:
        """Environment `number` of the pool."""
        factories = self._env.factories
        try:
            with self._generators.making(number):
                made = factories[number if len(factories) > 1 else 0]()
                env = as_env(f"environment {number}", made)
        finally:
            self.end_child()
        if len(factories) == 1:
            return env
        if self._env.agents and getattr(env, "agents", ()) != self._env.agents:
            raise _Unlike(
                f"environment {number} has other possible_agents than environment 0, {self._env.agents}"
            )
        for name in ("observation_space", "action_space"):
            own, common = getattr(env, name), getattr(self._env, name)
            if own != common:
                env.close()
                raise _Unlike(
                    f"environment {number} has the {name} {own}, and environment 0 has {common}: Python "
                    "environments of one pool need equal ones. Make a pool for each"
                )
        return env

    def destroy(self, shard: int) -> None:
        for env in self._shards.pop(shard, []):
            try:
                env.close()
            except Exception:
                traceback.print_exc()
            finally:
                self.end_child()

    def close(self) -> None:
        for shard in list(self._shards):
            self.destroy(shard)

    def access(self, op: int, shard: int, lane: int, text: bytes, records: Records) -> bytes | None:
        """Returns the state of an environment, restores one, or answers a question; None: it could not."""
        envs = self._shards[shard]
        try:
            try:
                with self._generators.of(self._env0[shard] + lane):
                    if op == Op.SAVE:
                        return save(envs[lane])
                    if op == Op.ASK:
                        return answer(envs[lane], self._env.serializer, text)
                    self._acting.pop((shard, lane), None)
                    envs[lane] = load(envs[lane], text)
                    return b""
            finally:
                self.end_child()
        except NotHereError as error:
            records.append((ERROR, lane, utf8(str(error))))
        except Exception:
            records.append((ERROR, lane, utf8(traceback.format_exc())))
        return None

    def work(self, shard: int, first: int, count: int, text: bytes, records: Records) -> None:
        envs, env0 = self._shards[shard], self._env0[shard]
        options = _reset_options(text) if text else {}
        infos: dict[int, Mapping[str, Any]] = {}
        rows = self._rows
        kinds = self._kind[first : first + count].tolist()
        watch = self._watch
        if watch is not None:
            watch.begin()
        steps = 0
        for lane, kind in enumerate(kinds, first):
            if kind == LEAVE_ALONE:
                continue
            made = 0
            over = False
            try:
                while not over:
                    row = made * self._capacity + lane
                    try:
                        if kind == STEP:
                            action = rows.read_action(row)
                            with self._generators.of(env0 + lane):
                                obs, reward, terminated, truncated, info = envs[lane].step(action)
                        else:
                            self._drop_action(lane)  # which the reset takes the place of
                            seed = int(self._seed[lane]) if kind == RESET_WITH_SEED else None
                            given = {"options": options[lane]} if lane in options else {}
                            with self._generators.of(env0 + lane, seed):
                                obs, info = envs[lane].reset(seed=seed, **given)
                            reward, terminated, truncated = rows.at_reset
                    finally:
                        if forks.count != self._forks:  # as end_child does
                            forks.end_child()
                    rows.write(row, row % self._shown_rows, obs, reward, terminated, truncated)
                    if self._score is not None:
                        self._write_score(row, reward, info or {})
                    over = self._chunk == 1 or self._stops(shard, lane, row, kind)
                    made += 1
                if info and self._send_infos:
                    try:
                        infos[lane] = self._settled(info)
                    except RecursionError:  # it contains itself
                        infos[lane] = dict(info)
            except RowError as error:
                said = f"{error}. Mend the environment, or make the pool with check_obs='off'"
                records.append((ERROR, lane, utf8(said)))
            except Exception:
                self._drop_action(lane)  # of which a part may be unread
                records.append((ERROR, lane, utf8(traceback.format_exc())))
            steps += made if kind == STEP else 0
            self._steps[lane] = made if over else made + 1  # with the one that failed
        if watch is not None and watch.end(steps):
            self._watch = None
            finding = watch.finding(sum(map(len, self._shards.values())))
            if finding is not None:
                records.append((ADVICE, ALL_LANES, utf8(finding)))
        objects = self._objects.taken()
        if infos or objects:
            lanes = sorted({**infos, **objects})
            text = self._packed(infos, env0, records) if infos else b""
            if self._objects.any:
                text = joined({env0 + lane: each for lane, each in objects.items()}, text)
            head = struct.pack(f"={1 + len(lanes)}I", len(lanes), *lanes)
            records.append((INFO, ALL_LANES, head + text))

    def _stops(self, shard: int, lane: int, row: int, kind: int) -> bool:
        """Whether the lane makes no further step of its chunk after this row, as its pool will see it."""
        rows = self._rows
        over = kind != STEP or row // self._capacity + 1 >= self._steps[lane]
        if isinstance(rows, EnvRows):
            return bool(over or rows.ended(row))
        acting = rows.acting(row)
        before, self._acting[shard, lane] = self._acting.get((shard, lane)), acting
        return bool(over or before != acting or not any(acting))

    def _drop_action(self, lane: int) -> None:
        for places in self._places:
            free(self._actions, places[lane].tolist())

    def _write_score(self, lane: int, reward: float, info: Mapping[str, Any]) -> None:
        assert self._score is not None
        points, continues, score, goes_on = self._score
        value, flag = info.get(points, reward), info.get(continues, False)
        if self._check:
            value = checked_number(value, f"info[{points!r}]")
            flag = checked_flag(flag, f"info[{continues!r}]")
        score[lane], goes_on[lane] = value, flag

    def _packed(self, infos: dict[int, Mapping[str, Any]], env0: int, records: Records) -> bytes:
        def lost(env: int, key: Any, value: Any, error: Exception) -> None:
            kind = f"{type(value).__module__}.{type(value).__qualname__}"
            if (key, kind) not in self._said:  # once, not in every step
                self._said.add((key, kind))
                said = (
                    f"info[{described(key)}] is a {kind}, which cannot be sent from a worker process and is "
                    f"left out: {one_line(error)}"
                )
                records.append((DROPPED, env - env0, utf8(said)))

        by_env = {env0 + lane: info for lane, info in infos.items()}
        return self._env.serializer.pack_infos(by_env, lost)


def _watch(env: PythonEnv) -> WaitingWatch | None:
    if not isinstance(env.serializer, InProcessStore):
        return WaitingWatch(time.process_time)
    # With a GIL, threads wait for each other whatever their environments do; and only Linux measures a thread.
    measured = _core.WORKER_PROCESSES and not gil_is_on()
    return WaitingWatch(time.thread_time) if measured else None


def _reset_options(text: bytes) -> dict[int, Any]:
    """By lane. The record has the values of one option, a text; see host/workers/wire_format.hpp."""
    options = {}
    at = 0
    while at < len(text):
        _, lane, size = _RECORD.unpack_from(text, at)
        at += _RECORD.size
        options[lane] = unpack_options(text[at + _VALUE.size : at + size])
        at += size
    return options


_RECORD = struct.Struct("=III")
_VALUE = struct.Struct("=qdQ")
