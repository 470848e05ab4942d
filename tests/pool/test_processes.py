"""Child processes of every start method have pools of their own. Forks: row 23 in tests/faults."""

import multiprocessing
import os

import pytest
from test_envs import pools
from test_envs.checks import assert_works


@pytest.mark.own_process
@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_row_40_workers_of_every_start_method_have_pools_of_their_own(method: str) -> None:
    pool = pools.make(num_envs=4, num_threads=2)
    pool.reset()
    context = multiprocessing.get_context(method)
    with context.Pool(2) as workers:
        pids = workers.map(pools.use_in_worker, [os.environ["PP_TEST_ENVS"]] * 2, chunksize=1)
    assert os.getpid() not in pids
    assert_works(pool)
