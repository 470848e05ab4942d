"""nan_action and out_of_bounds_action: what happens to continuous actions that are not as they should be."""

from typing import Any

import numpy as np
import pytest
from test_envs import faulty_pools
from test_envs.checks import refused
from test_envs.pools import begun, make

N = 5
INFINITY = float("inf")
BIGGEST = float(np.finfo(np.float32).max)


@pytest.fixture(autouse=True)
def _faulty(faulty_library: str) -> None:
    """faulty/EchoBatch: bounds -1 .. 1, 0.5 .. 2 and none; shows its action, and the steps of its life."""


def echo(env_type: str = "gymnasium", **arguments: Any) -> Any:
    pool = faulty_pools.faulty("EchoBatch", env_type, num_envs=N, **arguments)
    pool.reset()
    return pool


def action(value: Any = (0, 1, 0), rows: int = N) -> Any:
    return np.tile(np.array(value, float), (rows, 1))


def seen(pool: Any, given: Any) -> list[Any]:
    return pool.step(given)[0][:, :3].tolist()


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g"])
def test_row_11_clip_puts_a_value_of_the_box_in_the_place_of_what_is_no_number(dtype: str) -> None:
    given = action().astype(dtype)
    given[0], given[2], given[3] = np.nan, INFINITY, -INFINITY
    with echo(nan_action="clip") as pool:
        assert seen(pool, given) == [
            [0, 0.5, 0],  # what is nearest to 0
            [0, 1, 0],
            [1, 2, BIGGEST],
            [-1, 0.5, -BIGGEST],
            [0, 1, 0],
        ]
        # The bounds are not for numbers.
        assert seen(pool, action((7, -7, 7))) == [[7, -7, 7]] * N


def test_numbers_too_large_for_the_dtype_count_as_infinite() -> None:
    given = action()
    given[1] = 1e300
    with echo(nan_action="clip") as pool:
        assert seen(pool, given)[1] == [1, 2, BIGGEST]


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i8"])
def test_out_of_bounds_actions_are_clipped(dtype: str) -> None:
    with echo(out_of_bounds_action="clip") as pool:
        assert seen(pool, action((7, 7, 7)).astype(dtype)) == [[1, 2, 7]] * N
        assert seen(pool, action((-7, -7, -7)).astype(dtype)) == [[-1, 0.5, -7]] * N
        assert seen(pool, action((1, 1, 0)).astype(dtype)) == [[1, 1, 0]] * N
        with refused(ValueError, "nan", "not a finite number"):
            pool.step(np.full((N, 3), np.nan))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i8"])
def test_row_12_out_of_bounds_actions_are_refused(dtype: str) -> None:
    with echo(out_of_bounds_action="raise") as pool:
        bad = action((0, 1, 9)).astype(dtype)
        bad[3, 1] = 7
        with refused(ValueError, "element 1", "environment 3", "is 7", "0.5 .. 2.0"):
            pool.step(bad)
        with refused(ValueError, "element 1", "environment 4", "is 7"):
            pool.step(bad[[0, 3]], [1, 4])
        obs = pool.step(action((1, 2, 1e9)))[0]
        assert obs[:, 3].tolist() == [1] * N


def test_nested_actions_too() -> None:
    with begun(make("Types", num_envs=2, nan_action="clip", out_of_bounds_action="clip")) as pool:
        given = pool.action_space.sample()
        given["arm"]["force"] = np.array([[np.nan, 5], [-5, 0.25]])
        assert pool.step(given)[0]["echo"]["arm"]["force"].tolist() == [[0, 1], [-1, 0.25]]
    with begun(make("Types", num_envs=2, nan_action="truncate")) as pool:
        given["arm"]["force"] = np.array([[0.5, 0.5], [np.nan, 0.25]])
        obs, _, _, truncated, info = pool.step(given)
        assert truncated.tolist() == [False, True]
        assert obs["types"]["i4"][:, 0].tolist() == [1, 0]
        assert info["error"].tolist() == [
            None,
            "the action['arm']['force'] (element 0) is nan, not a finite number: "
            "the environment was not stepped",
        ]
        # A call that is refused for another reason leaves nothing behind.
        with refused(ValueError, "['joint']"):
            pool.step({**given, "joint": [9, 9]}, [0, 1])
        pool.reset()
        given["arm"]["force"][:] = 0
        *_, truncated, info = pool.step(given)
        assert not truncated.any()
        assert "error" not in info


def with_nan(*envs: int, ids: Any = range(N)) -> Any:
    given = action((0.25, 1, 3), len(ids))
    for env in envs:
        given[list(ids).index(env), 1] = np.nan
    return given


@pytest.mark.parametrize("env_type", ["gymnasium", "gym"])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_environment_is_not_stepped_and_its_episode_cut_off(env_type: str, threads: int) -> None:
    with echo(env_type, nan_action="truncate", num_threads=threads, seed=0) as pool:
        for count in (1, 2):
            obs, *_, info = pool.step(with_nan())
            assert obs[:, 3].tolist() == [count] * N
            assert "error" not in info
        obs, reward, terminated, truncated, info = pool.step(with_nan(1, 4))
        assert obs[:, 3].tolist() == [3, 2, 3, 3, 2]
        assert obs[1].tolist() == [0.25, 1, 3, 2]  # what it said last
        assert reward.tolist() == [1, 0, 1, 1, 0]
        assert terminated.tolist() == [False] * N
        assert truncated.tolist() == [False, True, False, False, True]
        assert info["elapsed_step"].tolist() == [3, 2, 3, 3, 2]
        assert info["_error"].tolist() == truncated.tolist()
        assert info["error"][[0, 2, 3]].tolist() == [None] * 3
        assert info["error"][4] == (
            "the action (element 1) is nan, not a finite number: the environment was not stepped"
        )
        # They reset, whatever their action; so a NaN is no matter.
        obs, reward, _, truncated, info = pool.step(with_nan(1))
        assert obs[1].tolist() == [0, 0, 0, 2]
        assert reward.tolist() == [1, 0, 1, 1, 0]
        assert not truncated.any()
        assert info["elapsed_step"].tolist() == [4, 0, 4, 4, 0]
        assert "error" not in info
        assert pool.step(with_nan())[0][:, 3].tolist() == [5, 3, 5, 5, 3]


def test_a_kernel_that_steps_more_than_it_has_to_leaves_them_alone() -> None:
    pool = faulty_pools.faulty("EchoEager", num_envs=N, nan_action="truncate", num_threads=1)
    pool.reset()
    pool.step(with_nan())
    assert pool.step(with_nan(0, 3))[0][:, 3].tolist() == [1, 2, 2, 1, 2]
    # This one resets them, and the kernel stepped them before: once, and not twice.
    assert pool.step(with_nan())[0][:, 3].tolist() == [2, 3, 3, 2, 3]
    pool.close()


def test_everybody_and_the_first_step() -> None:
    with echo(nan_action="truncate") as pool:
        obs, reward, _, truncated, info = pool.step(with_nan(*range(N)))
        assert obs.tolist() == [[0] * 4] * N  # what reset said
        assert reward.tolist() == [0] * N
        assert truncated.all()
        assert info["_error"].all()
        assert info["elapsed_step"].tolist() == [0] * N


def test_in_the_dm_view() -> None:
    with echo("dm", nan_action="truncate") as pool:
        pool.observation_spec().error.validate("")
        assert pool.reset().observation.error.tolist() == [""] * N
        pool.step(with_nan())
        answer = pool.step(with_nan(2))
        assert answer.step_type.tolist() == [1, 1, 2, 1, 1]
        assert answer.reward.tolist() == [1, 1, 0, 1, 1]
        assert answer.discount.tolist() == [1] * N
        assert answer.observation.obs[2].tolist() == [0.25, 1, 3, 1]
        assert "is nan" in answer.observation.error[2]
        assert answer.observation.error[[0, 1, 3, 4]].tolist() == [""] * 4
        assert pool.step(with_nan()).step_type.tolist() == [1, 1, 0, 1, 1]


def test_same_step() -> None:
    arguments = {"autoreset_mode": "SameStep", "episode_statistics": True}
    with echo(nan_action="truncate", **arguments) as pool:
        pool.step(with_nan())
        pool.step(with_nan())
        obs, reward, _, truncated, info = pool.step(with_nan(3))
        assert truncated.tolist() == [False, False, False, True, False]
        assert reward[3] == 0
        assert obs[3].tolist() == [0, 0, 0, 2]  # of the next episode
        assert info["final_obs"][3].tolist() == [0.25, 1, 3, 2]
        assert info["final_obs"][0] is None
        assert info["final_info"]["elapsed_step"][3] == 2
        assert info["elapsed_step"].tolist() == [3, 3, 3, 0, 3]
        assert info["episode"]["r"].tolist() == [0, 0, 0, 2, 0]
        assert info["episode"]["l"].tolist() == [0, 0, 0, 2, 0]
        assert "is nan" in info["error"][3]
        assert pool.step(with_nan())[0][:, 3].tolist() == [4, 4, 4, 3, 4]


def test_disabled() -> None:
    from parallel_pool import ResetNeededError

    with echo(nan_action="truncate", autoreset_mode="Disabled") as pool:
        pool.step(with_nan())
        assert pool.step(with_nan(0))[3].tolist() == [True] + [False] * 4
        with refused(ResetNeededError, "environment 0 has ended"):
            pool.step(with_nan())
        pool.reset(options={"reset_mask": np.array([True] + [False] * 4)})
        assert pool.step(with_nan())[4]["elapsed_step"].tolist() == [1, 3, 3, 3, 3]


PARTS: dict[str, dict[str, Any]] = {
    "in turn": {"batch_size": 2, "num_threads": 1},
    "asynchronous": {"batch_size": 2, "num_threads": 2},
    "watched": {"batch_size": 2, "num_threads": 2, "step_timeout": 30},
    "one worker": {"isolation": "process", "num_threads": 1},
    "workers": {"isolation": "process", "num_threads": 2},
    "a worker each": {"isolation": "process", "num_threads": N},
}
"""Pools that step some environments apart from others."""


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(
    ("name", "parts"),
    # The eager one also steps environments that wait for a reset, where none of its shard was refused.
    [*(("EchoBatch", parts) for parts in PARTS), ("EchoEager", "one worker")],
)
def test_each_environments_rows_are_the_same_in_any_company(
    name: str, parts: str, mode: str
) -> None:
    def rows(**arguments: Any) -> list[list[Any]]:
        """Of each environment, of whose actions every fourth is refused, or comes when it resets."""
        found: list[list[Any]] = [[] for _ in range(N)]
        arguments |= {"num_envs": N, "nan_action": "truncate", "autoreset_mode": mode, "seed": 0}
        with faulty_pools.faulty(name, **arguments) as pool:
            pool.async_reset()
            while min(map(len, found)) < 30:
                *columns, info = pool.recv()
                assert ("error" in info) == columns[3].any()
                ids = info["env_id"].tolist()
                columns += [info["elapsed_step"], info.get("error", np.full(len(ids), None))]
                for env, *row in zip(ids, *(each.tolist() for each in columns), strict=True):
                    found[env].append(row)
                bad = [env for env in ids if (env + len(found[env])) % 4 == 0]
                pool.send(with_nan(*bad, ids=ids), ids)
        return found

    for mine, theirs in zip(rows(**PARTS[parts]), rows(num_threads=1), strict=True):
        assert mine[:30] == theirs[:30]


def test_a_single_environment() -> None:
    from parallel_pool.views.single import SingleEnv
    from parallel_pool.views.single_dm import SingleDmEnv

    faulty_pools.faulty("EchoBatch").close()  # registers it
    env = SingleEnv("faulty/EchoBatch-v0", nan_action="truncate")
    env.reset()
    *_, truncated, info = env.step(np.array([np.nan, 1, 0]))
    assert truncated is True
    assert "is nan" in info["error"]
    dm = SingleDmEnv("faulty/EchoBatch-v0", nan_action="truncate")
    dm.reset()
    assert dm.step(np.array([np.nan, 1, 0])).last()
