"""Ends a training where it can go on, and saves what that needs beside networks: docs/continuing.md."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from parallel_pool import NotOfferedError


def place(envs: Any, learner: Any) -> dict[str, Any]:
    """The state of a training between two iterations. It has none of wrappers: the pool has all that lasts."""
    try:
        states = envs.unwrapped.get_state()
    except NotOfferedError:  # ViZDoom: it goes on with new episodes
        states = None
    return {
        "envs": states,
        "buffer": learner.buffer.state_dict(),
        "rng": learner.rng.bit_generator.state,
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }


def go_on(place: dict[str, Any], envs: Any, learner: Any) -> None:
    """Continues from there, with environments and a learner that were made as the first time."""
    if place["envs"] is not None:
        envs.unwrapped.set_state(None, place["envs"])
        learner.buffer.load_state_dict(place["buffer"])
    learner.rng.bit_generator.state = place["rng"]
    torch.set_rng_state(place["torch"])
    if place["cuda"]:
        torch.cuda.set_rng_state_all(place["cuda"])


@contextmanager
def until_ctrl_c() -> Iterator[Callable[[], bool]]:
    """Gives a function that says whether Ctrl-C was pressed; a second one is a KeyboardInterrupt, as always."""
    pressed = False

    def note(*_: Any) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)
        os.write(2, b"\nCtrl-C: saves after this iteration; once more ends at once\n")

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


def how_to_go_on() -> str:
    """This program's command line, with `--resume`."""
    words = [each for each in sys.argv if each != "--resume"]
    return shlex.join([sys.executable, *words, "--resume"])
