"""One input of the fuzzer: hostile calls on pools. Only documented errors may come of it.

What is decoded here from a caller's hands: actions, environment ids, seeds, reset masks, timeouts, the
options of `make`, and the bytes of states. After every input each pool has to work as if nothing had
been.
"""

import contextlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import parallel_pool
import values
from chooser import Chooser
from test_envs import pools

N = 4
DOCUMENTED = (ValueError, TypeError, IndexError, TimeoutError, parallel_pool.ParallelPoolError)


class OfTheCaller(Exception):
    """Raised by an argument itself while it is converted; passes through, or becomes a TypeError."""


ACTIONS: dict[str, Any] = {
    "Count": np.ones(N, int),
    "Walk": np.ones(N, int),
    "Echo": np.zeros((N, 2), np.float32),
    "Types": {
        "arm": {"force": np.zeros((N, 2)), "grip": np.zeros((N, 3), np.int8)},
        "joint": np.zeros(N, int),
        "pair": (np.zeros(N, int), np.zeros((N, 2), int)),
    },
}
"""Environments, and an action of each that is right."""


class Target:
    """Pools that live as long as the fuzzer runs, so that damage of one input shows in the next."""

    def __init__(self) -> None:
        self.calls = (self._step, self._send, self._reset, self._recv)
        self.calls += (self._states, self._make, self._mask)
        with warnings.catch_warnings(action="ignore"):
            self.pools = [
                (name, pools.make(name, view, num_envs=N, batch_size=batch, num_threads=2))
                for name in ACTIONS
                for view, batch in (("gymnasium", N), ("gym", 2), ("dm", N))
            ]

    def __call__(self, data: bytes) -> None:
        choose = Chooser(data)
        name, pool = choose.pick(self.pools)
        with warnings.catch_warnings(action="ignore"):  # numpy has opinions on some of the values
            for _ in range(12):
                if not choose:
                    break
                call = choose.pick(self.calls)
                with contextlib.suppress(*DOCUMENTED, OfTheCaller):
                    call(choose, name, pool)
            self._still_works(name, pool)

    def _then(self, choose: Chooser, name: str, pool: Any) -> Callable[[], Any]:
        """What a hostile argument does while it is looked at."""

        def fail() -> None:
            raise OfTheCaller

        def again() -> None:
            for use in (lambda: pool.recv(timeout=0), lambda: pool.send(ACTIONS[name])):
                with contextlib.suppress(DOCUMENTED):
                    use()

        return choose.pick((lambda: None, fail, again, again))

    def _any(self, choose: Chooser, name: str, pool: Any) -> Any:
        return values.value(choose, N, self._then(choose, name, pool))

    def _ids(self, choose: Chooser, name: str, pool: Any) -> Any:
        return choose.pick((None, [0, 1], [3], range(N))) or (
            self._any(choose, name, pool) if choose.below(2) else None
        )

    def _action(self, choose: Chooser, name: str, pool: Any) -> Any:
        return ACTIONS[name] if choose.below(3) == 0 else self._any(choose, name, pool)

    def _step(self, choose: Chooser, name: str, pool: Any) -> None:
        self._send(choose, name, pool)
        pool.recv(timeout=5)

    def _send(self, choose: Chooser, name: str, pool: Any) -> None:
        pool.send(self._action(choose, name, pool), self._ids(choose, name, pool))

    def _reset(self, choose: Chooser, name: str, pool: Any) -> None:
        seed = choose.pick((None, 0, 2**64 - 4, 2**64, -1, [1, None, 2, 3], [1], "1", 1.5, True))
        pool.async_reset(self._ids(choose, name, pool), seed=seed)

    def _recv(self, choose: Chooser, name: str, pool: Any) -> None:
        timeout = choose.pick((0, 0.001, -1, float("nan"), "1", object(), [1], 10**400))
        pool.recv(timeout=timeout)

    def _mask(self, choose: Chooser, name: str, pool: Any) -> None:
        if isinstance(pool, parallel_pool.views.dm.DmPool):
            return
        pool.reset(options={"reset_mask": self._any(choose, name, pool)})

    def _states(self, choose: Chooser, name: str, pool: Any) -> None:
        (state,) = pool.get_state([choose.below(N)])
        for _ in range(choose.below(4)):
            place = choose.below(len(state))
            state = state[:place] + choose.take(1) + state[place + choose.below(3) :]
        pool.set_state([choose.below(N)], [state])
        pool.set_state(self._ids(choose, name, pool), self._any(choose, name, pool))

    def _make(self, choose: Chooser, name: str, pool: Any) -> None:
        names = ("size", "gravity", "verbose", "colour", "path", "weights", "num_envs", "seed")
        names += ("batch_size", "num_threads", "max_episode_steps", "autoreset_mode", "nothing")
        given = {choose.pick(names): choose.pick(OPTIONS) for _ in range(1 + choose.below(3))}
        pools.make("Options", choose.pick(("gymnasium", "gym", "dm", "x")), **given).close()

    def _still_works(self, name: str, pool: Any) -> None:
        """Whatever is on its way comes; then all of them reset and step."""
        while True:
            try:
                pool.recv(timeout=20)
            except parallel_pool.NothingPendingError:
                break
        pending = N
        if pool.is_async:
            # One row may be left that is no batch: with the others asked it becomes one.
            for env in range(N):
                with contextlib.suppress(parallel_pool.AlreadyPendingError):
                    pool.async_reset([env])
            for _ in range(N // 2):
                pool.recv(timeout=20)
        pool.async_reset()
        while pending > 0:
            pending -= len(_elapsed(pool.recv(timeout=20)))
        pool.send(ACTIONS[name])
        pending = N
        while pending > 0:
            elapsed = _elapsed(pool.recv(timeout=20))
            assert elapsed.tolist() == [1] * len(elapsed)
            pending -= len(elapsed)


OPTIONS = (
    *(None, 0, 1, 2, 3, -1, 2**31, 2**63, 2**64, 10**400, 1.5, float("nan"), float("inf"), True),
    *("", "red", "green", "a\0b", "é", "\ud800", b"red", [], [1.0], [float("nan")], ["x"], {}),
    *(np.int8(1), np.float32(2), np.ones(3), np.ones((2, 2)), object(), "SameStep", "Disabled"),
)
"""Values for options and arguments of `make`; none asks for much memory."""


def _elapsed(answer: Any) -> Any:
    return answer[3].elapsed_step if hasattr(answer, "observation") else answer[4]["elapsed_step"]
