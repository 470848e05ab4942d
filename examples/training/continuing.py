"""Saves what a training needs beside networks to go on with the same bits: docs/continuing.md."""

from __future__ import annotations

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
