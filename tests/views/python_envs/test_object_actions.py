"""Actions that are no arrays: what is refused, and the memory in which they cross."""

import gc
import os
import warnings

import parallel_pool
import pytest
from parallel_pool import ForkedPoolError, ResetNeededError
from test_envs.checks import refused
from test_envs.odd_spaces import ODD, texts
from test_envs.python_envs import Make


def test_actions_are_refused_before_anything_is_sent(make: Make) -> None:
    with make(ODD, num_envs=3, kind="text") as pool:
        with pytest.raises(ResetNeededError):
            pool.step(texts(pool))
        pool.reset()
        with refused(TypeError, "the action is 'go', expected a sequence with one Text"):
            pool.step("go")
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
    with make(ODD, num_envs=2, kind="text", length=1, autoreset_mode=mode) as pool:
        pool.reset()
        objects = next(each for each in gc.get_objects() if type(each).__name__ == "ActionObjects")
        sizes = []
        for turn in range(60):
            pool.step(texts(pool, "x" * (turn % 3)))
            with refused(IndexError, "9"):
                pool.step(("go",), [9])
            sizes.append(sum(map(len, objects._regions)))
        assert sizes[-1] == sizes[10]
    del objects


def test_a_forked_child_leaves_actions_alone() -> None:
    with parallel_pool.make(ODD, num_envs=2, kind="text", isolation="process") as pool:
        pool.reset()
        pool.step(texts(pool))  # its regions are free
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
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
