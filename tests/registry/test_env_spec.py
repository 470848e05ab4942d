"""What EnvSpec accepts, and how precisely it refuses. In this process: nothing is discovered."""

import pickle
from typing import Any

import pytest
from parallel_pool.plugin_api import EnvSpec


@pytest.mark.parametrize(
    "id", ["atari/Pong-v5", "my-env/A.b-v0", "my_env2/A:b-v10", "x/3d-v1", "dmc/HumanoidCMURun-v1"]
)
def test_good_ids(id: str) -> None:
    assert EnvSpec(id).id == id
    assert EnvSpec(id).native_id == id
    assert EnvSpec(id).family == id.split("/")[0]


@pytest.mark.parametrize(
    "id", ["Pong-v5", "atari/Pong", "atari/Pong-v", "atari/Pong-v05", "/Pong-v5", "atari/-v5", ""]
)
def test_bad_ids(id: str) -> None:
    with pytest.raises(ValueError, match="family/Name-vN"):
        EnvSpec(id)


def test_bad_family() -> None:
    with pytest.raises(ValueError, match="'ALE' is not a family name"):
        EnvSpec("ALE/Pong-v5")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"aliases": "Pong-v5"}, "aliases must be tuple or list"),
        ({"aliases": ("a b",)}, "alias 'a b'"),
        ({"tags": "x"}, "tags must be tuple or list"),
        ({"options": [1]}, "options must be Mapping"),
        ({"envpool_info": ["x"]}, "envpool_info must be Mapping"),
        ({"envpool_options": ["x"]}, "envpool_options must be Mapping"),
        ({"network_options": ["x"]}, "network_options must be Mapping"),
        ({"summary": None}, "summary must be str"),
        ({"native": "Game"}, "'Game' is not an environment id"),
        ({"backend": "gpu"}, "backend is 'native' or 'python'"),
        ({"max_episode_steps": 0}, "max_episode_steps is None or at least 1"),
    ],
)
def test_bad_fields(fields: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        EnvSpec("a/B-v0", **fields)


def test_is_a_value() -> None:
    options = {"rom": "pong"}
    spec = EnvSpec("a/B-v0", options=options, aliases=["C-v0"])  # type: ignore[arg-type]
    options["rom"] = "changed"
    assert spec.options == {"rom": "pong"}
    assert spec.aliases == ("C-v0",)
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert hash(spec) == hash(pickle.loads(pickle.dumps(spec)))
    with pytest.raises(AttributeError):
        spec.id = "x"  # type: ignore[misc]
