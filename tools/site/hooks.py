"""Gives mkdocs more than docs/: the README as first page, pages of environments, files that pages link to.

A link from a page to a file outside of docs/ leads to a page that shows that file.
"""

from __future__ import annotations

import os
import sys
from pathlib import PurePosixPath
from typing import Any

sys.path.insert(0, os.path.dirname(__file__))

import pages
import pictures
from catalogue import TITLES, Group, families
from links import ROOT, linked, uri_of, with_links
from mkdocs.structure.files import File, Files
from notebooks import as_markdown
from release import address
from tables import with_cards

LANGUAGES = {".py": "python", ".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".toml": "toml"}


REFERENCES: dict[str, str] = {}
"""The lists behind the text of a family's page, by address. Filled by `environment_pages`."""


def on_config(config: Any) -> Any:
    """Pages of the families, below the one of all environments, and the link to the sources."""
    (environments,) = (each["Environments"] for each in config.nav if "Environments" in each)
    environments += [f"{family}.md" for family in TITLES]
    if repository := address():
        config.repo_url, config.repo_name = repository, repository.rpartition("/")[2]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Adds what is not in docs/."""
    found = dict(families())
    names = add_pictures(found, files, config)
    front = pages.front(found, names)
    for uri, text in environment_pages(found, names).items():
        files.append(File.generated(config, uri, content=text))
    waiting = ["README.md", *(f"docs/{file.src_uri}" for file in files.documentation_pages())]
    known = {"README.md"}
    while waiting:
        source = waiting.pop()
        if not (ROOT / source).is_file():
            continue
        text = shown(source)
        if source == "README.md":
            before, mark, after = text.partition(pages.AFTER_THE_FAMILIES)
            text = f"{before}{front}\n{mark}{after}"
        if not source.startswith("docs/"):
            files.append(File.generated(config, uri_of(source), content=text))
        if source.endswith((".md", ".ipynb")):
            for target in linked(source, markdown_of(source)):
                if target not in known and not target.startswith("docs/"):
                    known.add(target)
                    waiting.append(target)
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links of a page of docs/ that leave it, and the lists of a family behind its text."""
    if not page.file.abs_src_path:
        return markdown
    uri = page.file.src_uri
    return f"{with_links(f'docs/{uri}', markdown)}\n\n{REFERENCES.get(uri, '')}"


def on_page_content(page_html: str, **_: Any) -> str:
    """Tables for narrow screens."""
    return with_cards(page_html)


def add_pictures(found: dict[str, list[Group]], files: Files, config: Any) -> set[str]:
    """Adds the pictures that are drawn as files of the site; returns their names."""
    names = set()
    for family, groups in found.items():
        for group in groups:
            path = pictures.path_of(family, group)
            if path.exists():
                name = pages.picture_of(family, group)
                names.add(name)
                files.append(
                    File.generated(config, f"environments/pictures/{name}", abs_src_path=str(path))
                )
    return names


def environment_pages(found: dict[str, list[Group]], names: set[str]) -> dict[str, str]:
    """By address. What belongs to a page of docs/ goes to REFERENCES."""
    texts = {"environments/index.md": pages.overview(found, names)}
    for family, groups in found.items():
        uri, text = f"{family}.md", pages.reference(family, groups, names)
        if (ROOT / f"docs/{uri}").exists():
            REFERENCES[uri] = text
        else:
            texts[uri] = f"# {TITLES[family]}\n\n{text}"
    return texts


def markdown_of(source: str) -> str:
    """The text of a page or of a notebook."""
    text = (ROOT / source).read_text()
    return as_markdown(text) if source.endswith(".ipynb") else text


def shown(source: str) -> str:
    """A file of the repository as a page."""
    if source.endswith((".md", ".ipynb")):
        return with_links(source, markdown_of(source))
    text = (ROOT / source).read_text()
    language = LANGUAGES.get(PurePosixPath(source).suffix, "text")
    return f"# {PurePosixPath(source).name}\n\n`{source}`\n\n````{language}\n{text}````\n"
