"""Actions that are no arrays: what is refused, and the memory in which they cross."""

import gc
import os
import signal
import threading
import warnings
from typing import Any

import numpy as np
import parallel_pool
import pytest
from gymnasium import spaces
from parallel_pool import EnvError, ForkedPoolError, ResetNeededError
from parallel_pool.workers.python_envs.action_objects import ActionObjects, object_of
from test_envs.checks import refused
from test_envs.odd_spaces import ODD, Odd, texts
from test_envs.pools import begun, register_python
from test_envs.python_envs import Make


class Waits(Odd):
    """Steps only when it is let, so that the other actions of its worker stay where they are."""

    go = threading.Event()

    def __init__(self) -> None:
        super().__init__("text", "text", 99)

    def step(self, action: Any) -> Any:
        if action == "wait":
            assert self.go.wait(20)
        return super().step(action)


def regions(objects: ActionObjects) -> int:
    return sum(map(len, objects._regions))


def the_objects() -> ActionObjects:
    return next(each for each in gc.get_objects() if isinstance(each, ActionObjects))


def test_actions_are_refused_before_anything_is_sent(make: Make) -> None:
    with make(ODD, num_envs=3, kind="text") as pool:
        with pytest.raises(ResetNeededError):
            pool.step(texts(pool))
        pool.reset()
        with refused(TypeError, "the action is 'go', expected a sequence with one Text"):
            pool.step("go")
        for unordered in ({"a", "b", "c"}, dict.fromkeys("abc", "go")):
            with refused(TypeError, "expected a sequence with one Text"):
                pool.step(unordered)
        with refused(ValueError, "the action has 2 values of Text for 3 environments"):
            pool.step(("go", "go"))
        with refused(IndexError, "7"):
            pool.step(("go",), [7])
        pool.send(("first",), [1])
        with pytest.raises(parallel_pool.AlreadyPendingError):
            pool.send(("second", "other"), [1, 0])
        assert pool.recv()[-1]["did"].tolist() == ["'first'"]
        long = "x" * 100_000
        assert pool.step((long, "", long[:3]))[-1]["did"].tolist() == [repr(long), "''", "'xxx'"]


def test_a_region_is_used_again(make: Make) -> None:
    mode = "NextStep"  # whose resets do not read their action
    with begun(make(ODD, num_envs=2, kind="text", length=1, autoreset_mode=mode)) as pool:
        objects = the_objects()
        sizes = []
        for turn in range(60):
            pool.step(texts(pool, "x" * (turn % 3)))
            with refused(IndexError, "9"):
                pool.step(("go",), [9])
            sizes.append(regions(objects))
        assert sizes[-1] == sizes[10]
    del objects


def test_a_forked_child_leaves_actions_alone() -> None:
    with begun(parallel_pool.make(ODD, num_envs=2, kind="text", isolation="process")) as pool:
        pool.step(texts(pool))  # its regions are free
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            child = os.fork()
        if child == 0:
            try:
                for _ in range(20):
                    with pytest.raises(ForkedPoolError):
                        pool.step(("theirs", "theirs"))
            except BaseException:
                os._exit(1)
            os._exit(0)
        pool.send(("mine", "own"))
        assert os.waitpid(child, 0)[1] == 0
        assert pool.recv()[-1]["did"].tolist() == ["'mine'", "'own'"]
        assert pool.step(("a", "b"))[-1]["did"].tolist() == ["'a'", "'b'"]


def told(pool: Any, rows: int) -> dict[int, str]:
    found = [pool.recv()[-1] for _ in range(rows)]
    return {int(info["env_id"][0]): info["did"][0] for info in found}


def test_an_action_on_its_way_is_nobodys_place() -> None:
    """One environment fails, or a signal handler does, while others wait: their actions stay theirs."""
    Waits.go.clear()
    with parallel_pool.make(
        register_python("odd/Waits-v0", Waits),
        **{"num_envs": 6, "batch_size": 1, "num_threads": 1, "isolation": "thread"},
    ) as pool:
        pool.async_reset()
        for _ in range(6):
            pool.recv()
        pool.send(("wait",), [5])
        letting = threading.Timer(0.2, Waits.go.set)

        def alarm(*_: Any) -> None:
            raise ValueError("the handler's")

        before = signal.signal(signal.SIGALRM, alarm)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        try:
            with refused(ValueError, "the handler's"):
                pool.step(("a", "b", "queued"), [0, 1, 2])
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        pool.send(("OTHER3", "OTHER4"), [3, 4])
        letting.start()
        words = {0: "a", 1: "b", 2: "queued", 3: "OTHER3", 4: "OTHER4", 5: "wait"}
        assert told(pool, 6) == {env: repr(word) for env, word in words.items()}

        Waits.go.clear()
        with pytest.raises(EnvError, match="it failed"):
            pool.step(("fail", "wait", "queued"), [0, 1, 2])
        pool.send(("OTHER3", "OTHER4", "OTHER5"), [3, 4, 5])
        Waits.go.set()
        words = {1: "wait", 2: "queued", 3: "OTHER3", 4: "OTHER4", 5: "OTHER5"}
        assert told(pool, 5) == {env: repr(word) for env, word in words.items()}


def test_a_worker_takes_no_action_of_another_environment() -> None:
    objects = ActionObjects(spaces.Text(9), 1)
    place = objects._put(b"an action")
    os.pwrite(objects.file, (place[2] + 1).to_bytes(8, "little"), place[0])
    with refused(RuntimeError, f"number {place[2]}, is lost", f"number {place[2] + 1} is in its"):
        object_of(objects.file, np.array(place))


class TwoWords(Odd):
    def __init__(self) -> None:
        super().__init__("text", "text", 99)
        self.action_space = spaces.Dict({"one": spaces.Text(9), "two": spaces.Text(9)})


class Unread:
    """Cannot be read where it arrives."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


def test_refused_and_unread_actions_leave_their_places(make: Make) -> None:
    with begun(make(register_python("odd/TwoWords-v0", TwoWords), num_envs=2)) as pool:
        objects = the_objects()
        sizes = []
        for _ in range(20):
            words = {"one": ("a", "b"), "two": ("c", threading.Lock())}
            with refused(TypeError, "the action['two'] of environment 0 cannot be sent", "pickle"):
                pool.step(words | {"two": ("c", threading.Lock())}, [1, 0])
            with refused(ValueError, "the action['two'] has 1 values"):
                pool.step(words | {"two": ("c",)})
            with refused(ValueError, "the action['two'] is missing"):
                pool.step({"one": ("a", "b")})
            with pytest.raises(EnvError, match="no number"):
                pool.step(words | {"one": (Unread(), "b"), "two": ("c", "d")})
            pool.reset([0])
            sizes.append(regions(objects))
        assert sizes[-1] == sizes[0]
    del objects
