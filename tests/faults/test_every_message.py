"""Something happens to a worker in the middle of each message that it can be sent."""

import itertools
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import EnvAccessError, EnvBuildError, StateError, WorkerCrashWarning
from test_envs.struck_envs import FAULTS, MESSAGES

pytestmark = pytest.mark.own_process(limit=120)

LIMIT = 0.5
"""step_timeout, in seconds."""
CAUSE = {
    "killed": "was killed by SIGKILL",
    "stopped": "took more than 0.5 seconds and was killed",
    "slow": "took more than 0.5 seconds and was killed",
    "half_written": "was killed by SIGKILL",
}
FEW = [
    ("step", "killed"),
    ("step", "half_written"),
    ("reset", "stopped"),
    ("save", "half_written"),
    ("load", "killed"),
    ("save", "slow"),
    ("load", "stopped"),
    ("ask", "slow"),
    ("render", "slow"),
    ("leave", "stopped"),
]
# Building environments may take minutes, so those that are stopped or slow there are waited for. A worker
# that is told to leave does not answer.
ALL = [
    pytest.param(*each, marks=[] if each in FEW else [pytest.mark.slow])
    for each in itertools.product(MESSAGES, FAULTS)
    if (each[0] != "create" or each[1] == "killed") and each != ("leave", "half_written")
]


@pytest.mark.parametrize(("message", "fault"), ALL)
def test_a_worker_is_struck(message: str, fault: str) -> None:
    """An answer or an error with the cause comes in time, the neighbour's work stays, and all go on."""
    order = Path(tempfile.mkdtemp(), "order")
    how = {"num_envs": 2, "num_threads": 2, "isolation": "process", "step_timeout": LIMIT}
    struck = {"message": message, "fault": fault, "order": str(order), "maker": os.getpid()}
    make = partial(parallel_pool.make, "gym:Struck-v0", render_mode="rgb_array", **how, **struck)
    if message == "create":
        order.touch()
        with pytest.raises(EnvBuildError, match="was killed by SIGKILL"):
            make()
        make().close()
        return
    pool = make()
    pool.reset()
    pool.step(np.zeros(2, int))
    states = pool.get_state()
    calls: dict[str, tuple[Callable[[], Any], type[Exception] | None]] = {
        "reset": (pool.reset, None),
        "step": (lambda: pool.step(np.zeros(2, int)), None),
        "save": (pool.get_state, StateError),
        "load": (lambda: pool.set_state(None, states), StateError),
        "ask": (lambda: pool.call("steps"), EnvAccessError),
        "render": (pool.render, EnvAccessError),
        "leave": (pool.close, None),
    }
    call, error = calls[message]
    order.touch()
    began = time.monotonic()
    with warnings.catch_warnings(record=True, action="always") as said:
        if error is None:
            result = call()
        else:
            with pytest.raises(error, match=CAUSE[fault]):
                call()
        took = time.monotonic() - began
        assert not order.exists()
        # Its limit, what a worker needs to begin, and a machine that does other things.
        assert took < LIMIT + 10
        if message == "leave":
            return
        if message == "step":
            obs, _, _, truncated, info = result
            (lost,) = np.flatnonzero(truncated)
            assert info["worker_crashed"][lost]
            assert obs[1 - lost] == 2  # what the neighbour computed is there
            assert pool.step(np.zeros(2, int))[0][1 - lost] == 3
        else:
            pool.reset()
            assert pool.step(np.zeros(2, int))[0].tolist() == [[1], [1]]
    reasons = [str(each.message) for each in said if each.category is WorkerCrashWarning]
    assert len(reasons) == 1
    assert CAUSE[fault] in reasons[0]
    pool.close()
