"""Ids that a program registers as EnvPool's do: by the names of classes of a module."""

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from parallel_pool import envpool
from parallel_pool.envpool import legacy
from parallel_pool_envpool import registered


@pytest.fixture(autouse=True)
def _module(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    module = ModuleType("my_envs")
    module.CountSpec = type(envpool.make_spec("test/Count-v0"))  # type: ignore[attr-defined]
    module.CountDM = envpool.DMEnvPool  # type: ignore[attr-defined]
    module.CountGym = envpool.GymnasiumEnvPool  # type: ignore[attr-defined]
    module.OldGym = legacy.GymEnvPool  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_envs", module)
    monkeypatch.setattr(registered, "_entries", {})
    yield


def test_registered_ids_are_made() -> None:
    envpool.register(
        "Registered-v0",
        "my_envs",
        "CountSpec",
        "CountDM",
        "CountGym",
        aliases=["RegisteredToo-v0"],
        max_count=2,
    )
    assert envpool.list_all_envs()[-2:] == ["Registered-v0", "RegisteredToo-v0"]
    assert envpool.make_spec("RegisteredToo-v0").config.max_count == 2
    with envpool.make("Registered-v0", "gym", num_envs=2) as pool:
        assert isinstance(pool, envpool.GymnasiumEnvPool)
        assert pool.config["max_count"] == 2
    with envpool.make_dm("Registered-v0", max_count=4) as pool:
        assert isinstance(pool, envpool.DMEnvPool)
        assert pool.config["max_count"] == 4
    with pytest.raises(TypeError, match="foo"):
        envpool.make_gym("Registered-v0", foo=1)


def test_an_id_is_registered_once() -> None:
    arguments = ("my_envs", "CountSpec", "CountDM", "CountGym")
    envpool.register("Registered-v0", *arguments)
    for taken in ("Registered-v0", "CartPole-v1"):
        with pytest.raises(AssertionError, match=f"{taken} is registered already"):
            envpool.register(taken, *arguments)


def test_the_old_register_has_three_dialects() -> None:
    legacy.register("Old-v0", "my_envs", "CountSpec", "CountDM", "OldGym", "CountGym", max_count=2)
    with legacy.make("Old-v0", "gym", gym_reset_return_info=False) as pool:
        assert isinstance(pool, legacy.GymEnvPool)
    with legacy.make("Old-v0", "gymnasium") as pool:
        assert not isinstance(pool, legacy.GymEnvPool)
