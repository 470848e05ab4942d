"""Fragments are taken in the order in which they came, of all actors or of one."""

from typing import Any

from test_envs.libraries import needed

needed("ray")

from parallel_pool_ray.arrivals import Arrivals  # noqa: E402


def taken(arrivals: Arrivals, actor: int | None) -> Any:
    assert actor is not None
    fragment = arrivals.first_of(actor)
    arrivals.drop_first_of(actor)
    return fragment["number"]


def test_in_the_order_of_their_coming_or_of_one_actor() -> None:
    arrivals = Arrivals(3)
    assert arrivals.first_actor() is None
    for actor, numbers in ((1, (0, 1)), (0, (2,)), (1, (3,)), (2, (4,))):
        arrivals.add(actor, [{"number": each} for each in numbers])
    assert [arrivals.count(actor) for actor in range(3)] == [1, 3, 1]
    assert taken(arrivals, 0) == 2
    assert taken(arrivals, 2) == 4
    assert [taken(arrivals, arrivals.first_actor()) for _ in range(3)] == [0, 1, 3]
    assert arrivals.first_actor() is None
    arrivals.add(0, [{"number": 5}])
    arrivals.clear()
    assert (arrivals.first_actor(), arrivals.count(0)) == (None, 0)
