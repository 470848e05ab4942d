from pathlib import Path

import pytest

from .sites import Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site with only the core."""
    site = Site(tmp_path / "site")
    site.install_core()
    return site
