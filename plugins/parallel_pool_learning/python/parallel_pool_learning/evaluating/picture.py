"""Pictures of a distribution: lines of text, and an SVG."""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np
import numpy.typing as npt

_BARS = 10
_LONGEST = 40
_ENDLESS = 1e300


def _counts(values: npt.NDArray[np.float64]) -> tuple[list[int], list[float]]:
    """Counts the values in each of ten equal parts, and returns where these begin and end. Without NaN.

    Values that differ by rounding alone are one, in the middle; (nearly) infinite ones are in no part.
    """
    finite = values[np.abs(values) < _ENDLESS]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    size = max(abs(low), abs(high))
    size = size if size > 1 / _ENDLESS else 1.0
    if high - low <= 1e-9 * size:
        low, high = low - size / 2, low + size / 2
    edges = np.linspace(low, high, _BARS + 1)
    return np.histogram(finite, edges)[0].tolist(), edges.tolist()


def said(value: float) -> str:
    """The number as text."""
    return "unknown" if np.isnan(value) else f"{value:.4g}"


def bars(values: npt.NDArray[np.float64]) -> list[str]:
    """A line for each part of the range: where it begins, a bar, and the number of values.

    Without lines if there are no two values.
    """
    counts, edges = _counts(values)
    if np.count_nonzero(counts) < 2:
        return []
    begins = [f"{edge:.4g}" for edge in edges]
    width = max(map(len, begins))
    return [
        f"{begin:>{width}}  {'#' * -(-count * _LONGEST // max(counts)):<{_LONGEST}}  {count}"
        for begin, count in zip(begins, counts, strict=False)
    ]


def write_svg(path: Path, title: str, values: npt.NDArray[np.float64], mean: float) -> None:
    """A histogram with a line at the mean."""
    counts, edges = _counts(values)
    width, height, left, top = 640, 320, 50, 40
    across, most = width - 2 * left, max(*counts, 1)
    low, span = edges[0], edges[-1] - edges[0]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 80}" '
        'font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="24" font-size="16">{escape(title)}</text>',
    ]
    for place, count in enumerate(counts):
        tall = count / most * (height - top)
        x = left + place * across / _BARS
        parts.append(
            f'<rect x="{x + 1:.1f}" y="{height - tall + top:.1f}" width="{across / _BARS - 2:.1f}" '
            f'height="{tall:.1f}" fill="#4878a8"/>'
        )
        if count:
            parts.append(
                f'<text x="{x + across / _BARS / 2:.1f}" y="{height - tall + top - 4:.1f}" '
                f'text-anchor="middle">{count}</text>'
            )
    for edge in edges[:: _BARS // 2]:
        x = left + (edge - low) / span * across
        parts.append(
            f'<text x="{x:.1f}" y="{height + top + 18}" text-anchor="middle">{edge:.4g}</text>'
        )
    x = left + (mean - low) / span * across
    if np.isfinite(x):
        line = f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{height + top}"'
        parts.append(f'{line} stroke="#c04020" stroke-width="2"/>')
    path.write_text("\n".join([*parts, "</svg>", ""]), "utf-8")
