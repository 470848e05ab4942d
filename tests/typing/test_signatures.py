"""What editors, `help` and `dir` show: the make functions' signatures, and names that users need."""

import inspect
import pydoc

import parallel_pool
import pytest
from parallel_pool.config.arguments import ARGUMENTS
from test_envs.programs import python

MAKERS = ("make", "make_dm", "make_gym", "make_gymnasium", "make_spec")


def test_the_file_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend("tools")
    import signatures

    assert signatures.FILE.read_text() == signatures.text(), "uv run python tools/signatures.py"


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
import sys, parallel_pool
sys.modules["parallel_pool_learning"] = None  # evaluate is there without it
shown = [name for name in dir(parallel_pool) if not name.startswith("_")]
assert not {"Any", "Path", "TYPE_CHECKING", "annotations"} & set(shown), shown
assert {*parallel_pool.__all__, "pool_api"} <= set(shown)
missing = [name for name in shown if not hasattr(parallel_pool, name)]
assert not missing, missing
"""
    python("-c", code)


def test_dir_of_a_pool_is_what_users_need() -> None:
    with parallel_pool.make("CartPole-v1") as pool:
        names = set(dir(pool))
        assert {"reset", "step", "send", "recv", "config", "spec", "__len__"} <= names
        assert not {name for name in names if name.startswith("_") and name[:2] != "__"}
        assert not {"call_of", "set_attr_of", "close_extras"} & names
        assert pool.get_attr("max_episode_steps") == (500,)
