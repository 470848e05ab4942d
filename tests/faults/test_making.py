"""Rows of the fault matrix: what is refused, warned of or promised when a pool is made."""

import os
import sys
import warnings
from typing import Any
from unittest import mock

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError, _core
from test_envs.checks import assert_works, refused
from test_envs.pools import make

pytestmark = pytest.mark.own_process(limit=30)


def test_row_26_bad_configuration() -> None:
    bad: dict[str, list[Any]] = {
        "num_envs": [0, -1, 2**30, 1.5, "four", None, True],
        "batch_size": [-1, 5, 2**30, 2.0],
        "num_threads": [-3, 10**6, "all"],
        "thread_affinity_offset": [-2, 0.5],
        "max_episode_steps": [0, -1, 2**31, 1.5],
        "autoreset_mode": ["never", 7],
        "episode_statistics": ["yes", 2],
        "seed": [-1, 2**64, "x", [1], 0.5],
        "render_mode": ["human"],
        "max_num_players": [2],
        "nan_action": ["ignore", None, True],
        "out_of_bounds_action": ["truncate", None, 0],
        "step_timeout": [0, -1, float("nan"), float("inf"), "soon", True],
    }
    for name, values in bad.items():
        for value in values:
            with refused(OptionError, name):
                make(**{"num_envs": 4, name: value})
    with refused(OptionError, "num_thread", "Did you mean 'num_threads'"):
        make(num_thread=2)
    assert issubclass(OptionError, ValueError)
    assert_works(make(num_envs=4))


def test_row_28_what_cannot_be_built_says_why() -> None:
    """A constructor that throws: tests/pool/test_closing.py."""
    with refused(ValueError, "test/Faulty-v0", "no such level"):
        make("Faulty", fails_in="describe")
    assert_works(make(num_envs=3))


def test_row_30_seeds_of_several_pools() -> None:
    """seed=s is Gymnasium's rule, s + i; without a seed, or with a spawned one, pools share nothing."""
    with make("Walk", num_envs=2, seed=0) as pool, make("Walk", num_envs=2, seed=1) as next_one:
        assert pool.reset()[0][1].tolist() == next_one.reset()[0][0].tolist()
    firsts: list[float] = []
    for child in np.random.SeedSequence(0).spawn(8):
        with make("Walk", num_envs=8, seed=child.generate_state(8, np.uint64)) as pool:
            firsts += pool.reset()[0][:, 0].tolist()
    for _ in range(8):
        with make("Walk", num_envs=8) as pool:
            firsts += pool.reset()[0][:, 0].tolist()
    assert len(set(firsts)) == 128


def test_row_37_oversubscription() -> None:
    usable = _core.usable_cpus()
    assert usable <= len(os.sched_getaffinity(0))
    with warnings.catch_warnings(record=True, action="always") as caught:
        make(num_envs=4096, num_threads=2 * usable + 1).close()
    assert [str(each.message) for each in caught if "CPUs" in str(each.message)]
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    assert _core.usable_cpus() == 1
    with make(num_envs=64) as pool:
        assert pool.config["num_threads"] == pool.stats()["num_threads"] == 1
        assert_works(pool)


def test_row_39_xla_handles() -> None:
    """Without its wheel there are none, and asking says so. What they do with it: tests/learners/xla."""
    for env_type in ("gymnasium", "gym", "dm"):
        with (
            make(env_type=env_type, num_envs=2) as pool,
            mock.patch.dict(sys.modules, {"parallel_pool_jax": None}),
            refused(parallel_pool.LibraryError, "pip install -U 'parallel-pool[jax]'"),
        ):
            pool.xla()


def test_row_41_names_of_files_stay_names() -> None:
    """Ids are looked up, never made into paths."""
    for task_id in (
        "../test/Count-v0",
        "test/../Count-v0",
        "/etc/passwd",
        "test/Count-v0\0",
        "..",
        "",
    ):
        with refused(ValueError):
            parallel_pool.make(task_id)
