"""The ids of Gym's versions 0 and 4: the error says which call gives the same environment."""

import re
from typing import Any

import parallel_pool
import pytest
from parallel_pool.registry import registry
from parallel_pool_atari._games import ale_name

ale_py = pytest.importorskip("ale_py")
gymnasium = pytest.importorskip("gymnasium")
gymnasium.register_envs(ale_py)

OLD = sorted(
    name
    for name, spec in gymnasium.registry.items()
    if str(spec.entry_point).startswith("ale_py.") and not name.startswith("ALE/")
)


def answers(task_id: str) -> list[tuple[str, dict[str, Any]]]:
    with pytest.raises(parallel_pool.UnknownEnvError) as refused:
        parallel_pool.make(task_id)
    calls = re.findall(r"make\(.*?\)", str(refused.value))
    return [eval(call, {"make": lambda name, **options: (name, options)}) for call in calls]


def test_every_old_id_is_answered_with_its_options() -> None:
    assert len(OLD) > 200
    for name in OLD:
        (same, options), (usual, _) = answers(name)
        theirs = gymnasium.registry[name].kwargs
        skip = options["frameskip"]
        if "frameskip_high" in options:
            skip = (skip, options["frameskip_high"])
        assert same == f"ALE/{ale_name(theirs['game'])}-v5"
        assert skip == theirs["frameskip"]
        assert options["repeat_action_probability"] == theirs["repeat_action_probability"]
        assert registry().resolve(same).spec.options["game"] == theirs["game"]
        assert registry().resolve(usual).spec.options["game"] == theirs["game"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Pong-ram-v4", {"obs_type": "ram", "frameskip": 2, "frameskip_high": 5}),
        ("Pong-ramNoFrameskip-v0", {"obs_type": "ram", "frameskip": 1}),
        ("pongdeterministic-v4", {"frameskip": 4}),
    ],
)
def test_ids_that_ale_py_has_no_more(name: str, expected: dict[str, Any]) -> None:
    task_id, options = answers(name)[0]
    sticky = 0.25 if name.endswith("v0") else 0.0
    assert (task_id, options) == ("ALE/Pong-v5", {**expected, "repeat_action_probability": sticky})


def test_the_card_game_is_not_the_consoles() -> None:
    with pytest.raises(parallel_pool.UnknownEnvError, match=r"there is .*classic/Blackjack-v1"):
        parallel_pool.make("Blackjack-v0")
