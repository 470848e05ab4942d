"""Lines, polygons and smaller pictures are pygame's, pixel by pixel, also where shapes leave the picture."""

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pygame = pytest.importorskip("pygame")
from pygame import gfxdraw  # noqa: E402

DRIVER = "box2d_picture_driver"
WIDTH, HEIGHT = 120, 90
Draw = Callable[[Any, Any, Any], object]


def smooth(surface: Any, colour: Any, points: Any) -> None:
    gfxdraw.aapolygon(surface, points, colour)
    gfxdraw.filled_polygon(surface, points, colour)


def circle(surface: Any, colour: Any, points: Any) -> None:
    # pygame leaves circles out that are farther away.
    pygame.draw.circle(surface, colour, points[0], int(points[1][0]))


KINDS: dict[str, Draw] = {
    "filled": lambda *shape: pygame.draw.polygon(*shape),
    "smooth": smooth,
    "double_line": lambda surface, colour, points: pygame.draw.line(surface, colour, *points, 2),
    "line": lambda surface, colour, points: pygame.draw.line(surface, colour, *points),
    "aaline": lambda surface, colour, points: pygame.draw.aaline(surface, colour, *points),
    "aaline_loop": lambda surface, colour, points: pygame.draw.aalines(
        surface, colour, True, points
    ),
    "circle": circle,
}


def address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def shape(draw: np.random.Generator, kind: str) -> np.ndarray:
    if kind == "circle":
        return np.array([draw.uniform(-5, (WIDTH + 5, HEIGHT + 5)), [draw.integers(1, 20), 0]])
    count = int(draw.integers(3, 9)) if kind in ("filled", "smooth", "aaline_loop") else 2
    points = draw.normal(0, draw.choice([3, 60, 200, 3000]), (count, 2))
    points += np.array((WIDTH / 2, HEIGHT / 2))
    if draw.random() < 0.3:
        points = np.round(points)
    if draw.random() < 0.2:
        points[:, draw.integers(2)] = points[0, 0]
    return points


def packed(colour: Any) -> int:
    red, green, blue = (int(each) for each in colour)
    return red << 16 | green << 8 | blue


def shapes(kind: str, surface: Any, colours: np.ndarray) -> Iterator[tuple[Any, int, np.ndarray]]:
    """Draws one after the other, and gives corners, colour and what pygame's picture is then."""
    draw = np.random.default_rng(0)
    for _ in range(2000):
        points = np.ascontiguousarray(shape(draw, kind))
        colour = draw.choice(colours).tolist()
        KINDS[kind](surface, colour, points.tolist())
        yield points, packed(colour), pygame.surfarray.array2d(surface).T & 0xFFFFFF


@pytest.mark.parametrize("kind", ["filled", "line", "aaline", "aaline_loop", "circle"])
def test_shapes_are_pygames(kind: str, driver: ctypes.CDLL) -> None:
    surface = pygame.Surface((WIDTH, HEIGHT), depth=32)
    pixels = np.zeros((HEIGHT, WIDTH), np.uint32)
    colours = np.random.default_rng(1).integers(0, 256, (2000, 3))
    number = list(KINDS).index(kind)
    for points, colour, wanted in shapes(kind, surface, colours):
        driver.draw(address(pixels), WIDTH, HEIGHT, number, address(points), len(points), colour)
        assert np.array_equal(pixels, wanted), points.tolist()


@pytest.mark.parametrize("patch_width", [1, 7, 16])
@pytest.mark.parametrize("kind", ["filled", "smooth", "double_line"])
def test_shapes_of_patches_are_pygames(kind: str, patch_width: int, driver: ctypes.CDLL) -> None:
    surface = pygame.Surface((WIDTH, HEIGHT), depth=32)
    # So few that shapes meet others of their colour.
    colours = np.random.default_rng(1).integers(0, 256, (5, 3))
    surface.fill(colours[0].tolist())
    driver.lay(WIDTH, HEIGHT, patch_width, packed(colours[0]))
    pixels = np.zeros((HEIGHT, WIDTH), np.uint32)
    for points, colour, wanted in shapes(kind, surface, colours):
        driver.draw_patches(list(KINDS).index(kind), address(points), len(points), colour)
        driver.read_patches(address(pixels))
        assert np.array_equal(pixels, wanted), points.tolist()


@pytest.mark.parametrize("size", [(96, 96), (600, 400)])
@pytest.mark.skipif(
    pygame.transform.get_smoothscale_backend() == "GENERIC", reason="has weights of its own"
)
def test_smaller_pictures_are_pygames(size: tuple[int, int], driver: ctypes.CDLL) -> None:
    draw = np.random.default_rng(0)
    pixels = draw.integers(0, 1 << 24, (800, 1000), np.uint32)
    pixels[200:300] = 0xFFFFFF
    # Areas of few colours, whose borders are anywhere.
    for colour in draw.integers(0, 1 << 24, 20, np.uint32):
        for _ in range(10):
            x, y = draw.integers(0, (1000, 500))
            width, height = draw.integers(1, 200, 2)
            pixels[300 + y : 300 + y + height, x : x + width] = colour
    surface = pygame.Surface((1000, 800), depth=32)
    pygame.surfarray.pixels2d(surface)[:] = pixels.T
    wanted = pygame.surfarray.array3d(pygame.transform.smoothscale(surface, size))
    got = np.zeros((size[1], size[0], 3), np.uint8)
    driver.scale(address(pixels), 1000, 800, *size, address(got))
    np.testing.assert_array_equal(got, wanted.transpose(1, 0, 2))
