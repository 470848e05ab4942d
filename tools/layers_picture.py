"""Writes docs/images/layers.svg, the picture of the layers that layers.py names. tests/layers compares it.

uv run python tools/layers_picture.py
"""

from __future__ import annotations

from xml.sax.saxutils import escape

from dependencies import ROOT, cpp_edges, python_edges
from layers import CPP_LAYERS, PYTHON_LAYERS, layer_of

PICTURE = ROOT / "docs/images/layers.svg"


def drawing() -> str:
    """The layers as an SVG: Python on the left, C++ on the right, what is used always further down."""
    width, row, gap = 430, 30, 40
    columns = (
        ("Python: parallel_pool", PYTHON_LAYERS, python_edges(), "."),
        ("C++: core/include, core/src", CPP_LAYERS, cpp_edges(), "/"),
    )
    height = gap + row * max(len(layers) for _, layers, _, _ in columns) + 10
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * width + 10} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{2 * width + 10}" height="{height}" fill="white"/>',
    ]
    for column, (title, layers, edges, separator) in enumerate(columns):
        left = 10 + column * width
        out.append(f'<text x="{left}" y="24" font-weight="bold">{escape(title)}</text>')
        for number, layer in enumerate(layers):
            members = [name for name in edges if layer_of(name, layers, separator) == number]
            below = {
                other
                for name in members
                for used in edges[name]
                if (other := layer_of(used, layers, separator)) is not None and other != number
            }
            top = gap + row * (len(layers) - 1 - number)
            label = ", ".join(entry or "parallel_pool" for entry in layer)
            label = label if len(label) < 36 else label[:34] + "…"
            uses = f"uses {len(below)} of those below" if below else "uses none of ours"
            out += [
                f'<rect x="{left}" y="{top}" width="{width - 10}" height="{row - 5}" rx="4" '
                f'fill="hsl({205 if column == 0 else 30}, 60%, {94 - 2 * number}%)" stroke="#666"/>',
                f'<text x="{left + 8}" y="{top + 17}">{escape(label)}</text>',
                f'<text x="{left + width - 18}" y="{top + 17}" text-anchor="end" fill="#444">'
                f"{uses}</text>",
            ]
    return "\n".join([*out, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
