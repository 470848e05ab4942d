"""The programs of the page "Beyond one process" work as they stand."""

import pytest
from test_envs.code_blocks import BLOCK, DOCS

PROGRAMS = BLOCK.findall((DOCS / "scaling.md").read_text("utf-8"))


def test_the_program_for_torchrun_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    found: dict[str, object] = {}
    exec(PROGRAMS[0], found)
    assert found["pool"].global_env_ids[0] == 64  # type: ignore[attr-defined]
    found["pool"].close()  # type: ignore[attr-defined]
