"""How many processors this process may use. Other systems than Linux have no quota."""

import os
from pathlib import Path


def allowed_cpus() -> int:
    """Processors in the affinity mask, or all of the machine where there is no such mask."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cgroup_cpus(
    root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")
) -> float | None:
    """The tightest quota of this process's control groups, in processors; None: no quota.

    Reads version 1 and 2. A container usually sees its own group as `root`, so that counts too.
    """
    try:
        groups = [line.split(":", 2) for line in own.read_text().splitlines()]
    except OSError:
        return None
    quotas = []
    for _, controllers, path in groups:
        if controllers and "cpu" not in controllers.split(","):
            continue
        top = root / "cpu" if controllers else root
        leaf = top / path.lstrip("/")
        quotas += [_quota(each) for each in (leaf, *leaf.parents) if each.is_relative_to(top)]
    return min((quota for quota in quotas if quota is not None), default=None)


def _quota(group: Path) -> float | None:
    for names in (("cpu.max",), ("cpu.cfs_quota_us", "cpu.cfs_period_us")):
        try:
            words = " ".join((group / name).read_text() for name in names).split()
            if words[0] not in ("max", "-1"):
                return int(words[0]) / int(words[1])
        except (OSError, ValueError, IndexError, ZeroDivisionError):
            continue
    return None
