"""Modules that have moved: the paths that pages named once, and that pickles hold, go on working."""

import importlib
import pickle

import parallel_pool
import pytest

MOVED = [
    ("parallel_pool.single", "SingleEnv", "parallel_pool.views.single"),
    ("parallel_pool.single", "make_single", "parallel_pool.views.single"),
    ("parallel_pool.single_dm", "SingleDmEnv", "parallel_pool.views.single_dm"),
    ("parallel_pool.pool_spec", "PoolSpec", "parallel_pool.views.pool_spec"),
]


@pytest.mark.parametrize(("old", "name", "new"), MOVED)
def test_an_old_path_warns_and_works(old: str, name: str, new: str) -> None:
    module = importlib.import_module(old)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {new}"):
        found = getattr(module, name)
    assert found is getattr(importlib.import_module(new), name)


def test_a_pickle_with_an_old_path_loads() -> None:
    # As `pickle.dumps` wrote a reference before the module moved.
    text = b"cparallel_pool.pool_spec\nPoolSpec\n."
    with pytest.warns(DeprecationWarning, match=r"parallel_pool\.pool_spec is now"):
        found = pickle.loads(text)
    assert found is importlib.import_module("parallel_pool.views.pool_spec").PoolSpec


def test_a_name_that_never_was_is_an_error() -> None:
    with pytest.raises(AttributeError, match="Nothing"):
        importlib.import_module("parallel_pool.single").Nothing  # noqa: B018


def test_single_environments_are_public() -> None:
    single = importlib.import_module("parallel_pool.views.single")
    assert parallel_pool.SingleEnv is single.SingleEnv
    assert {"SingleEnv", "SingleDmEnv"} <= set(dir(parallel_pool))


def test_an_old_name_of_the_conformance_kit() -> None:
    testing = importlib.import_module("parallel_pool.testing")
    with pytest.warns(DeprecationWarning, match="Subject is now"):
        assert testing.Subject is testing.EnvUnderTest
