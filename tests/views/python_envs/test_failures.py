"""A Python environment that throws, crashes or ends its worker."""

import numpy as np
import parallel_pool
import pytest
from parallel_pool import EnvError, WorkerCrashWarning
from test_envs.python_envs import DIE, FINE, LEAVE, THROW, Make


def test_an_exception_has_its_traceback(make: Make, task_id: str) -> None:
    with make(task_id, num_envs=3, num_threads=2) as pool:
        pool.reset()
        force = np.zeros((3, 2), np.float32)
        with pytest.raises(EnvError) as caught:
            pool.step((np.array([FINE, THROW, FINE]), force))
        (text,) = caught.value.failures.values()
        assert "ValueError: no fuel" in text
        assert "in step" in text
        assert caught.value.result[3].tolist() == [False, True, False]
        pool.reset([1])
        pool.step((np.zeros(3, int), force))


def test_a_crash_loses_its_process_only(task_id: str) -> None:
    with parallel_pool.make(
        task_id, num_envs=2, num_threads=2, seed=1, length=99, isolation="process"
    ) as pool:
        pool.reset()
        force = np.zeros((2, 2), np.float32)
        with pytest.warns(WorkerCrashWarning, match=r"SIGABRT.*environments \(1\)"):
            *_, truncated, info = pool.step((np.array([FINE, DIE]), force))
        assert truncated.tolist() == [False, True]
        assert info["worker_crashed"].tolist() == [False, True]
        *_, info = pool.step((np.zeros(2, int), force))
        assert info["begun"].tolist() == [False, True]
        assert info["_steps"].tolist() == [True, False]


def test_what_ends_a_worker_loses_its_environments_only(make: Make, drawn: str) -> None:
    with make(drawn, num_envs=2, num_threads=2, seed=1) as pool:
        pool.reset(options={"at": 3})
        with pytest.warns(WorkerCrashWarning, match=r"(SystemExit: enough|status 1).*ments \(1\)"):
            obs, *_, truncated, info = pool.step([0, LEAVE])
        assert truncated.tolist() == [False, True]
        assert info["worker_crashed"].tolist() == [False, True]
        assert obs[1].tolist() == [0, 0]
        obs, *_ = pool.step([0, 0])
        assert obs[0, 0] > 3
        assert obs[1].tolist() == [1, 1]
