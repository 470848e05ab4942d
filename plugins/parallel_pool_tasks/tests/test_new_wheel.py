"""`parallel-pool new legs --mujoco-task`: a wheel of tasks without a compiler, offline."""

import re
import zipfile
from pathlib import Path

import pytest
from parallel_pool.cli import main
from test_envs.compiling import BUILD_WHEEL
from test_envs.once import once
from test_envs.programs import python

USES = """
import pickle, sys
import numpy as np
import parallel_pool
from parallel_pool.author_api import registry

assert "parallel_pool_legs" not in sys.modules and "legs/Legs-v0" in parallel_pool.list_all_envs()
assert registry().plugin("legs").index is not None
arguments = {"num_envs": 2, "num_threads": 1, "seed": 1, "noise": 0.2}
first = parallel_pool.make("legs/Legs-v0", **arguments)
from parallel_pool_legs.tasks import Legs
for pool in (
    first,
    parallel_pool.make(Legs, **arguments),
    parallel_pool.make("legs/Legs-v0", isolation="process", **arguments),
    pickle.loads(pickle.dumps(first)),
):
    with pool:
        print(pool.config["noise"], pool.reset()[0].tolist())
"""


@pytest.fixture(scope="module")
def built(shared_folder: Path) -> Path:
    """What `new` writes, in `project`, with its index, and its wheel unpacked, in `site`."""

    def build(folder: Path) -> None:
        folder.mkdir()
        assert main(["new", "legs", "--mujoco-task", "--folder", str(folder)]) == 0
        project = (folder / "parallel-pool-legs").rename(folder / "project")
        index = ("-m", "parallel_pool.cli", "index", "legs", "--project", ".")
        assert "legs.envs.json" in python(*index, folder=project)
        python("-c", BUILD_WHEEL, folder, folder=project)
        zipfile.ZipFile(folder / "parallel_pool_legs-0.1.0-py3-none-any.whl").extractall(
            folder / "site"
        )

    return once(shared_folder / "legs", build)


def test_it_passes_its_tests(built: Path) -> None:
    """The conformance kit is among them, with both modes side by side; its long checks are left out."""
    parts = "plugin or spaces or reference or per_env_options or falls"
    run = ("-m", "pytest", "-v", "-p", "no:cacheprovider", "-k", parts)
    printed = python(*run, folder=built / "project", PYTHONPATH=str(built / "site"))
    assert "failed" not in printed
    for check in ("test_plugin[declaration]", "test_plugin[lightness]", "[legs/Legs-v0-reference]"):
        assert re.search(re.escape(check) + " PASSED", printed), printed
    assert not [path for path in built.rglob("*.so")]


def test_its_ids_and_classes_are_the_same(built: Path, tmp_path: Path) -> None:
    """Listed without an import; by id, by class, in workers and from a pickle."""
    said = python("-c", USES, folder=tmp_path, PYTHONPATH=str(built / "site")).splitlines()
    assert len(said) == 4 and len(set(said)) == 1 and said[0].startswith("0.2 [[")


def test_an_index_of_other_tasks_is_found(built: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(next(built.glob("*.whl"))).extractall(tmp_path)
    source = tmp_path / "parallel_pool_legs/tasks.py"
    source.write_text(
        source.read_text().replace("noise: float", "shake: float = 0\n    noise: float")
    )
    check = "from parallel_pool.testing import check_plugin\nprint(check_plugin('legs', only=['index']))"
    said = python("-c", check, folder=tmp_path, PYTHONPATH=str(tmp_path))
    assert "legs.envs.json is not what the plugin says: run `parallel-pool index legs`" in said
