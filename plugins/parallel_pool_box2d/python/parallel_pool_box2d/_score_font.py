"""The digits of CarRacing's score, drawn once by pygame-ce in the font that Gymnasium uses.

The font stays in that package. What crosses to the library is a picture of each character, and where the
characters of each score stand: kerning and fractions of pixels make that a matter of the whole text.
"""

from __future__ import annotations

import functools
import importlib
import os
from typing import Any

import numpy as np
import numpy.typing as npt
from parallel_pool.errors import LibraryError, OptionError

SIZE = 42
CHARACTERS = "-0123456789"
LEAST, MOST = -1000, 1000
MOST_KERNING = 6
"""Pixels by which the ink of a character may begin before that of the one before ends."""

Grey = npt.NDArray[np.uint8]


def score_font(env_id: str) -> str:
    """In hexadecimal digits: what src/picture/score.hpp reads. Raises OptionError without pygame."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        pygame: Any = importlib.import_module("pygame")
        importlib.import_module("pygame.font")
    except LibraryError:
        raise
    except ImportError as error:
        raise OptionError(
            f"{env_id} shows its score in pygame's font, and pygame cannot be imported ({error}): "
            "pip install --force-reinstall pygame-ce"
        ) from error
    return _drawn(pygame)


@functools.cache
def _drawn(pygame: Any) -> str:
    pygame.font.init()
    font = pygame.font.Font(pygame.font.get_default_font(), SIZE)

    def draw(text: str) -> Grey:
        surface = font.render(text, True, (255, 255, 255), (0, 0, 0))
        # Not surfarray, which pygame loads when it is first used: a thread, or a child that is forked
        # meanwhile, finds a part of it.
        colours = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
        return colours.reshape(surface.get_height(), surface.get_width(), 3)[:, :, 0]

    glyphs = {each: _ink(draw(each)) for each in CHARACTERS}
    height = draw("0").shape[0]
    parts = [bytes([height])]
    parts += [bytes([glyph.shape[1]]) + glyph.tobytes() for glyph in glyphs.values()]
    for score in (*range(LEAST, MOST + 1), -0.0):
        text = f"{score:04.0f}"
        picture = draw(text)
        places = _places(text, picture, glyphs)
        parts.append(bytes([len(text), picture.shape[1], *places]))
    return b"".join(parts).hex()


def _ink(picture: Grey) -> Grey:
    columns = np.flatnonzero(picture.any(axis=0))
    return np.ascontiguousarray(picture[:, columns[0] : columns[-1] + 1])


def _places(text: str, picture: Grey, glyphs: dict[str, Grey]) -> list[int]:
    """The first column of the ink of each character. Raises RuntimeError if the text is not made of them."""
    places = []
    composed = np.zeros_like(picture)
    first = 0
    for character in text:
        glyph = glyphs[character]
        width = glyph.shape[1]
        for x in range(max(first, 0), picture.shape[1] - width + 1):
            there = picture[:, x : x + width]
            if (there[glyph > 0] >= glyph[glyph > 0]).all():
                break
        else:
            raise RuntimeError(f"{text!r} is not made of the pictures of its characters")
        np.maximum(composed[:, x : x + width], glyph, out=composed[:, x : x + width])
        places.append(x)
        first = x + width - MOST_KERNING
    if not np.array_equal(composed, picture):
        raise RuntimeError(f"{text!r} is not made of the pictures of its characters")
    return places
