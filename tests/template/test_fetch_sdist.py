"""`parallel_pool_fetch_sdist` finds archives as indexes write their names, and refuses other hashes."""

import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path

import parallel_pool
import pytest

CMAKE = shutil.which("cmake")
pytestmark = pytest.mark.skipif(CMAKE is None, reason="there is no CMake here")


def archive(folder: Path, name: str) -> str:
    (folder / name).mkdir(parents=True)
    (folder / name / "PKG-INFO").write_text(name)
    path = folder / f"{name}.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        tar.add(folder / name, name)
    shutil.rmtree(folder / name)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def configure(
    folder: Path, name: str, version: str, sha256: str
) -> subprocess.CompletedProcess[str]:
    module = Path(parallel_pool.get_cmake_dir()) / "ParallelPoolFetchSdist.cmake"
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(fetching LANGUAGES NONE)\n"
        f'include("{module}")\n'
        f"parallel_pool_fetch_sdist(NAME {name} VERSION {version} SHA256 {sha256} OUT_VAR source)\n"
        'file(READ "${source}/PKG-INFO" text)\nmessage(STATUS "found ${text}")\n'
    )
    command = [str(CMAKE), "-S", str(folder), "-B", str(folder / "build")]
    return subprocess.run(
        [*command, f"-DPP_SDIST_DIR={folder / 'archives'}"], capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("name", "version", "written"),
    [
        ("Box2D", "2.3.2", "Box2D-2.3.2"),
        ("box2d-py", "2.3.8", "box2d-py-2.3.8"),
        ("box2d-py", "2.3.8", "box2d_py-2.3.8"),
        ("ale-py", "0.12.1", "ale_py-0.12.1"),
        ("Some.Name", "1.0rc1", "some_name-1.0rc1"),
    ],
)
def test_names_as_indexes_write_them(name: str, version: str, written: str, tmp_path: Path) -> None:
    sha256 = archive(tmp_path / "archives", written)
    archive(tmp_path / "archives", f"{written}1")  # another version
    for _ in range(2):  # the second time it is there
        done = configure(tmp_path, name, version, sha256)
        assert f"found {written}" in done.stdout, done.stderr


def test_another_hash(tmp_path: Path) -> None:
    archive(tmp_path / "archives", "box2d-py-2.3.8")
    done = configure(tmp_path, "box2d-py", "2.3.8", "0" * 64)
    assert done.returncode != 0
    assert "has sha256" in done.stderr
    assert "do not trust" in " ".join(done.stderr.split())
