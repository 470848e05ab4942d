"""Results are what a tree of typed nodes says; a new kind of node is a struct and a dataclass."""

import gc
import importlib.util
import sysconfig
import typing
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pybind11
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
    Node,
    Objects,
    Ones,
    PlayerColumn,
    TakenInfos,
    Tree,
)
from test_envs.checks import refused
from test_envs.compiling import compile_plugin
from test_envs.pools import native

CORE = Path(__file__).parents[2] / "core/src"
OBS, ENV_ID, ENDED = FieldColumn(0), HostColumn("env_id"), HostColumn("ended")
NO_ACTION = np.zeros(3, np.int64)


def pool_of(tree: Tree, **arguments: Any) -> Any:
    """Three environments that count their steps; episodes are two steps long."""
    return native("Count", num_envs=3, tree=tree, max_episode_steps=2, **arguments)


@dataclass(frozen=True)
class RunningNormalisation(Node):
    """An array as float32, normalised by the mean and variance of all its rows so far."""

    source: Tree
    epsilon: float = 1e-8


@pytest.fixture(scope="module")
def running_normalisation(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Makes its C++ struct, of running_normalisation.cpp, known to the core."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    path = tmp_path_factory.mktemp("leaf") / f"running_normalisation{suffix}"
    folders = (sysconfig.get_path("include"), pybind11.get_include())
    compile_plugin(
        Path(__file__).with_name("running_normalisation.cpp"),
        path,
        include=str(CORE),
        flags=["-O0", *(flag for folder in folders for flag in ("-isystem", folder))],
    )
    spec = importlib.util.spec_from_file_location("running_normalisation", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    _core.register_node(RunningNormalisation, module.KIND)


def test_a_new_leaf_is_a_struct_and_a_dataclass(running_normalisation: None) -> None:
    """It is built once for each batch, and its statistics go on from reset to steps."""
    normalised = RunningNormalisation(OBS)
    tree = (OBS, normalised, {"again": normalised}, ENV_ID)
    pool = native("Walk", num_envs=5, tree=tree)
    seen: list[npt.NDArray[Any]] = []
    result = pool.reset()
    for step in range(20):
        obs, shown, others, env_id = result
        seen.append(np.asarray(obs, np.float64))
        rows = np.concatenate(seen)
        expected = (seen[-1] - rows.mean(0)) / np.sqrt(rows.var(0) + 1e-8)
        assert shown.dtype == np.float32 and shown.shape == obs.shape
        np.testing.assert_allclose(shown, expected, rtol=1e-6, atol=1e-6)
        assert others["again"] is shown
        result = pool.step(env_id % 3 if step % 2 else (env_id + step) % 3)
    pool.close()


def test_each_object_has_statistics_of_its_own(running_normalisation: None) -> None:
    one, two = RunningNormalisation(OBS), RunningNormalisation(OBS)
    pool = native("Walk", num_envs=5, tree=(one, two))
    first, second = pool.reset()
    assert first is not second and np.array_equal(first, second)
    pool.close()


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
        _core.register_node(RunningNormalisation, object())
    with refused(ValueError, "was not made by node_kind()"):
        _core.register_node(RunningNormalisation, np._core._multiarray_umath._ARRAY_API)


def test_a_failed_environment_has_the_whole_tree() -> None:
    throw = 1
    pool = native("Faulty", num_envs=2, tree=(Computed(np.shape, (OBS,)), ENV_ID))
    pool.reset()
    with pytest.raises(EnvError) as caught:
        pool.step(np.full(2, throw))
    shape, env_id = caught.value.result
    assert shape == (2,) and env_id.tolist() == [0, 1]
    pool.close()
