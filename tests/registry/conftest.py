import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .sites import Forks, Site


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks | None]:
    """None on systems that do not fork."""
    if not hasattr(os, "fork"):
        yield None
        return
    forks = Forks(tmp_path_factory.mktemp("forks"))
    yield forks
    forks.close()


@pytest.fixture
def site(tmp_path: Path, forks: Forks | None) -> Site:
    """A site with only the core."""
    site = Site(tmp_path / "site", forks)
    site.install_core()
    return site
