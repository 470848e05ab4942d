"""Each id is resolved once, whatever view is made of it."""

from collections.abc import Callable
from typing import Any

import parallel_pool
import parallel_pool.envpool as envpool
import parallel_pool.envpool.legacy as legacy
import pytest
from parallel_pool.pettingzoo import parallel_env
from parallel_pool.registry import Registry

CARTPOLE = "CartPole-v1"
MAKERS: dict[str, tuple[Callable[..., Any], Any, list[str]]] = {
    "gymnasium": (parallel_pool.make, CARTPOLE, [CARTPOLE]),
    "gym": (parallel_pool.make_gym, CARTPOLE, [CARTPOLE]),
    "dm": (parallel_pool.make_dm, CARTPOLE, [CARTPOLE]),
    "spec": (parallel_pool.make_spec, CARTPOLE, [CARTPOLE]),
    "single": (parallel_pool.SingleEnv, CARTPOLE, [CARTPOLE]),
    "single_dm": (parallel_pool.SingleDmEnv, CARTPOLE, [CARTPOLE]),
    "players": (parallel_env, "TwoPlayerPong-v0", ["TwoPlayerPong-v0"]),
    "envpool": (envpool.make_gymnasium, CARTPOLE, [CARTPOLE]),
    "envpool_dm": (envpool.make_dm, CARTPOLE, [CARTPOLE]),
    "envpool_legacy": (legacy.make_gym, CARTPOLE, [CARTPOLE]),
    "mixed": (
        parallel_pool.make,
        [CARTPOLE, f"classic/{CARTPOLE}"] * 3,
        [CARTPOLE, f"classic/{CARTPOLE}"],
    ),
    # The id that was asked for, and the one that EnvPool's layout has.
    "layout": (parallel_pool.make_gym, "Blackjack-v1", ["Blackjack-v1", "classic/BlackjackBox-v1"]),
}


@pytest.mark.parametrize("name", MAKERS)
def test_an_id_is_resolved_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, task_id, expected = MAKERS[name]
    asked: list[str] = []
    resolve = Registry.resolve

    def counted(self: Registry, each: str) -> Any:
        asked.append(each)
        return resolve(self, each)

    monkeypatch.setattr(Registry, "resolve", counted)
    made = make(task_id)
    if hasattr(made, "close"):
        made.close()
    assert asked == expected
