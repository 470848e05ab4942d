"""Actors that are replaced, whatever they are."""

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from test_envs.checks import refused
from test_envs.libraries import needed

ray = needed("ray")

from parallel_pool_ray import LostPoolError  # noqa: E402
from parallel_pool_ray.actor_group import ActorGroup, Answer, Loss  # noqa: E402

# Actors do not find this module, so what it defines travels as it is.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])


class Worker:
    def __init__(self, number: int, generation: int) -> None:
        self.identity = number, generation

    def begin(self) -> tuple[int, int]:
        return self.identity

    def fill(self) -> None:
        """Where an answer does not fit, Ray raises this in its place."""
        raise ray.exceptions.ObjectStoreFullError("no room")


class NeverBegins(Worker):
    def __init__(self, number: int, generation: int) -> None:
        os._exit(1)


def made(actor: type, **arguments: Any) -> ActorGroup:
    how: dict[str, Any] = {"timeout": 30.0, "start_timeout": 60.0, "max_restarts": 2, **arguments}
    return ActorGroup(
        actor,
        2,
        arguments=lambda number, generation: (number, generation),
        resources={"CPU": 1},
        strategy="PACK",
        **how,
    )


@pytest.fixture
def actors(cluster: Any) -> Iterator[ActorGroup]:
    actors = made(Worker)
    assert actors.begin() == [(0, 0), (1, 0)]
    yield actors
    actors.close()


def next_event(actors: ActorGroup) -> Any:
    actors.wait(60)
    return actors.events.popleft()


def test_an_answer_that_does_not_fit_counts_as_a_loss(actors: ActorGroup) -> None:
    actors.call(0, "full", "fill")
    event = next_event(actors)
    assert isinstance(event, Loss)
    assert (event.pool, event.tokens, event.final) == (0, ["full"], False)
    assert "ObjectStoreFullError" in event.cause
    actors.call(0, "again", "begin")
    event = next_event(actors)
    assert isinstance(event, Answer)
    assert (event.token, event.value) == ("again", (0, 1))


def test_actors_that_never_begin(cluster: Any) -> None:
    actors = made(NeverBegins)
    with refused(LostPoolError, "could not begin"):
        actors.begin()
    actors.close()
