"""Draws the pictures of docs/first-steps.md: docs/images/async.svg and autoreset.svg."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
BLUE, ORANGE, GREEN, GREY, INK = "#5b7fd6", "#e08a3c", "#57a773", "#b9bec9", "#30343c"

DURATIONS = [
    [3, 2, 3, 2, 3],
    [2, 3, 2, 4, 2],
    [6, 3, 2, 3, 3],
    [2, 2, 5, 2, 3],
]
"""Of the steps of each environment, in any unit."""
LEARNER = 1
"""How long the policy takes for a batch."""


def main() -> None:
    """Writes the pictures."""
    (IMAGES / "async.svg").write_text(asynchronous())
    (IMAGES / "autoreset.svg").write_text(autoreset())


def asynchronous() -> str:
    """What works when, with all environments in a batch and with two."""
    unit, left, height = 26, 130, 20
    shapes = []
    top = 40
    for title, spans, batches in (
        ("synchronous: batch_size=4", *schedule(batch_size=4)),
        ("asynchronous: batch_size=2", *schedule(batch_size=2)),
    ):
        shapes.append(text(10, top - 14, title, bold=True))
        for row, steps in enumerate(spans):
            y = top + row * (height + 4)
            shapes.append(text(10, y + 14, f"environment {row}"))
            for begin, end in steps:
                shapes.append(box(left + begin * unit, y, (end - begin) * unit - 2, height, BLUE))
        y = top + len(spans) * (height + 4)
        shapes.append(text(10, y + 14, "policy"))
        for begin, ids in batches:
            shapes.append(box(left + begin * unit, y, LEARNER * unit - 2, height, ORANGE))
            label = ",".join(map(str, ids)) if len(ids) < len(spans) else "all"
            shapes.append(text(left + (begin + LEARNER / 2) * unit - 1, y + 14, label, "middle"))
        top += (len(spans) + 1) * (height + 4) + 46
    return svg(left + 26 * unit, top - 30, shapes)


def schedule(
    batch_size: int,
) -> tuple[list[list[tuple[float, float]]], list[tuple[float, list[int]]]]:
    """Spans of stepping for each environment, and when the policy got which batch."""
    count = len(DURATIONS)
    done = {env: float(DURATIONS[env][0]) for env in range(count)}
    spans = [[(0.0, done[env])] for env in range(count)]
    batches, free = [], 0.0
    taken = [1] * count
    while len(done) >= batch_size:
        first = sorted(done, key=lambda env: (done[env], env))[:batch_size]
        begin = max(free, *(done.pop(env) for env in first))
        free = begin + LEARNER
        batches.append((begin, sorted(first)))
        for env in first:
            if taken[env] < len(DURATIONS[env]):
                end = free + DURATIONS[env][taken[env]]
                spans[env].append((free, end))
                done[env] = end
                taken[env] += 1
    return spans, batches


def autoreset() -> str:
    """What step returns around the end of an episode, by mode."""
    modes = {
        "NextStep": [
            ("step", "s8", GREY, ""),
            ("step", "s9, terminated", ORANGE, ""),
            ("step", "s0 of the next", GREEN, "action ignored, reward 0"),
            ("step", "s1", GREY, ""),
        ],
        "SameStep": [
            ("step", "s8", GREY, ""),
            ("step", "s0 of the next, terminated", GREEN, 'info["final_obs"] has s9'),
            ("step", "s1", GREY, ""),
            ("step", "s2", GREY, ""),
        ],
        "Disabled": [
            ("step", "s8", GREY, ""),
            ("step", "s9, terminated", ORANGE, ""),
            ("reset", "s0 of the next", GREEN, 'options={"reset_mask": ...}'),
            ("step", "s1", GREY, ""),
        ],
    }
    wide, left, shapes = 190, 100, []
    for row, (mode, calls) in enumerate(modes.items()):
        y = 20 + row * 92
        shapes.append(text(10, y + 36, mode, bold=True))
        for column, (call, result, colour, note) in enumerate(calls):
            x = left + column * wide
            shapes.append(text(x + wide / 2 - 6, y + 10, call, "middle"))
            shapes.append(box(x, y + 16, wide - 12, 32, colour))
            shapes.append(text(x + wide / 2 - 6, y + 37, result, "middle"))
            shapes.append(text(x + wide / 2 - 6, y + 64, note, "middle"))
    return svg(left + 4 * wide, 20 + 3 * 92, shapes)


def box(x: float, y: float, width: float, height: float, colour: str) -> str:
    """A rounded rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="{colour}"/>'
    )


def text(x: float, y: float, words: str, anchor: str = "start", bold: bool = False) -> str:
    """A line of text."""
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{weight} fill="{INK}">{escape(words)}</text>'


def svg(width: float, height: float, shapes: list[str]) -> str:
    """The whole picture, on white."""

    def lines() -> Iterator[str]:
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" font-family="sans-serif" font-size="13">'
        )
        yield '<rect width="100%" height="100%" fill="white"/>'
        yield from shapes
        yield "</svg>"

    return "\n".join(lines()) + "\n"


if __name__ == "__main__":
    main()
