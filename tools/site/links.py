"""Links between pages: as they are in the repository, and as they are on the site."""

from __future__ import annotations

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def uri_of(source: str) -> str:
    """Where on the site a file of the repository is."""
    if source == "README.md":
        return "index.md"
    if source.startswith("docs/"):
        return source.removeprefix("docs/")
    # Not as README.md, which mkdocs takes for the page of the section that it stands in.
    source = source.replace("/README.md", ".md")
    return f"files/{source}" if source.endswith(".md") else f"files/{source}.md"


def linked(source: str, text: str) -> list[str]:
    """Files of the repository that a page links to; a folder means its README."""
    found = []
    for match in LINK.finditer(FENCE.sub("", text)):
        target = target_of(source, match[2])
        if target is not None:
            found.append(target)
    return found


def target_of(source: str, link: str) -> str | None:
    """The file that a link of a page leads to. None: elsewhere, or nowhere."""
    if "://" in link or link.startswith("mailto:"):
        return None
    path = os.path.normpath(os.path.join(os.path.dirname(source), link))
    if (ROOT / path).is_dir():
        path = f"{path}/README.md"
    return path if (ROOT / path).is_file() else None


def with_links(source: str, text: str) -> str:
    """Links of a page as they are on the site."""
    here = os.path.dirname(uri_of(source))

    def replaced(match: re.Match[str]) -> str:
        target = target_of(source, match[2])
        if target is None:
            return match[0]
        return f"{match[1]}{os.path.relpath(uri_of(target), here or '.')}{match[3] or ''}{match[4]}"

    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [LINK.sub(replaced, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, LINK.sub(replaced, text[end:])])
