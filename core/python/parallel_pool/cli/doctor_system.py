"""`parallel-pool doctor`: the machine and third-party packages."""

import os
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from parallel_pool.imports.libraries import release
from parallel_pool.plugin_api import Check

OLDEST = {"numpy": "2.0", "gymnasium": "1.2", "dm-env": "1.6", "pluggy": "1.5"}
"""The package's dependencies and their oldest versions."""


def python() -> Check:
    """The interpreter, and whether threads of it run at the same time."""
    lock = "" if getattr(sys, "_is_gil_enabled", lambda: True)() else ", without a global lock"
    return Check(
        "python", True, f"{platform.python_implementation()} {platform.python_version()}{lock}"
    )


def machine() -> Check:
    """The system."""
    return Check("platform", True, platform.platform())


def cpus(usable: int) -> Check:
    """The number of CPUs, and why a pool would use fewer. usable: threads that can run at once."""
    from parallel_pool.threads.cpu_budget import LOCAL_WORLD_SIZE, local_processes

    there, allowed = os.cpu_count() or 1, _allowed()
    facts = [f"{there} in this machine"]
    advice = ""
    if allowed < there:
        facts.append(f"{allowed} by the affinity mask")
        advice = "start it with more: taskset -c, or numactl --physcpubind"
    if usable < allowed:
        facts.append(f"{usable} by the cgroup quota")
        advice = "give the container more: docker run --cpus, or resources.limits.cpu"
    if (processes := local_processes()) > 1:
        usable = max(1, usable // processes)
        facts.append(f"shared by {LOCAL_WORLD_SIZE}={processes} processes")
    facts.append(f"num_threads is {usable} by default")
    return Check("CPUs", True, "; ".join(facts), advice=advice)


def _allowed() -> int:
    """The CPUs of this machine that the affinity mask has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def torch() -> Iterator[Check]:
    """Where torch is installed: its threads, which run beside a pool's. An import would take seconds."""
    try:
        installed = version("torch")
    except PackageNotFoundError:
        return
    said = os.environ.get("OMP_NUM_THREADS", "")
    threads = f"OMP_NUM_THREADS is {said}" if said else "it starts a thread for each core"
    alone = said == "1" or (not said and _allowed() == 1)
    advice = "where it trains on the CPUs that a pool uses: OMP_NUM_THREADS=1 is often much faster"
    yield Check("torch", True, f"{installed}; {threads}", advice="" if alone else advice)


def packages() -> Iterator[Check]:
    """Whether the dependencies are installed and new enough."""
    for name, oldest in OLDEST.items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            if name != "pluggy":  # it was imported: `doctor` has looked
                yield Check(name, False, "not installed", f"pip install {name}")
            continue
        if release(installed) < release(oldest):
            reason = f"{installed}, and {oldest} or newer is needed"
            yield Check(name, False, reason, f"pip install --upgrade '{name}>={oldest}'")
        else:
            yield Check(name, True, installed)


def watching() -> Check:
    """Whether the wheel of `parallel-pool watch` is installed, with which pip installs what films need."""
    try:
        return Check("watching", True, version("parallel-pool-watch"))
    except PackageNotFoundError:
        advice = "for `parallel-pool watch`: pip install -U 'parallel-pool[watch]'"
        return Check("watching", True, "not installed", advice=advice)


def pygame() -> Iterator[Check]:
    """What is wrong where both pygame and pygame-ce are or were installed. Both have the module pygame: the
    later one replaces the other's files, and takes them along when it is uninstalled.
    """
    installed = []
    for name in ("pygame", "pygame-ce"):
        try:
            installed.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    spec = find_spec("pygame")
    if len(installed) == 2:
        reason = (
            f"{' and '.join(installed)} replace each other's files: pictures may be the wrong one's"
        )
        remedy = "pip uninstall -y pygame pygame-ce, then pip install pygame-ce"
        yield Check("pygame", True, reason, advice=remedy)
    elif installed and (spec is None or spec.origin is None):
        reason = f"{installed[0]} is without its files, which another package replaced"
        yield Check("pygame", False, reason, "pip install --force-reinstall pygame-ce")
