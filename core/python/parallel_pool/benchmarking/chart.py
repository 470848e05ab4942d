"""A chart of curves with logarithmic axes, as SVG, which every browser shows and no library is needed for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT = 760, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 220, 40, 50
_COLOURS = ("#0b6bcb", "#d9480f", "#2b8a3e", "#862e9c", "#c2255c", "#5c940d", "#495057", "#e8890c")

Points = Sequence[tuple[float, float]]


def chart(title: str, across: str, up: str, curves: Mapping[str, Points]) -> str:
    """The text of an SVG file. across, up: what the axes are of. Points have to be above 0."""
    xs = [x for points in curves.values() for x, _ in points]
    ys = [y for points in curves.values() for _, y in points]
    lowest, highest = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    highest = max(highest, lowest + 1)
    first, last = math.log2(min(xs)), math.log2(max(xs))
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM

    def x_of(value: float) -> float:
        return _LEFT + (math.log2(value) - first) / ((last - first) or 1) * (right - _LEFT)

    def y_of(value: float) -> float:
        return bottom - (math.log10(value) - lowest) / (highest - lowest) * (bottom - _TOP)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="15" font-weight="bold">{escape(title)}</text>',
        _text((_LEFT + right) / 2, _HEIGHT - 12, across, "middle"),
        _text(12, _TOP - 6, up, "start"),
    ]
    for power in range(lowest, highest + 1):
        y = y_of(10.0**power)
        out.append(f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="#ddd"/>')
        out.append(_text(_LEFT - 8, y + 4, _amount(10.0**power), "end"))
    for value in sorted(set(xs)):
        out.append(f'<path d="M{x_of(value):.1f} {_TOP}V{bottom}" stroke="#eee"/>')
        out.append(_text(x_of(value), bottom + 16, f"{value:g}", "middle"))
    for number, (name, points) in enumerate(curves.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(x_of(x), y_of(y)) for x, y in sorted(points)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        y = _TOP + 14 + 18 * number
        out.append(f'<rect x="{right + 14}" y="{y - 9}" width="10" height="10" fill="{colour}"/>')
        out.append(_text(right + 30, y, name, "start"))
    return "\n".join([*out, "</svg>", ""])


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#333">{escape(text)}</text>'


def _amount(value: float) -> str:
    """1 k, 10 M."""
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
