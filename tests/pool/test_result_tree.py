"""Results are what a tree of typed nodes says; a new kind of node is a struct and a dataclass."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from parallel_pool import _core
from parallel_pool.schema.result_tree import (
    Computed,
    Dict,
    FieldColumn,
    FinalColumn,
    HostColumn,
    Ones,
    PlayerColumn,
    TakenInfos,
    Tree,
)
from test_envs.checks import refused
from test_envs.pools import native

OBS, ENV_ID, ENDED = FieldColumn(0), HostColumn("env_id"), HostColumn("ended")
NO_ACTION = np.zeros(3, np.int64)


def pool_of(tree: Tree, **arguments: Any) -> Any:
    """Three environments that count their steps; episodes are two steps long."""
    return native("Count", num_envs=3, tree=tree, max_episode_steps=2, **arguments)


def test_what_is_computed_is_called_once_and_goes_with_the_pool() -> None:
    class Count:
        calls = 0

        def __call__(self, *inputs: Any) -> int:
            assert [each.shape[0] for each in inputs] == [3, 3]
            self.calls += 1
            return self.calls

    count = Count()
    node = Computed(count, (OBS, ENV_ID))
    pool = pool_of((node, node, Dict(({"a": node},)), Computed(count, (OBS, ENV_ID))))
    assert pool.reset() == (1, 1, {"a": 1}, 2)
    assert pool.step(NO_ACTION) == (3, 3, {"a": 3}, 4)
    pool.close()
    gone = weakref.ref(count)
    del pool, node, count
    gc.collect()
    assert gone() is None


def test_an_error_in_python_gives_the_batch_back() -> None:
    def fail(_: Any) -> None:
        raise RuntimeError("no paint")

    pool = pool_of((OBS, Computed(fail, (OBS,))))
    for _ in range(50):
        with pytest.raises(RuntimeError, match="no paint"):
            pool.reset()
    assert pool.stats()["batches"] <= 2
    pool.close()


@pytest.mark.parametrize(
    ("tree", "kind", "text"),
    [
        ("env_id", TypeError, "'env_id', which is no tuple, no mapping and no node"),
        ((OBS, [ENV_ID]), TypeError, "[HostColumn(name='env_id')], which is no tuple"),
        (FieldColumn(99), ValueError, "FieldColumn(number=99), but results of this pool have no"),
        (FinalColumn(0), ValueError, "FinalColumn(number=0), .*only SAME_STEP pools"),
        (HostColumn("env"), ValueError, "HostColumn(name='env')"),  # type: ignore[arg-type]
        (PlayerColumn("id"), ValueError, "PlayerColumn(name='id'), but results of this pool"),
        (Dict((OBS,)), TypeError, "the parts of a Dict are mappings, IfEnded"),  # type: ignore[arg-type]
        (TakenInfos((OBS,), bytes), ValueError, "infos of Python environments, but there are none"),
    ],
)
def test_trees_that_cannot_be(tree: Any, kind: type[Exception], text: str) -> None:
    with refused(kind, *text.split(".*")):
        pool_of(tree)


def test_only_kinds_of_nodes_are_registered() -> None:
    with pytest.raises(TypeError):
        _core.register_node(Ones, object())
    with refused(ValueError, "was not made by node_kind()"):
        _core.register_node(Ones, np._core._multiarray_umath._ARRAY_API)
