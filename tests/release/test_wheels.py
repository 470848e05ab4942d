"""tools/wheels.py: what it says where something is missing, and whose files are counted."""

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture
def wheels(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(TOOLS))
    import wheels

    yield wheels
    sys.modules.pop("wheels")


def test_without_auditwheel(
    wheels: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(SystemExit, match="auditwheel is missing: uv run --group release"):
        wheels.repair(tmp_path, ["core"])


def test_a_wheel_that_is_not_there(wheels: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="has no wheel of core, atari"):
        wheels.try_(tmp_path, ["core", "atari"])


def test_whose_files_are_counted(wheels: ModuleType) -> None:
    entries = ("parallel_pool", "parallel_pool-0.1.0.dist-info", "parallel_pool.libs")
    assert all(wheels.is_of(each, "parallel_pool") for each in entries)
    assert not wheels.is_of("parallel_pool_atari", "parallel_pool")
    assert not wheels.is_of("parallel_pool_atari-0.1.0.dist-info", "parallel_pool")


def test_a_wheel_of_what_is_installed(wheels: ModuleType, tmp_path: Path) -> None:
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


def test_a_wheel_of_a_library(wheels: ModuleType, tmp_path: Path) -> None:
    """It need not be installed: nothing of it is compiled."""
    built: list[tuple[object, ...]] = []
    wheels.uv = lambda *arguments: built.append(arguments)
    wheels.pack(tmp_path, ["ray"])
    ((*_, folder),) = built
    assert folder == wheels.release.FOLDERS["ray"]
