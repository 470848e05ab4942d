"""What `help`, completion and `dir` show of the package."""

import inspect
import pydoc
import subprocess
import sys

import parallel_pool
import pytest
from parallel_pool.config.arguments import ARGUMENTS

MAKERS = ("make", "make_dm", "make_gym", "make_gymnasium", "make_spec")


@pytest.mark.parametrize("name", MAKERS)
def test_signatures_have_every_argument(name: str) -> None:
    function = getattr(parallel_pool, name)
    shown = inspect.signature(function).parameters
    own = ["task_id", "env_type"] if name == "make" else ["task_id"]
    documented = {each.name: each.default for each in ARGUMENTS if each.doc}
    assert list(shown) == [*own, *documented, "options"]
    assert {each: shown[each].default for each in documented} == documented
    assert "num_envs=1" in pydoc.render_doc(function)


def test_dir_is_what_users_need() -> None:
    code = """
import parallel_pool
shown = [name for name in dir(parallel_pool) if not name.startswith("_")]
assert not {"Any", "Path", "TYPE_CHECKING", "annotations", "after_import"} & set(shown), shown
assert {*parallel_pool.__all__, "envpool", "integrations", "learning"} <= set(shown)
missing = [name for name in shown if not hasattr(parallel_pool, name)]
assert not missing, missing
"""
    subprocess.run([sys.executable, "-c", code], check=True)
