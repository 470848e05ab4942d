"""Every Python block of every page runs as it stands.

Elsewhere: pages that have a test of their own here, pages about torch and JAX (tests/learners), libraries.md
(tests/integrations), scaling.md (tests/docs/test_scaling.py, tests/distributed), whole files of plugins
(tests/docs/test_writing_a_plugin.py, plugins/parallel_pool_mujoco/tests/test_docs.py).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool_vizdoom._package import package_folder
from test_envs.code_blocks import BLOCK, DOCS, FILE, run
from test_envs.opengl import drawn, needs_opengl

ELSEWHERE = {
    *("torch.md", "jax.md", "libraries.md", "mujoco.md", "scaling.md"),
    *("pool.md", "rollouts.md", "transforms.md", "watching.md"),  # tests/docs/test_PAGE.py
}
PAGES = [
    page
    for page in (DOCS.parent / "README.md", *sorted(DOCS.glob("*.md")))
    if page.name not in ELSEWHERE
    and any(not FILE.match(block) for block in BLOCK.findall(page.read_text("utf-8")))
]


def policy(obs: np.ndarray) -> np.ndarray:
    return np.zeros(len(obs), np.int64)


class Maze(gymnasium.Env[Any, Any]):
    """A Python environment of a reader."""

    observation_space = gymnasium.spaces.Discrete(100)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, size: int) -> None:
        assert size == 16

    def reset(self, **_: Any) -> Any:
        return 0, {}

    def step(self, action: Any) -> Any:
        return 1, 0.0, False, False, {}


def vizdoom_names(folder: Path) -> dict[str, Any]:
    """A scenario of the reader's own."""
    scenario = package_folder() / "scenarios" / "my_way_home"
    for suffix in (".cfg", ".wad"):
        (folder / f"maze{suffix}").write_bytes(scenario.with_suffix(suffix).read_bytes())
    return {}


NAMES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "multi-player.md": lambda _: {"actions": np.zeros(16, np.int64)},
    "python-environments.md": lambda _: {"Maze": Maze},
    "state.md": lambda _: {"envs": parallel_pool.make("CartPole-v1", num_envs=8, seed=0)},
    "vizdoom.md": vizdoom_names,
}
"""What a page takes for granted beside parallel_pool, gymnasium, numpy and a policy."""


# Box2D's import ends the process where this warning is an error.
@pytest.mark.filterwarnings("ignore:builtin type .* has no __module__:DeprecationWarning")
@pytest.mark.filterwarnings("ignore::parallel_pool.OversubscriptionWarning")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    common = {"parallel_pool": parallel_pool, "gymnasium": gymnasium, "np": np, "policy": policy}
    run(page, **common, **NAMES.get(page.name, lambda _: {})(tmp_path))


@needs_opengl
def test_blocks_run_that_draw_with_opengl() -> None:
    drawn("from test_envs.code_blocks import DOCS, run; run(DOCS / 'mujoco.md')")
