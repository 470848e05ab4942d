"""The texts for other projects: all are listed, and the recipe needs what the core needs.

Their code: tests/integrations/test_announce.py.
"""

from __future__ import annotations

import re
import tomllib

from test_envs.code_blocks import DOCS

FOLDER = DOCS / "announce"


def test_every_text_is_in_the_list() -> None:
    listed = re.findall(r"\]\(([\w./-]+)\)", (FOLDER / "README.md").read_text("utf-8"))
    there = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file()}
    assert there - {"README.md"} <= set(listed)


def test_the_recipe_needs_what_the_core_needs() -> None:
    recipe = (FOLDER / "conda-forge" / "recipe.yaml").read_text("utf-8")
    table = tomllib.loads((DOCS.parent / "core/pyproject.toml").read_text("utf-8"))
    project, build = table["project"], table["build-system"]
    assert f'version: "{project["version"]}"' in recipe
    for needed in (*project["dependencies"], *build["requires"]):
        assert f"    - {needed.replace('>=', ' >=')}\n" in recipe
    assert project["description"] in recipe
