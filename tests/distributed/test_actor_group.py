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
from parallel_pool_ray.actor_group import ActorGroup, Answer, Loss, Refusal  # noqa: E402

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

    def refuse(self) -> None:
        raise ValueError("no")

    def end(self) -> None:
        os._exit(1)


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


def test_what_a_call_raises_is_no_loss(actors: ActorGroup) -> None:
    actors.call(1, "refused", "refuse")
    event = next_event(actors)
    assert isinstance(event, Refusal)
    assert isinstance(event.error, ValueError)
    assert actors.losses == 0


def test_an_actor_is_replaced_so_often_and_no_more(actors: ActorGroup) -> None:
    for generation in range(3):
        for token in ("end", "lost with it"):
            actors.call(0, token, "end")
        event = next_event(actors)
        assert event.tokens == ["end", "lost with it"]
        assert event.final == (generation == 2)
    assert actors.is_gone(0)
    actors.call(1, "other", "begin")
    assert next_event(actors).value == (1, 0)


def test_actors_that_never_begin(cluster: Any) -> None:
    actors = made(NeverBegins)
    with refused(LostPoolError, "could not begin"):
        actors.begin()
    actors.close()


def test_nothing_to_wait_for_is_no_waiting(actors: ActorGroup) -> None:
    actors.wait(None)
    assert not actors.events
