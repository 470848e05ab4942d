"""The processor quota as control groups of either version state it."""

from pathlib import Path

import pytest
from parallel_pool.cli.machine import allowed_cpus, cgroup_cpus


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("groups", "files", "quota"),
    [
        ("0::/a/b\n", {"a/b/cpu.max": "150000 100000\n", "a/cpu.max": "max 100000\n"}, 1.5),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "400000 100000\n"}, 4.0),
        ("0::/\n", {"cpu.max": "200000 100000\n"}, 2.0),
        ("0::/elsewhere\n", {"cpu.max": "200000 100000\n"}, 2.0),
        ("0::/\n", {}, None),
        ("0::/\n", {"cpu.max": "nonsense\n"}, None),
        (
            "4:cpuset:/x\n3:cpu,cpuacct:/x\n",
            {"cpu/x/cpu.cfs_quota_us": "50000\n", "cpu/x/cpu.cfs_period_us": "100000\n"},
            0.5,
        ),
        (
            "3:cpu:/x\n",
            {"cpu/x/cpu.cfs_quota_us": "-1\n", "cpu/x/cpu.cfs_period_us": "100000\n"},
            None,
        ),
    ],
)
def test_quota(tmp_path: Path, groups: str, files: dict[str, str], quota: float | None) -> None:
    for name, text in files.items():
        write(tmp_path / "cgroup" / name, text)
    write(tmp_path / "own", groups)
    assert cgroup_cpus(tmp_path / "cgroup", tmp_path / "own") == quota


def test_no_control_groups(tmp_path: Path) -> None:
    assert cgroup_cpus(tmp_path, tmp_path / "absent") is None


def test_allowed() -> None:
    assert allowed_cpus() >= 1
