from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where vizdoom's own engines leave files. Ours leave none."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
