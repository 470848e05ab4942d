"""EnvPool's pool in Gymnasium's words, attribute by attribute."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from parallel_pool import envpool
from parallel_pool.envpool import legacy
from parallel_pool.pool_errors import ClosedPoolError, NothingPendingError
from test_envs.pools import begun


def make(name: str = "Count", **arguments: Any) -> Any:
    return envpool.make_gymnasium(f"test/{name}-v0", **arguments)


def test_spaces_are_of_one_environment() -> None:
    with make("Count", num_envs=4) as pool:
        assert pool.action_space == pool.single_action_space == gymnasium.spaces.Discrete(3)
        assert pool.observation_space == pool.single_observation_space
        assert pool.observation_space.shape == ()
        assert (pool.num_envs, len(pool), pool.is_vector_env) == (4, 4, True)
        assert pool.all_env_ids.tolist() == [0, 1, 2, 3]
        assert pool.all_env_ids.dtype == np.int32
        assert pool.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        assert pool.unwrapped is pool


def test_reset_and_step() -> None:
    with make("Count", num_envs=3, scale=0.1, max_count=2) as pool:
        obs, info = pool.reset()
        assert obs.tolist() == [0, 0, 0]
        assert set(info) == {"env_id", "players", "elapsed_step", "total"}
        assert info["env_id"].dtype == info["players"]["env_id"].dtype == np.int32
        assert info["env_id"].tolist() == info["players"]["env_id"].tolist() == [0, 1, 2]
        obs, reward, terminated, truncated, info = pool.step(np.array([0, 1, 2]))
        assert reward.dtype == np.float32
        assert reward.tolist() == np.float32([0, 0.1, 0.2]).tolist()
        assert terminated.dtype == truncated.dtype == np.bool_
        assert info["elapsed_step"].tolist() == [1, 1, 1]
        assert "TimeLimit.truncated" not in info
        _, _, terminated, *_, info = pool.step(np.array([1, 1, 1]))
        assert terminated.all()
        assert "episode" not in info
        obs, reward, terminated, _, info = pool.step(np.array([1, 1, 1]))
        assert obs.tolist() == reward.tolist() == info["elapsed_step"].tolist() == [0, 0, 0]


def test_some_environments() -> None:
    with begun(make("Count", num_envs=3)) as pool:
        obs, _, _, _, info = pool.step(np.array([1, 1]), np.array([2, 0]))
        assert info["env_id"].tolist() == [2, 0]
        assert pool.reset(np.array([2]))[0].tolist() == [0]
        assert pool.reset([0])[1]["env_id"].tolist() == [0]
        obs, info = pool.reset(options={"reset_mask": [True, False, True]})
        assert info["env_id"].tolist() == [0, 2]
        assert len(obs) == 2
        assert len(pool.reset(options={"reset_mask": None})[0]) == 3
        with pytest.raises(ValueError, match="low"):
            pool.reset(options={"low": 1})
        with pytest.raises(ValueError, match="reset_mask"):
            pool.reset(options={"reset_mask": [False] * 3})
        with pytest.raises(ValueError, match="not both"):
            pool.reset(np.array([1]), options={"reset_mask": [True] * 3})


OTHER = np.array([1, 0], np.int32)
ACTIONS: list[tuple[Any, list[int]]] = [
    ({"action": np.array([1, 2], np.int32), "env_id": np.array([1, 0])}, [1, 0]),
    ({"action": np.array([1, 2]), "env_id": np.array([1, 0]), "players.env_id": OTHER}, [1, 0]),
    ({"action": [1, 2], "env_id": [1, 0], "players": {"env_id": [1, 0]}}, [1, 0]),
    ({"players": {"action": [1, 2], "env_id": [1, 0]}}, [1, 0]),
    ({"action": [1, 2, 0]}, [0, 1, 2]),
]


@pytest.mark.parametrize(("action", "ids"), ACTIONS)
def test_actions_may_be_dicts(action: dict[str, Any], ids: list[int]) -> None:
    with begun(make("Count", num_envs=3)) as pool:
        _, reward, _, _, info = pool.step(action)
        assert info["env_id"].tolist() == ids
        assert reward.tolist() == [1, 2, 0][: len(ids)]
        pool.send(action)
        assert pool.recv()[4]["env_id"].tolist() == ids


def test_the_argument_env_id_overrules_the_key() -> None:
    with begun(make("Count", num_envs=3)) as pool:
        result = pool.step({"action": np.array([1]), "env_id": np.array([0])}, np.array([2]))
        assert result[4]["env_id"].tolist() == [2]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"action": [1], "env_id": [0], "players.env_id": [1]}, "players.env_id"),
        ({"actions": [1, 2, 0]}, "expected 'action'"),
        ({"action": [1, 2]}, "shape"),
        ({"action": [1, 2, 9]}, "environment 2 is 9"),
    ],
)
def test_bad_dicts_are_refused(action: dict[str, Any], words: str) -> None:
    with begun(make("Count", num_envs=3)) as pool:
        with pytest.raises(ValueError, match=words):
            pool.step(action)
        assert pool.step(np.zeros(3, int))[0].tolist() == [1, 1, 1]


def test_recv() -> None:
    with make("Count", num_envs=2) as pool:
        pool.async_reset()
        assert len(pool.recv(reset=True)) == 2
        for reset, return_info, parts in ((False, True, 5), (True, True, 2), (True, False, 2)):
            pool.send(np.array([0, 0]))
            assert len(pool.recv(reset, return_info)) == parts
        with pytest.raises(NothingPendingError):
            pool.recv()


def test_seeds_of_resets_count() -> None:
    with make("Walk", num_envs=2, seed=1) as pool:
        first = pool.reset(seed=7)[0].tolist()
        assert pool.reset(seed=[7, 8])[0].tolist() == first


def test_config_and_repr() -> None:
    with make("Count", num_envs=2, max_count=7) as pool:
        config = pool.config
        assert list(config)[:2] == ["num_envs", "batch_size"]
        assert (config["num_envs"], config["max_count"], config["seed"]) == (2, 7, 42)
        config["num_envs"] = 3
        assert pool.config["num_envs"] == 2
        assert str(pool) == repr(pool)
        assert repr(pool).startswith("CountGymnasiumEnvPool(num_envs=2, batch_size=2, ")
        assert "max_count=7" in str(pool)
        assert tuple(pool.spec.config) == tuple(pool.config.values())


def test_attributes_may_be_set() -> None:
    with make("Count", num_envs=2) as pool:
        pool.num_envs = 2
        pool.is_vector_env = True
        pool.single_action_space = pool.action_space
        pool.single_observation_space = pool.observation_space
        pool.spec.id = "Other-v0"
        assert pool.spec.id == "Other-v0"
        pool.spec = None
        assert pool.spec is None


def test_a_pool_is_made_of_a_spec() -> None:
    spec = envpool.make_spec("test/Count-v0", num_envs=2, max_count=3)
    with envpool.GymnasiumEnvPool(spec) as pool:
        assert pool.spec is spec
        assert pool.config["max_count"] == 3


def test_closing() -> None:
    pool = make("Count")
    assert not pool.closed
    pool.close(timeout=3)
    pool.close()
    assert pool.closed
    with pytest.raises(ClosedPoolError):
        pool.reset()


def test_modes_that_envpool_has_not() -> None:
    with begun(make("Count", autoreset_mode="SameStep", max_count=1)) as pool:
        *_, info = pool.step(np.array([0]))
        assert info["final_obs"].tolist() == [1]
        assert pool.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def test_several_players_are_flat() -> None:
    with envpool.make_gymnasium("TwoPlayerPong-v0", num_envs=2) as pool:
        obs, info = pool.reset()
        assert len(obs) == 4
        assert info["players"]["env_id"].tolist() == [0, 0, 1, 1]
        result = pool.step({"players.action": np.zeros(4, int), "env_id": np.array([0, 1])})
        assert result[1].shape == (4,)


def layout(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: layout(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return [layout(each) for each in value], getattr(value, "_fields", None)
    return value.dtype, value.shape[1:]


@pytest.mark.parametrize("maker", [envpool.make_gymnasium, envpool.make_dm, legacy.make_gym])
@pytest.mark.parametrize("task_id", ["CartPole-v1", "test/Count-v0", "test/Types-v0"])
def test_no_environments(maker: Any, task_id: str) -> None:
    with maker(task_id, num_envs=2) as pool:
        action = np.array([pool.spec.gymnasium_action_space.sample() for _ in range(2)])
        for call in (lambda ids: pool.reset(ids), lambda ids: pool.step(action[: len(ids)], ids)):
            if task_id == "test/Types-v0" and call(np.array([], int)) is not None:
                continue  # whose actions are dicts
            whole, empty = call(np.array([0, 1])), call(np.array([]))
            assert layout(empty) == layout(whole)
            leaf = empty
            while isinstance(leaf, (tuple, dict)):
                leaf = next(iter(leaf.values() if isinstance(leaf, dict) else leaf))
            assert len(leaf) == 0
    with envpool.make_gymnasium("CartPole-v1", num_envs=4, batch_size=2) as pool:
        assert pool.is_async
        first = set(pool.reset()[1]["env_id"].tolist())
        assert len(first) == 2
        pool.send(np.zeros(0, int), np.zeros(0, int))
        rest = pool.step(np.zeros(0, int), np.zeros(0, int))[-1]["env_id"].tolist()
        assert first | set(rest) == {0, 1, 2, 3}
        assert len(pool.reset(np.array([]))[0]) == 0


def test_more_actions_than_ids() -> None:
    with begun(make("Count", num_envs=4, max_count=9)) as pool:
        some = np.array([1, 2, 0, 0])
        assert pool.step(some, np.array([2, 0]))[1].tolist() == [1, 2]
        assert pool.step({"action": some, "env_id": np.array([2, 0])})[1].tolist() == [1, 2]
        with pytest.raises(ValueError, match="shape"):
            pool.step(some[:1], np.array([2, 0]))
        with pytest.raises(ValueError, match="shape"):
            pool.step(np.zeros(5, int))
