"""Libraries that train, with pools. They warn of each other's versions, which is not ours to mend."""

import os

import pytest

# Under `uv run` Ray would have its processes build this project anew.
os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
# No cluster that another user runs here, or has left behind.
os.environ["RAY_ADDRESS"] = "local"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent.name == "integrations":
            item.add_marker(pytest.mark.filterwarnings("ignore::DeprecationWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::FutureWarning"))
