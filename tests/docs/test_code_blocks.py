"""Every Python block of every page runs alone, as it stands.

Elsewhere: pages that have a test of their own here, pages about torch and JAX (tests/learners), continuing.md
(tests/training), libraries.md and atari-training.md (tests/integrations), scaling.md
(tests/docs/test_pages.py, tests/distributed), whole files of plugins (tests/docs/test_writing_a_plugin.py,
plugins/parallel_pool_mujoco/tests/test_docs.py), your-mjcf.md
(plugins/parallel_pool_mujoco/tests/test_new_robot.py).
"""

import builtins
import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_envs.code_blocks import BLOCK, DOCS, FILE, blocks, run
from test_envs.opengl import drawn, needs_opengl

ELSEWHERE = {
    *("continuing.md", "torch.md", "jax.md", "libraries.md", "mujoco.md", "scaling.md"),
    *("atari-training.md", "training.md", "your-mjcf.md"),
    # tests/docs/test_pages.py:
    *("classroom.md", "pool.md", "rollouts.md", "transforms.md", "watching.md"),
}
WITH_CODE = [
    page
    for page in (DOCS.parent / "README.md", *sorted(DOCS.glob("*.md")))
    if any(not FILE.match(block) for block in BLOCK.findall(page.read_text("utf-8")))
]
PAGES = [page for page in WITH_CODE if page.name not in ELSEWHERE]
GIVEN = {*dir(builtins), "__name__"}


def unbound(source: str) -> Iterator[str]:
    """The names that a program uses and does not define."""
    top = symtable.symtable(source, "block", "exec")
    bound = {
        each.get_name() for each in top.get_symbols() if each.is_assigned() or each.is_imported()
    }
    tables = [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            elsewhere = symbol.is_global() or table is top
            if symbol.is_referenced() and elsewhere and symbol.get_name() not in bound | GIVEN:
                yield symbol.get_name()


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.name)
def test_blocks_define_what_they_use(page: Path) -> None:
    """Also those that run only where a library is."""
    for number, block in enumerate(blocks(page), 1):
        assert not list(unbound(block)), f"block {number}"


# Box2D's import ends the process where this warning is an error.
@pytest.mark.filterwarnings("ignore:builtin type .* has no __module__:DeprecationWarning")
@pytest.mark.filterwarnings("ignore::parallel_pool.OversubscriptionWarning")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "64")  # one worker for a pool, not one for each CPU
    run(page)


@needs_opengl
def test_blocks_run_that_draw_with_opengl() -> None:
    drawn("from test_envs.code_blocks import DOCS, run; run(DOCS / 'mujoco.md')")
