"""Pictures of environments that Gymnasium does not draw, and Blackjack as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]


class CatchRenderer:
    """The board: white the ball, green the paddle; as text `o` and `=`."""

    arrays = ("ball", "paddle")
    pixels = 16

    def __init__(self, mode: str) -> None:
        self._mode = mode

    def draw(self, arrays: Arrays, options: Mapping[str, Any]) -> Any:
        """See `parallel_pool.plugin_api.Renderer`."""
        row, column = (int(each) for each in arrays["ball"])
        height, width, paddle = options["height"], options["width"], int(arrays["paddle"])
        if self._mode == "ansi":
            cells = [["."] * width for _ in range(height)]
            cells[height - 1][paddle] = "="
            cells[row][column] = "o"
            return "\n".join("".join(each) for each in cells) + "\n"
        board = np.full((height, width, 3), 40, np.uint8)
        board[height - 1, paddle] = 90, 200, 90
        board[row, column] = 255
        return board.repeat(self.pixels, 0).repeat(self.pixels, 1)

    def close(self) -> None:
        """Nothing to let go of."""


class NChainRenderer:
    """The chain as a row of cells, the one it is at filled, the last one golden; as text `X`.

    Of a long chain only the part around the state.
    """

    arrays = ("state",)
    pixels = 32
    most = 25

    def __init__(self, mode: str) -> None:
        self._mode = mode

    def draw(self, arrays: Arrays, options: Mapping[str, Any]) -> Any:
        """See `parallel_pool.plugin_api.Renderer`."""
        state, n = int(arrays["state"]), options["n"]
        shown = min(n, self.most)
        first = min(max(state - shown // 2, 0), n - shown)
        if self._mode == "ansi":
            cells = ["X" if place == state else "o" for place in range(first, first + shown)]
            before, after = "... " * (first > 0), " ..." * (first + shown < n)
            return f"{before}{' - '.join(cells)}{after}\n"
        picture = np.full((self.pixels, self.pixels * shown, 3), 255, np.uint8)
        for cell in range(shown):
            left = cell * self.pixels
            colour = (218, 165, 32) if first + cell == n - 1 else (170, 170, 170)
            picture[4:-4, left + 4 : left + self.pixels - 4] = colour
            if first + cell == state:
                picture[10:-10, left + 10 : left + self.pixels - 10] = 30, 60, 180
        return picture

    def close(self) -> None:
        """Nothing to let go of."""


class PongRenderer:
    """The field as it is, player 0 on the left, with a point on top for each that a player has; as text
    the numbers.
    """

    arrays = ("paddles", "ball", "points")
    height, width, margin, size = 160, 240, 12, 4
    colours = ((90, 200, 90), (80, 140, 240))

    def __init__(self, mode: str) -> None:
        self._mode = mode

    def draw(self, arrays: Arrays, options: Mapping[str, Any]) -> Any:
        """See `parallel_pool.plugin_api.Renderer`."""
        paddles, (x, y), points = arrays["paddles"], arrays["ball"], arrays["points"]
        if self._mode == "ansi":
            return (
                f"{points[0]} : {points[1]}  ball: {x:+.2f} {y:+.2f}  "
                f"paddles: {paddles[0]:+.2f} {paddles[1]:+.2f}\n"
            )
        picture = np.full((self.height, self.width, 3), 30, np.uint8)
        picture[self.margin :: 8, self.width // 2] = 90
        size = self.size
        for player, colour in enumerate(self.colours):
            side = 2 * player - 1
            left = self._column(side) + (0 if player else 1 - size)
            top, bottom = self._row(paddles[player] + 0.2), self._row(paddles[player] - 0.2)
            picture[top : bottom + 1, left : left + size] = colour
            for point in range(min(int(points[player]), 12)):
                middle = self.width // 2 + side * (8 + 8 * point)
                picture[3:7, middle - 2 : middle + 2] = colour
        row, column = self._row(y), self._column(x)
        picture[row - size // 2 : row + size // 2, column - size // 2 : column + size // 2] = 255
        return picture

    def _row(self, y: float) -> int:
        """Up is up."""
        return round(self.margin + (1 - y) / 2 * (self.height - 2 * self.margin))

    def _column(self, x: float) -> int:
        return round(self.margin + (1 + x) / 2 * (self.width - 2 * self.margin))

    def close(self) -> None:
        """Nothing to let go of."""


class BlackjackText:
    """The table in a line."""

    arrays = ("player", "card")

    def draw(self, arrays: Arrays, options: Mapping[str, Any]) -> str:
        """See `parallel_pool.plugin_api.Renderer`."""
        total, has_ace, _ = (int(each) for each in arrays["player"])
        value, suit, face = (int(each) for each in arrays["card"])
        name = {1: "A", 10: "JQK"[face]}.get(value, str(value))
        usable = bool(has_ace) and total + 10 <= 21
        ace = " with a usable ace" if usable else ""
        return f"dealer: {name}{'CDHS'[suit]} ?  player: {total + 10 * usable}{ace}\n"

    def close(self) -> None:
        """Nothing to let go of."""
