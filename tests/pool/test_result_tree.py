"""Results are what a tree of typed nodes says; a new kind of node is a struct and a dataclass."""

import gc
import typing
import weakref
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from parallel_pool import EnvError, _core
from parallel_pool.schema.result_tree import (
    Computed,
    Dict,
    ErrorMask,
    Errors,
    Extended,
    FieldColumn,
    FinalColumn,
    HostColumn,
    HostName,
    IfEnded,
    IfErrors,
    Objects,
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


def test_columns_are_views_of_one_batch() -> None:
    names = typing.get_args(HostName)
    pool = pool_of({name: HostColumn(name) for name in names} | {"obs": OBS, "ones": Ones()})
    result = pool.reset()
    assert list(result) == [*names, "obs", "ones"]
    assert all(array.shape[0] == 3 for array in result.values())
    owners = {id(array.base) for name, array in result.items() if name != "ones"}
    assert len(owners) == 1
    assert result["ones"].tolist() == [True] * 3 and not result["ones"].flags.writeable
    pool.close()


def test_parts_of_a_dict_come_and_go_in_their_order() -> None:
    def add(into: dict[str, Any], env_id: npt.NDArray[Any]) -> None:
        into["keys"], into["env_id"] = list(into), env_id.tolist()

    parts = (
        {"first": OBS},
        IfErrors({"error": Errors(), "mask": ErrorMask()}),
        IfEnded({"ended": ENDED, "objects": Objects((OBS, {"id": ENV_ID}))}),
        {"last": OBS},
        Extended(add, (ENV_ID,)),
        Extended(add, (Computed(lambda: None, ()), OBS)),  # there is nothing to add
    )
    pool = pool_of(Dict(parts))
    assert pool.reset()["keys"] == ["first", "last"]
    assert pool.step(NO_ACTION)["keys"] == ["first", "last"]
    result = pool.step(NO_ACTION)
    assert result["keys"] == ["first", "ended", "objects", "last"]
    assert result["env_id"] == [0, 1, 2]
    obs, inner = result["objects"][1]
    assert np.array_equal(obs, result["first"][1]) and inner == {"id": 1}
    pool.close()


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


def test_a_failed_environment_has_the_whole_tree() -> None:
    throw = 1
    pool = native("Faulty", num_envs=2, tree=(Computed(np.shape, (OBS,)), ENV_ID))
    pool.reset()
    with pytest.raises(EnvError) as caught:
        pool.step(np.full(2, throw))
    shape, env_id = caught.value.result
    assert shape == (2,) and env_id.tolist() == [0, 1]
    pool.close()
