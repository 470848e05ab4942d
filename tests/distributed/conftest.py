"""Clusters of Ray on this machine."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

# Under `uv run` Ray would have its processes build this project anew.
os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
# Losses are what these tests are about, so their warnings are left out.
os.environ["RAY_DEDUP_LOGS"] = "0"

STORE = 80 * 2**20
"""Bytes of a node's object store: nearly the least that Ray takes."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent.name == "distributed":
            item.add_marker(pytest.mark.filterwarnings("ignore"))  # Ray's own
            item.add_marker(pytest.mark.xdist_group("ray"))


if find_spec("ray") is not None:

    @pytest.fixture(scope="package")
    def cluster() -> Iterator[Any]:
        """A node with six CPUs by its own word, and a connection to it."""
        import ray
        from ray.cluster_utils import Cluster
        from test_envs.ray_pools import connect_to

        node = {"num_cpus": 6, "object_store_memory": STORE, "include_dashboard": False}
        with pytest.MonkeyPatch.context() as patch:  # actors import environments of test_envs
            patch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
            made = Cluster(initialize_head=True, head_node_args=node)
        connect_to(made)
        yield made
        ray.shutdown()
        made.shutdown()
