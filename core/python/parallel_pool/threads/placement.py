"""Where threads may run, as users say it: CPU numbers, an offset, or a NUMA node."""

from __future__ import annotations

import re
from collections.abc import Iterable
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from parallel_pool import _core
from parallel_pool.errors import OptionError

NODES = "/sys/devices/system/node"
"""Where Linux shows a machine's NUMA nodes. A machine without these files names none."""


def thread_cpus(
    owner: str, thread_affinity: Any = None, numa_node: Any = None, root: str = NODES
) -> list[list[int]]:
    """The CPUs that each thread may use: thread i those of entry i, round and round. Empty: any.

    thread_affinity: None, or CPU numbers; thread i runs on the i-th. numa_node: None, or the number of a
    node: each thread runs on any of its CPUs. root: the folder with the system's nodes, for tests.
    Raises OptionError, with `owner` in front, for both at once, for CPUs that this process may not use
    and for nodes that the machine does not have.
    """
    if thread_affinity is not None and numa_node is not None:
        raise OptionError(f"{owner}: give thread_affinity or numa_node, not both")
    if thread_affinity is not None:
        return [[cpu] for cpu in _listed(owner, thread_affinity)]
    if numa_node is not None:
        return [_of_node(owner, numa_node, root)]
    return []


def _listed(owner: str, value: Any) -> list[int]:
    items = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else []
    if not items or not all(map(_is_number, items)):
        raise OptionError(
            f"{owner}: thread_affinity is {value!r}, expected CPU numbers such as [0, 2, 4]"
        )
    allowed = _allowed(owner, "thread_affinity")
    for cpu in map(int, items):
        if cpu not in allowed:
            raise OptionError(
                f"{owner}: thread_affinity names CPU {cpu}, but this process may use "
                f"{ranges(allowed)} only (its affinity mask: see taskset, or the container's cpuset)"
            )
    return [int(cpu) for cpu in items]


def _of_node(owner: str, node: Any, root: str) -> list[int]:
    nodes = numa_nodes(root)
    if not nodes:
        raise OptionError(
            f"{owner}: numa_node is {node!r}, but this system names no NUMA nodes; leave it out, or "
            "name CPUs by thread_affinity"
        )
    if not _is_number(node) or node not in nodes:
        raise OptionError(
            f"{owner}: numa_node is {node!r}, but this machine has the nodes {ranges(nodes)}"
        )
    cpus = numa_cpus(int(node), root)
    allowed = _allowed(owner, "numa_node")
    usable = [cpu for cpu in cpus if cpu in allowed]
    if not usable:
        has = f"CPUs {ranges(cpus)}" if cpus else "no CPU"
        raise OptionError(
            f"{owner}: NUMA node {node} has {has}, and this process may use {ranges(allowed)} only; "
            "choose another node, or start the process with other CPUs (taskset, numactl)"
        )
    return usable


def _allowed(owner: str, name: str) -> list[int]:
    allowed = _core.affinity_cpus()
    if not allowed:
        raise OptionError(f"{owner}: this system cannot tie threads to CPUs; leave {name} out")
    return allowed


def _is_number(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))


def numa_nodes(root: str = NODES) -> list[int]:
    """The nodes of this machine; none where the system does not say."""
    return _numbers(Path(root, "online"))


def numa_cpus(node: int, root: str = NODES) -> list[int]:
    """The CPUs of a node; none if there is no such node, or if it has memory only."""
    return _numbers(Path(root, f"node{node}", "cpulist"))


def _numbers(file: Path) -> list[int]:
    """The numbers of a set as the kernel writes it, "0-3,8,10-11"; ascending."""
    text = file.read_text("ascii", "replace").strip() if file.is_file() else ""
    numbers: set[int] = set()
    for part in text.split(",") if text else ():
        found = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", part)
        first, last = (int(each or found[1]) for each in found.groups()) if found else (1, 0)
        if last < first or last - first > 1 << 20:
            raise ValueError(f"'{text}' is not a list of CPUs such as 0-3,8")
        numbers.update(range(first, last + 1))
    return sorted(numbers)


def ranges(numbers: list[int]) -> str:
    """Ascending numbers as the system writes them: 0-3,8."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], number]
        else:
            parts.append([number])
    return ",".join("-".join(map(str, part)) for part in parts)
