"""Each id is resolved once, whatever view is made of it."""

from collections.abc import Callable
from typing import Any

import gymnasium
import parallel_pool.envpool as envpool
import parallel_pool.envpool.legacy as legacy
import parallel_pool.gymnasium
import pytest
from parallel_pool.pettingzoo import parallel_env
from parallel_pool.registry import Registry
from parallel_pool_learning.cleanrl import make_vec_env
from parallel_pool_watch.watch import make_filmed

CARTPOLE = "CartPole-v1"
VIEWS = ("make", "make_gym", "make_dm", "make_spec", "SingleEnv", "SingleDmEnv")
OTHERS = (envpool.make_gymnasium, envpool.make_dm, legacy.make_gym, make_vec_env, make_filmed)
LAYOUT = ["Blackjack-v1", "classic/BlackjackBox-v1"]
"""The id that was asked for, and the one that EnvPool's layout has."""
MIXED = [CARTPOLE, f"classic/{CARTPOLE}"]


@pytest.mark.parametrize(
    ("make", "task_id", "expected"),
    [
        *((getattr(parallel_pool, name), CARTPOLE, [CARTPOLE]) for name in VIEWS),
        *((make, CARTPOLE, [CARTPOLE]) for make in OTHERS),
        *((make, MIXED[1], MIXED[1:]) for make in (gymnasium.make, gymnasium.make_vec)),
        (parallel_env, "TwoPlayerPong-v0", ["TwoPlayerPong-v0"]),
        (parallel_pool.make, MIXED * 3, MIXED),
        (parallel_pool.make_gym, "Blackjack-v1", LAYOUT),
    ],
)
def test_an_id_is_resolved_once(
    make: Callable[..., Any], task_id: Any, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
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
