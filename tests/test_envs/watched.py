"""Players and pages for the tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from parallel_pool_watch.live.page import PageServer, as_jpeg
from parallel_pool_watch.live.player import Player
from parallel_pool_watch.policies import random_policy
from parallel_pool_watch.watch import Watch


def player(
    task_id: str = "FrozenLake-v1", policy: Any = lambda space: random_policy(space, 0)
) -> Player:
    return Player(lambda: Watch(task_id, 4, policy, width=240), as_jpeg)


@contextmanager
def served(*arguments: Any) -> Iterator[PageServer]:
    with player(*arguments) as playing, PageServer(playing) as server, server.serving():
        yield server
