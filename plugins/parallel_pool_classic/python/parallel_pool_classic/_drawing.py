"""Pictures. Those of Gymnasium's environments are drawn by Gymnasium's own code, so frames are the same.

Gymnasium draws with pygame-ce, which is imported at the first picture and never before.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from parallel_pool.errors import LibraryError, OptionError
from parallel_pool.plugin_api import PerProcess

from parallel_pool_classic._own_pictures import (
    Arrays,
    BlackjackText,
    CatchRenderer,
    NChainRenderer,
    PongRenderer,
)

_WINDOWS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
"""Variables of the environment that name a display."""
_pygame = PerProcess(threading.Lock)
"""The lock of pygame, which has one state for all threads. Pools draw in threads of their own, where no handler
of a signal comes in between."""


class GymnasiumRenderer:
    """Puts what an environment holds into Gymnasium's environment and has that render it."""

    def __init__(
        self,
        env_id: str,
        mode: str,
        entry_point: str,
        arrays: Sequence[str],
        place: Callable[[Any, Arrays], None],
        build: Callable[[Any, str, Arrays], Any] = lambda make, mode, _: make(render_mode=mode),
    ) -> None:
        if mode == "rgb_array":
            with _pygame.here:
                _require_pygame(env_id)
        module, _, name = entry_point.partition(":")
        # Threads that import modules of one folder at the same time deadlock, unless its own is there.
        importlib.import_module(f"gymnasium.envs.{module.partition('.')[0]}")
        self._make = getattr(importlib.import_module(f"gymnasium.envs.{module}"), name)
        self._mode, self._place, self._build = mode, place, build
        self._env: Any = None
        self.arrays = arrays

    def draw(self, arrays: Arrays, options: Mapping[str, Any]) -> Any:
        """See `parallel_pool.plugin_api.Renderer`."""
        with _pygame.here:
            return self._draw(arrays)

    def _draw(self, arrays: Arrays) -> Any:
        if self._env is None or (self._key is not None and self._key != _key_of(arrays)):
            self._let_go()
            self._env = self._build(self._make, self._mode, arrays)
            self._key = _key_of(arrays)
        self._place(self._env, arrays)
        return self._env.render()

    def close(self) -> None:
        """Lets go of Gymnasium's environment."""
        with _pygame.here:
            self._let_go()

    def _let_go(self) -> None:
        if self._env is not None:
            self._env.close()
            self._env = None

    _key: bytes | None = None


def _key_of(arrays: Arrays) -> bytes | None:
    """Returns what an environment is built for, where not all of an id are alike."""
    return bytes(arrays["map"]) + bytes(arrays["map"].shape) if "map" in arrays else None


def _require_pygame(env_id: str) -> None:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        pygame = importlib.import_module("pygame")
        importlib.import_module("pygame.display")
    except LibraryError:
        raise
    except ImportError as error:
        raise OptionError(
            f"{env_id} is drawn by pygame, which cannot be imported ({error}): "
            "pip install --force-reinstall pygame-ce"
        ) from error
    _init_without_windows(pygame)


def _init_without_windows(pygame: Any) -> None:
    """Spares SDL its search for a display, which ends in messages on stderr; pictures need none."""
    if sys.platform != "linux" or any(map(os.environ.get, _WINDOWS)) or pygame.display.get_init():
        return
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    try:
        pygame.display.init()
    finally:
        del os.environ["SDL_VIDEODRIVER"]


def _place_state(env: Any, arrays: Arrays) -> None:
    env.state = arrays["state"]


def _place_pendulum(env: Any, arrays: Arrays) -> None:
    env.state = arrays["state"]
    env.last_u = None if np.isnan(arrays["torque"]) else arrays["torque"][()]


def _place_walk(env: Any, arrays: Arrays) -> None:
    env.s = int(arrays["state"])
    action = int(arrays["last_action"])
    env.lastaction = None if action < 0 else action


def _place_taxi(env: Any, arrays: Arrays) -> None:
    _place_walk(env, arrays)
    env.taxi_orientation = int(arrays["heading"])


def _place_blackjack(env: Any, arrays: Arrays) -> None:
    total, has_ace, _ = (int(each) for each in arrays["player"])
    value, suit, face = (int(each) for each in arrays["card"])
    # Cards of which the sum and the ace are those of the hand.
    env.player = [1, total - 1] if has_ace else [total]
    env.dealer = [value]
    env.dealer_top_card_suit = "CDHS"[suit]
    names = {1: "A", 10: "JQK"[face]}
    env.dealer_top_card_value_str = names.get(value, str(value))


def _build_lake(make: Any, mode: str, arrays: Arrays) -> Any:
    return make(render_mode=mode, desc=["".join(map(chr, row)) for row in arrays["map"]])


def renderer(env_id: str, native_id: str, mode: str, arguments: Mapping[str, Any]) -> Any:
    """Returns what draws the environment. Raises OptionError without pygame, or for a size or a camera."""
    given = {name: value for name, value in arguments.items() if value is not None}
    if given:
        raise OptionError(
            f"{env_id} draws pictures of one size from one point of view: it takes no {given}"
        )
    name = native_id.removeprefix("classic/").rpartition("-")[0]
    if name == "Catch":
        return CatchRenderer(mode)
    if name == "NChain":
        return NChainRenderer(mode)
    if name == "TwoPlayerPong":
        return PongRenderer(mode)
    if name in ("Blackjack", "BlackjackBox") and mode == "ansi":
        return BlackjackText()
    entry_point, arrays, place, *build = _GYMNASIUM[name]
    return GymnasiumRenderer(env_id, mode, entry_point, arrays, place, *build)


_WALK = ("state", "last_action")
_BLACKJACK = ("toy_text.blackjack:BlackjackEnv", ("player", "card"), _place_blackjack)
_GYMNASIUM: dict[str, Any] = {
    "CartPole": ("classic_control.cartpole:CartPoleEnv", ("state",), _place_state),
    "Pendulum": ("classic_control.pendulum:PendulumEnv", ("state", "torque"), _place_pendulum),
    "MountainCar": ("classic_control.mountain_car:MountainCarEnv", ("state",), _place_state),
    "MountainCarContinuous": (
        "classic_control.continuous_mountain_car:Continuous_MountainCarEnv",
        ("state",),
        _place_state,
    ),
    "Acrobot": ("classic_control.acrobot:AcrobotEnv", ("state",), _place_state),
    "FrozenLake": (
        "toy_text.frozen_lake:FrozenLakeEnv",
        (*_WALK, "map"),
        _place_walk,
        _build_lake,
    ),
    "CliffWalking": ("toy_text.cliffwalking:CliffWalkingEnv", _WALK, _place_walk),
    "Taxi": ("toy_text.taxi:TaxiEnv", (*_WALK, "heading"), _place_taxi),
    "Blackjack": _BLACKJACK,
    "BlackjackBox": _BLACKJACK,
}
"""By name in the library: Gymnasium's class, the arrays to look at, how they are put there."""
