import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_envs.forked import Forked

from .sites import Site


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forked | None]:
    """Forks of a process with only the core. None on systems that do not fork."""
    if not hasattr(os, "fork"):
        yield None
        return
    site = Site(tmp_path_factory.mktemp("forks"))
    site.install_core()
    command = [sys.executable, "-S", str(Path(__file__).with_name("forks.py"))]
    forks = Forked(command, site.environment())
    yield forks
    forks.close()


@pytest.fixture
def site(tmp_path: Path, forks: Forked | None) -> Site:
    """A site with only the core."""
    site = Site(tmp_path / "site", forks)
    site.install_core()
    return site
