"""Infos that Gymnasium's layout has no place for: they cost their key at most, and never a row."""

import re
import warnings
from functools import partial
from typing import Any

import numpy as np
import parallel_pool
import pytest
from gymnasium.vector import SyncVectorEnv
from parallel_pool import LostInfoWarning
from test_envs.python_envs import Make, same
from test_envs.telling import ODD, TELLING, Telling, plain, told

JOINED = [
    (0, float("nan"), np.float64),
    (3, 2.5, np.float64),
    (True, 2, np.int64),
    (np.float32(1), 1 / 3, np.float64),
    (np.zeros(2, np.int8), np.full(2, 0.5), np.float64),
    (np.array(["a"]), np.array(["abc"]), np.dtype("<U3")),
    (np.zeros(3), [1, 2, 3], np.float64),
]
"""The same, with a dtype that holds both."""


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_values_of_no_common_kind_are_objects(make: Make, mode: str) -> None:
    with told(make, {}, {}, autoreset_mode=mode) as pool:
        pool.reset()
        pool.set_attr("ends", mode == "SameStep")
        for step, (one, two) in enumerate(ODD, 1):
            pool.set_attr("gives", [{"odd": one, "fine": 1}, {"odd": two, "fine": 2}])
            obs, reward, _, _, info = pool.step([0, 0])
            if mode == "SameStep":
                assert reward.tolist() == [1, 1]
                assert info["final_obs"][1].tolist() == [1]
                infos = [info, info["final_info"]]
            else:
                assert obs.tolist() == [[step], [step]]
                infos = [info]
            for each in infos:
                assert each["odd"].dtype == object
                same(list(each["odd"]), [one, two])
                assert each["_odd"].tolist() == [True, True]
                assert each["fine"].tolist() == [1, 2]


def test_no_value_is_bent_to_the_type_of_another(make: Make) -> None:
    with told(make, {}, {}, {}) as pool:
        for one, two, dtype in JOINED:
            pool.set_attr("gives", [{}, {"odd": one}, {"odd": two}])
            _, info = pool.reset()
            assert info["odd"].dtype == dtype
            same(info["odd"][1:].tolist(), plain([one, two]))
            assert info["_odd"].tolist() == [False, True, True]


def test_what_is_alike_stays_as_in_gymnasium(make: Make) -> None:
    gives = [{"b": [1, 2], "c": "x", "d": {"e": 1, "f": None}, 3: 4.5}, {}, {"d": {"e": 2}, 3: 1.5}]
    theirs = SyncVectorEnv([partial(Telling, each) for each in gives])
    with told(make, *gives) as pool:
        (_, mine), (_, info) = pool.reset(), theirs.reset()
        same(mine, info)
        same(pool.step([0] * 3)[4], theirs.step([0] * 3)[4])


def test_an_info_that_contains_itself(make: Make) -> None:
    with told(make, {"self": "itself", "fine": 1}, {"fine": 2}) as pool:
        _, info = pool.reset()
        assert info["self"][0]["fine"] == 1
        assert info["self"][0]["self"]["self"]["fine"] == 1
        assert info["self"][1] is None
        assert info["fine"].tolist() == [1, 2]
        assert pool.step([0, 0])[0].tolist() == [[1], [1]]


def test_the_mask_of_a_key_stays(make: Make) -> None:
    gives = {"t": 1, "_t": 7, "in": {"t": 1, "_t": 7}}, {"_t": "x"}, {"t": 3}
    with told(make, *gives) as pool:
        with pytest.warns(
            LostInfoWarning, match=r"info\['_t'\] of environment 0 .*mask of 't'"
        ) as caught:
            _, info = pool.reset()
        assert len(caught) == 1
        for each, rows in ((info, [True, False, True]), (info["in"], [True, False, False])):
            assert each["_t"].tolist() == rows
            assert "__t" not in each
    with told(make, {"_t": 7}) as pool:  # no mask of another
        assert pool.reset()[1]["_t"].tolist() == [7]


def test_what_cannot_be_opened_is_lost_alone() -> None:
    gives = [{"a": "gone", "b": 1}, {"a": {"in"}, "b": 2}]
    with told(parallel_pool.make, *gives, isolation="process") as pool:
        with pytest.warns(
            LostInfoWarning, match=r"info\['a'\] of environment 0 .*No such file"
        ) as caught:
            _, info = pool.reset()
            obs, *_, stepped = pool.step([0, 0])
        assert len(caught) == 1
        assert obs.tolist() == [[1], [1]]
        for each in (info, stepped):
            assert each["b"].tolist() == [1, 2]
            assert each["a"].tolist() == [None, {"in"}]
            assert each["_a"].tolist() == [False, True]
        with pytest.raises(
            parallel_pool.EnvAccessError, match="environment 1: its answer to 'gone'"
        ):
            pool.call_of([1], "gone")


def test_what_cannot_be_sent_names_its_environment() -> None:
    gives = [{"a": 1}, {"a": "stays", "b": 3}, {"a": "stays"}]
    with (
        parallel_pool.make(
            TELLING, num_threads=2, env_options={"gives": gives}, isolation="process"
        ) as pool,
        warnings.catch_warnings(record=True, action="always") as caught,
    ):
        pool.reset()
        info = pool.step([0, 0, 0])[4]
    assert info["a"].tolist() == [1, 0, 0]
    assert info["b"].tolist() == [0, 3, 0]
    said = [str(each.message) for each in caught]
    assert 1 <= len(said) <= 2, "each worker has an object at another address"
    for each in said:
        assert re.search(
            r"environment [12]: info\['a'\] is a .*Unsendable, which cannot be sent", each
        )


def test_infos_replace_none_of_the_pools_own(make: Make) -> None:
    with told(make, {"env_id": 777, "own": 1}, {"env_id": 777, "own": 1}) as pool:
        with pytest.warns(LostInfoWarning, match="'env_id'.*rename it"):
            _, info = pool.reset()
        assert info["env_id"].tolist() == [0, 1]
        assert info["own"].tolist() == [1, 1]
        pool.set_attr("gives", {"elapsed_step": 777})
        with pytest.warns(LostInfoWarning, match="'elapsed_step'") as said:
            for step in range(3):
                assert pool.step([0, 0])[-1]["elapsed_step"].tolist() == [step + 1] * 2
        assert len(said) == 1


def test_warnings_that_are_errors_lose_no_row(make: Make) -> None:
    with told(make, {"t": 1, "_t": 7, "env_id": 3}) as pool, warnings.catch_warnings():
        warnings.simplefilter("error", LostInfoWarning)
        with pytest.raises(LostInfoWarning, match="env_id"):
            pool.reset()
        assert pool.recv()[4]["t"].tolist() == [1]
        assert pool.step([0])[0].tolist() == [[1]]


class NoName(str):
    __slots__ = ()

    def __format__(self, _: str) -> str:
        raise ValueError("no name")


def test_infos_of_which_nothing_can_be_made_cost_no_row(make: Make) -> None:
    with told(make, {NoName("a"): 1}, {"b": 2}) as pool:
        with pytest.warns(
            LostInfoWarning, match="infos of Python environments are left out.*no name"
        ):
            pool.reset()
        obs, *_, info = pool.step([0, 0])
        assert obs.tolist() == [[1], [1]]
        assert info["env_id"].tolist() == [0, 1]


def test_infos_of_one_environment_each(make: Make) -> None:
    from parallel_pool_learning.infos import fill_rows

    with told(make, {"odd": 1}, {"odd": None, "t": {"a": 2}}) as pool:
        _, info = pool.reset()
        rows: list[dict[str, Any]] = [{}, {}]
        fill_rows(rows, info, leave_out=("env_id", "elapsed_step", "worker_crashed"))
        assert rows == [{"odd": 1}, {"odd": None, "t": {"a": 2}}]
        pool.set_attr("gives", [{"time": np.timedelta64(3, "ns")}, {}])
        fill_rows(rows, pool.reset()[1], leave_out=("env_id", "elapsed_step", "worker_crashed"))
        same(rows[0]["time"], np.timedelta64(3, "ns"))
    given = {3: "x", "odd": 2**80, "time": np.timedelta64(3, "ns")}
    env = parallel_pool.SingleEnv(TELLING, gives=given)
    one: dict[Any, Any] = env.reset()[1]
    assert (one[3], one["odd"]) == ("x", 2**80)
    same(one["time"], given["time"])
    env.close()


def test_partial_resets_fill_objects_with_none(make: Make) -> None:
    gives = [{"name": "a", "number": 1}, {"name": "b", "number": 2}, {}]
    theirs = SyncVectorEnv([partial(Telling, each) for each in gives])
    with told(make, *gives) as pool:
        pool.reset(), theirs.reset()
        for mask in (np.array([False, True, True]), np.array([False, False, True])):
            (_, mine), (_, info) = (
                each.reset(options={"reset_mask": mask.copy()}) for each in (pool, theirs)
            )
            same(mine, info)
