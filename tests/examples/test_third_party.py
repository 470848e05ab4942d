"""The examples of published plugins build from their own folders, conform, and pass their own tests."""

import shutil
import zipfile
from pathlib import Path

import pytest
from test_envs.compiling import BUILD_WHEEL
from test_envs.programs import python

EXAMPLES = Path(__file__).parents[2] / "examples" / "third_party"


def run(*command: str, folder: Path, **environment: str) -> str:
    return python(*command, folder=folder, seconds=280, complaints=True, **environment)


@pytest.mark.parametrize(
    ("example", "family"),
    [
        pytest.param("plain_c", "catch", marks=pytest.mark.slow),
        # Needs Chipmunk2D, which CI installs.
        pytest.param("chipmunk", "seesaw", marks=pytest.mark.slow),
        pytest.param("global_state", "ferry", marks=pytest.mark.slow),
        # Needs rustc, which CI installs.
        pytest.param("rust", "dial", marks=pytest.mark.slow),
        # Needs ziglang from the index, 100 MB.
        pytest.param("zig", "corridor", marks=pytest.mark.slow),
    ],
)
def test_an_example_builds_and_conforms(example: str, family: str, tmp_path: Path) -> None:
    # A copy: builds leave nothing behind in the repository, and nothing outside of it is needed.
    folder = tmp_path / example
    shutil.copytree(EXAMPLES / example, folder, ignore=shutil.ignore_patterns("build", "dist"))
    run("-c", BUILD_WHEEL, str(tmp_path), folder=folder)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith(f"parallel_pool_{family}-0.1.0-py3-none-")
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    # The conformance kit is among them.
    said = run("-m", "pytest", "-q", "-p", "no:cacheprovider", folder=folder, PYTHONPATH=str(site))
    assert " passed" in said and "failed" not in said
