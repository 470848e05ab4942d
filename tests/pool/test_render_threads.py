"""Threads that draw: one renderer each, made, used and closed in its own thread."""

import gc
import threading
import time

import pytest
from parallel_pool import EnvAccessError
from parallel_pool.rendering.render_threads import RenderThreads
from test_envs.threads import refused_after


class Pencil:
    def __init__(self) -> None:
        self.thread = threading.current_thread()
        self.closed = threading.Event()

    def close(self) -> None:
        assert threading.current_thread() is self.thread
        self.closed.set()


class Owner:
    def __init__(self, threads: int, broken: int | None = None) -> None:
        self.made: list[Pencil] = []
        self.broken = broken
        self.render_threads = RenderThreads(self.make, threads)

    def make(self) -> Pencil:
        if self.broken is not None and len(self.made) >= self.broken:
            raise ValueError("no pencil")
        self.made.append(Pencil())
        return self.made[-1]


def test_an_owner_is_always_drawn_in_the_same_thread() -> None:
    owner = Owner(3)
    used: dict[int, set[Pencil]] = {}

    def draw(pencil: Pencil, item: int) -> None:
        assert threading.current_thread() is pencil.thread
        used.setdefault(item % 5, set()).add(pencil)

    for _ in range(4):
        owner.render_threads.each(draw, range(10), [item % 5 for item in range(10)])
    assert all(len(pencils) == 1 for pencils in used.values())
    assert len(owner.made) == 3
    owner.render_threads.close()
    owner.render_threads.close()
    assert all(pencil.closed.is_set() for pencil in owner.made)


def test_errors_come_when_all_have_ended() -> None:
    owner = Owner(2)
    done = []

    def draw(pencil: Pencil, item: int) -> None:
        if item == 0:
            raise KeyError("smudged")
        time.sleep(0.05)
        done.append(item)

    with pytest.raises(KeyError, match="smudged"):
        owner.render_threads.each(draw, [0, 1], [0, 1])
    assert done == [1]
    owner.render_threads.each(draw, [3], [0])
    owner.render_threads.close()


def test_a_thread_that_the_system_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to allow, and those that began end."""
    refused, begun = refused_after(2)
    monkeypatch.setattr(threading, "Thread", refused)
    with pytest.raises(EnvAccessError, match=r"can't start new thread; allow .*`ulimit -v`"):
        Owner(3)
    for thread in begun:
        thread.join(20)
        assert not thread.is_alive()


def test_a_renderer_that_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="no pencil"):
        Owner(2, broken=0)
    owner = Owner(2, broken=1)  # the other threads' are made when they are needed
    with pytest.raises(ValueError, match="no pencil"):
        owner.render_threads.each(lambda pencil, item: None, [0, 1], [0, 1])
    owner.broken = None
    owner.render_threads.each(lambda pencil, item: None, [0, 1], [0, 1])
    owner.render_threads.close()


def test_threads_end_with_what_has_them() -> None:
    owner = Owner(2)
    owner.render_threads.each(lambda pencil, item: None, [0, 1], [0, 1])
    threads = [pencil.thread for pencil in owner.made]
    closed = [pencil.closed for pencil in owner.made]
    del owner
    gc.collect()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
    assert all(each.is_set() for each in closed)
