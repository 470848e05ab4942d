"""Tests that need a library for training, which the environment of the other tests does not have."""

import importlib
import importlib.util
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

ADAPTERS = {
    "sb3": ("stable_baselines3", "make_vec_env"),
    "tianshou": ("tianshou", "make_vector_env"),
    "rl_games": ("rl_games", "make_vec_env"),
    "torchrl": ("torchrl", "make_env"),
}


def needed(module: str, *parts: str) -> Any:
    """The library, imported with these modules of it, or a test module that is skipped.

    With PP_LIBRARIES set nothing is skipped: `.ci/run` has a step with an environment of its own.
    """
    if importlib.util.find_spec(module) is None and "PP_LIBRARIES" not in os.environ:
        pytest.skip(
            f"{module} is not here: uv run --isolated --group learners --group libraries pytest",
            allow_module_level=True,
        )
    with warnings.catch_warnings(action="ignore"):  # of a library that is imported
        for part in parts:
            importlib.import_module(part)
        library = importlib.import_module(module)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)  # small networks are slower with more, and the machine is shared
    return library


@contextmanager
def training(module: Any) -> Iterator[None]:
    """What is done meanwhile has to change parameters of this module of torch."""
    before = [each.detach().clone() for each in module.parameters()]
    yield
    after = [each.detach() for each in module.parameters()]
    assert any(bool((old != new).any()) for old, new in zip(before, after, strict=True))


def adapter(name: str, task: str = "CartPole-v1", num_envs: int = 3, **options: Any) -> Any:
    library, function = ADAPTERS[name]
    needed(library)
    module = importlib.import_module(f"parallel_pool_learning.{name}")
    make: Callable[..., Any] = getattr(module, function)
    return make(task, num_envs, **options)
