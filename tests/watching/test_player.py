"""Pause, one step, another speed, back in time; and what goes wrong meanwhile."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from parallel_pool.errors import OptionError, UnknownEnvError
from parallel_pool.pool_errors import NotOfferedError
from parallel_pool_watch.live.history import History
from parallel_pool_watch.live.player import Player
from parallel_pool_watch.watch import Watch, WatchState
from test_envs.watched import player

pytest.importorskip("parallel_pool_classic")


def until(playing: Player, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    end = time.monotonic() + 60
    while not condition(status := playing.status()):
        assert time.monotonic() < end, status
        time.sleep(0.01)
    return status


def at(step: int) -> Callable[[dict[str, Any]], bool]:
    return lambda status: status["step"] == step and status["paused"]


def test_steps_pauses_and_goes_on() -> None:
    with player() as playing:
        until(playing, lambda status: status["step"] > 3)
        playing.order("pause")
        step = until(playing, lambda status: status["paused"])["step"]
        number, picture = playing.frame(0, 5) or (0, b"")
        assert picture.startswith(b"\xff\xd8")
        playing.order("step")
        until(playing, at(step + 1))
        newer = playing.frame(number, 5)
        assert newer is not None
        assert newer[0] > number
        while newer is not None:  # nothing is drawn again while nothing changes
            newer = playing.frame(newer[0], 0.3)
        playing.order("speed", 0)
        playing.order("play")
        status = until(playing, lambda status: status["step"] > step + 300)
        assert status["target"] == 0
        assert status["episodes"]


def test_goes_back_and_on_as_before() -> None:
    with player() as playing:
        playing.order("speed", 200)  # so that all episodes are told of when it pauses
        until(playing, lambda status: status["step"] > 60)
        playing.order("pause")
        status = until(playing, lambda status: status["paused"])
        last, episodes = status["step"], status["episodes"]
        assert episodes[0].step < 41 < last
        assert (status["first"], status["furthest"]) == (0, last)
        for step in (17, 0, 40):
            playing.order("go_to", step)
            assert until(playing, at(step))["furthest"] == last
        playing.order("step")
        status = until(playing, at(41))
        assert status["furthest"] == 41  # another future may begin here
        assert status["episodes"] == [each for each in episodes if each.step <= 41]
        for step in range(42, last + 1):
            playing.order("step")
            until(playing, at(step))
        assert playing.status()["episodes"] == episodes
        playing.order("go_to", 10**9)
        assert until(playing, at(last))["furthest"] == last


def test_keeps_to_a_speed() -> None:
    with player() as playing:
        playing.order("speed", 5)
        until(playing, lambda status: status["target"] == 5)
        before, began = playing.status()["step"], time.monotonic()
        time.sleep(1)
        after = until(playing, lambda status: len(status["speeds"]) > 2)["step"]
        assert after - before <= 5 * (time.monotonic() - began) + 3


@pytest.mark.parametrize(
    "order",
    [
        ("play", 1),
        ("fly",),
        ("go_to", -1),
        ("go_to", 1.5),
        ("go_to", None),
        ("speed", "1"),
        ("speed", -1),
    ],
)
def test_other_orders_are_refused(order: tuple[Any, ...]) -> None:
    with player() as playing, pytest.raises(OptionError, match="no such order"):
        playing.order(*order)


def test_what_cannot_be_made_is_an_error_at_once() -> None:
    with pytest.raises(UnknownEnvError), player("FrozenLoch-v1"):
        pass


def test_what_cannot_be_drawn_is_an_error_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def picture(_: Watch) -> Any:
        raise RuntimeError("no OpenGL")

    monkeypatch.setattr(Watch, "picture", picture)
    with pytest.raises(RuntimeError, match="no OpenGL"), player():
        pass


def test_a_policy_that_fails_pauses_and_is_told_of() -> None:
    def find(_: Any) -> Any:
        return lambda observations, step: np.full(len(observations), 9 if step == 5 else 0)

    with player("FrozenLake-v1", find) as playing:
        status = until(playing, lambda status: status["error"] is not None)
        assert status["paused"]
        assert status["step"] == 5
        assert "the policy's actions at step 5 were refused" in status["error"]
        playing.order("go_to", 2)
        assert until(playing, at(2))["error"] is None


def test_environments_that_cannot_be_saved_have_no_past(monkeypatch: pytest.MonkeyPatch) -> None:
    def save(_: Watch) -> Any:
        raise NotOfferedError("cannot be saved, because")

    monkeypatch.setattr(Watch, "save", save)
    with player() as playing:
        status = until(playing, lambda status: status["step"] > 2)
        assert status["no_states"] == "cannot be saved, because"
        assert status["first"] is None
        playing.order("go_to", 0)
        until(playing, lambda later: later["step"] > status["step"])


def test_every_second_one_goes_where_memory_runs_out() -> None:
    """Of earlier moments."""
    history = History(limit_bytes=2000)
    for step in range(1000):
        if history.due(step):  # each counts as 100 bytes
            moment = step, [b"x" * 100], *[np.zeros(0)] * 5, []
            history.add(WatchState(*moment))
    found = [history.at(step) for step in range(1000)]
    assert history.every == 64
    assert [each and each.step for each in found] == [step // 64 * 64 for step in range(1000)]
