"""Threads that make the first pool, register and import at the same time."""

import time
from functools import partial
from typing import Any

import pytest
from parallel_pool import EnvSpec
from parallel_pool.registry import Registry, service
from test_envs.programs import python
from test_envs.threads import in_threads


def test_a_thread_registers_while_another_enters_ids_into_gymnasium() -> None:
    """It waits for it: parts of a package do not, and then both fail."""
    program = """
import sys, threading, time
import parallel_pool

began, failed = threading.Event(), []

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "gymnasium.core":
            began.set()
            time.sleep(0.3)

def attempt(work):
    try:
        work()
    except BaseException as error:
        failed.append(error)

def register():
    began.wait()
    parallel_pool.register(
        parallel_pool.EnvSpec("mine/Env-v0", backend="python"), factory=lambda spec, options: None
    )

sys.meta_path.insert(0, Slow())
thread = threading.Thread(target=attempt, args=(register,))
thread.start()
attempt(lambda: __import__("parallel_pool.gymnasium"))
thread.join()
import gymnasium
print(failed, "mine/Env-v0" in gymnasium.registry)
"""
    assert python("-c", program) == "[] True\n"


def test_threads_register_one_family(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = service.program_plugin

    def slow(*arguments: Any) -> Any:
        time.sleep(0.05)
        return begin(*arguments)

    monkeypatch.setattr(service, "program_plugin", slow)
    registry = Registry([])
    names = [f"Env{number}" for number in range(20)]

    def register(order: int) -> None:
        for name in names[::order]:
            spec = EnvSpec(f"threads/{name}-v0", backend="python")
            registry.register(spec, factory=lambda spec, options: dict)
            assert registry.resolve(spec.id).spec == spec

    in_threads(*(partial(register, order) for order in (1, -1, 1)))
    assert len(registry.list_all_envs("threads")) == len(names)
    (plugin,) = registry.plugins
    assert len(plugin.specs) == len(names)
