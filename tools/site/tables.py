"""Tables that narrow screens show as cards: every cell in a line of its own, behind the name of its column."""

from __future__ import annotations

import html
import re

_TABLE = re.compile(r"<table>(.*?)</table>", re.DOTALL)
_ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
_CELL = re.compile(r"<(t[hd])([^>]*)>(.*?)</\1>", re.DOTALL)
_BREAK = re.compile(r"<br ?/?>|[\s-]")

CHARACTER, PADDING = 7.5, 16.0
"""Pixels of a cell, per character of its longest word and besides."""
PHONE, TABLET, DESKTOP = 345, 690, 710
"""Pixels that the text has at 400, 800 and 1,280."""


def with_cards(page: str) -> str:
    """The HTML of a page. Tables that a phone, or also a tablet, has no room for are marked, cells too."""
    return _TABLE.sub(lambda match: _marked(match[1]), page)


def _marked(table: str) -> str:
    rows = [_CELL.findall(row) for row in _ROW.findall(table)]
    if not rows:
        return f"<table>{table}</table>"
    least = sum(PADDING + CHARACTER * max(map(_longest, column)) for column in _columns(rows))
    if least <= PHONE:
        return f"<table>{table}</table>"
    names = [html.escape(_text(cell), quote=True) for _, _, cell in rows[0]]
    marked = _ROW.sub(lambda match: f"<tr>{_labelled(match[1], names)}</tr>", table)
    size = "phone" if least <= TABLET else "tablet"
    return f'<table data-cards="{size}">{marked}</table>'


def _labelled(row: str, names: list[str]) -> str:
    labels = iter(names)

    def cell(match: re.Match[str]) -> str:
        tag, attributes, text = match.groups()
        label = next(labels, "")
        if tag == "th" or not label:
            return match[0]
        return f'<td{attributes} data-label="{label}">{text}</td>'

    return _CELL.sub(cell, row)


def _columns(rows: list[list[tuple[str, str, str]]]) -> list[list[str]]:
    most = max(map(len, rows))
    return [[row[n][2] for row in rows if n < len(row)] for n in range(most)]


def _longest(cell: str) -> int:
    return max(len(_text(word)) for word in _BREAK.split(re.sub(r"<(?!br)[^>]*>", "", cell)))


def _text(cell: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", cell)).strip()
