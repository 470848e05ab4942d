"""tools/wheels.py: what it says where something is missing, and whose files are counted."""

import zipfile
from pathlib import Path

import wheels


def test_a_wheel_of_what_is_installed(tmp_path: Path) -> None:
    wheels.pack(tmp_path, ["classic"])
    (wheel,) = tmp_path.iterdir()
    assert wheel.name.startswith("parallel_pool_classic-")
    assert "-py3-none-" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (record,) = (name for name in names if name.endswith(".dist-info/RECORD"))
        recorded = {line.split(",")[0] for line in archive.read(record).decode().splitlines()}
    about = record.removesuffix("RECORD")
    assert recorded == names
    assert {
        "parallel_pool_classic/_plugin.py",
        "parallel_pool_classic/classic.so",
        f"{about}METADATA",
        f"{about}entry_points.txt",
        f"{about}licenses/LICENSE",
    } <= names
    assert not [name for name in names if name.endswith((".pth", ".pyc")) or "_editable" in name]
