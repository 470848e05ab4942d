"""Writes pages from the environments' specs: a grid of all, and the lists at the end of a family's page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from catalogue import TITLES, Entry, Group, folders, infos, options
from gymnasium import spaces
from links import ROOT
from parallel_pool.cli.info import allowed
from parallel_pool.schema.meanings import HEAD, rows
from speeds import table

MOST_USERS = 4
"""So many ids that alone have an option are named."""
PICTURES = "environments/pictures"
"""The folder of pictures, from a family's page."""
AFTER_THE_FAMILIES = "## How fast\n"
"""The line of the README before which the front page shows the families."""
FEWEST_TOGETHER = 10
"""So many environments with the same first word make a grid of their own."""


def overview(families: dict[str, list[Group]], pictures: set[str]) -> str:
    """All environments as a grid of pictures."""
    total = sum(len(group.entries) for groups in families.values() for group in groups)
    lines = [
        "# All environments",
        "",
        f"This page shows all environments: {total:,} ids in {len(families)} families. Pictures show five "
        "seconds of random actions. `parallel-pool list` prints the installed ids, `parallel-pool info ID` the "
        "spaces and options of one.",
        "",
    ]
    for family, groups in families.items():
        lines += [
            f"## [{TITLES[family]}](../{family}.md)",
            "",
            *grid(family, groups, pictures, index=True),
        ]
    return "\n".join(lines)


def front(families: dict[str, list[Group]], pictures: set[str]) -> str:
    """The families as a grid of pictures, each of its environment for demonstrations."""
    lines = ["## Environments", "", '<div class="environments">']
    for family, groups in families.items():
        demo = folders()[family].demo
        of = next((each for each in groups if demo in (e.id for e in each.entries)), groups[0])
        name, total = picture_of(family, of), sum(len(group.entries) for group in groups)
        picture = f"<img {image(name, of)}>" if name in pictures else "<span></span>"
        lines.append(f'<a href="{family}.html">{picture}{TITLES[family]}: {total} ids</a>')
    return "\n".join([*lines, "</div>", "", "[All environments](environments/index.md)", ""])


def reference(family: str, groups: list[Group], pictures: set[str]) -> str:
    """Pictures, options, infos, ids, spaces and meanings of one family."""
    entries = [entry for group in groups for entry in group.entries]
    declared, users = options(entries)
    lines = [
        "## Reference",
        "",
        "The lists below are generated from the specs of the installed package.",
        "",
        *grid(family, groups, pictures),
        "### All options { #all-options }",
        "",
        "These are keyword arguments of `make`, in addition to the "
        "[arguments of every pool](pool.md#arguments-every-environment-takes).",
        "",
        "| option | default | allowed | meaning |",
        "|---|---|---|---|",
        *(option_row(each, users.get(name)) for name, each in declared.items()),
        "",
        *info_rows(entries),
    ]
    for group in groups:
        lines += [f"### {group.name} {{ #{group.slug} }}", ""]
        if (name := picture_of(family, group)) in pictures:
            lines += [f'<img class="film" {image(name, group)}>', ""]
        lines += group_rows(group)
    return "\n".join(lines)


def grid(
    family: str, groups: list[Group], pictures: set[str], index: bool = False
) -> Iterator[str]:
    """A picture for each group, linked to where it is described. index: on the page of all environments."""
    page, folder = (f"../{family}.html", "pictures") if index else ("", PICTURES)
    for title, some in mosaics(groups):
        if title:
            yield f"{title}:"
            yield ""
        yield from mosaic(family, some, pictures, page, folder)
        yield ""


def mosaics(groups: list[Group]) -> Iterator[tuple[str, list[Group]]]:
    """The groups as they are shown together: where all names have one of a few first words, by that word."""
    by_word: dict[str, list[Group]] = {}
    for group in groups:
        by_word.setdefault(group.name.partition("-")[0], []).append(group)
    if len(by_word) > 1 and min(map(len, by_word.values())) >= FEWEST_TOGETHER:
        yield from by_word.items()
    else:
        yield "", groups


def mosaic(
    family: str, groups: list[Group], pictures: set[str], page: str, folder: str
) -> Iterator[str]:
    """One grid."""
    yield '<div class="environments">'
    for group in groups:
        name = picture_of(family, group)
        picture = f"<img {image(name, group, folder)}>" if name in pictures else "<span></span>"
        yield f'<a href="{page}#{group.slug}">{picture}{group.name}</a>'
    yield "</div>"


def picture_of(family: str, group: Group) -> str:
    """The name of its file."""
    return f"{family}/{group.slug}.webp"


def image(name: str, group: Group, folder: str = PICTURES) -> str:
    """The attributes of a picture."""
    return f'src="{folder}/{name}" alt="{group.name}" loading="lazy"'


def info_rows(entries: list[Entry]) -> Iterator[str]:
    """A table of the entries that the environments add to `info`."""
    found, users = infos(entries)
    if not found:
        return
    yield "### All entries of info { #all-infos }"
    yield ""
    yield (
        "`info` has these entries of the environments, in addition to "
        '[those of every pool](pool.md). `infos="minimal"` leaves them out.'
    )
    yield ""
    yield "| entry | one environment's | ids |"
    yield "|---|---|---|"
    for name, entry in found.items():
        yield f"| `{name}` | {space(entry)} | {named(users.get(name)) or 'all'} |"
    yield ""


def group_rows(group: Group) -> Iterator[str]:
    """The ids of a group: spaces, meanings, options and speed."""
    yield group.shown.summary + "."
    yield ""
    yield "| id | also as | observation | action | steps |"
    yield "|---|---|---|---|--:|"
    for entry in group.entries:
        also = ", ".join(f"`{alias}`" for alias in (entry.id, *entry.aliases))
        yield f"| `{entry.id.partition('/')[2]}` | {also} | {spaces_and_steps(entry)} |"
    yield ""
    if group.shown.about is not None and len(group.entries) > 1:
        yield f"Of `{group.shown.id.partition('/')[2]}`:"
        yield ""
    yield from meanings(group.shown)
    if names := options(group.entries)[0]:
        shown = ", ".join(f"`{name}`" for name in names)
        yield f"[Options](#all-options): {shown}."
        yield ""
    if measured := table(entry.id for entry in group.entries):
        yield "Speed, [as measured on the page of every id](speed.md):"
        yield ""
        yield measured


def meanings(entry: Entry) -> Iterator[str]:
    """Tables of the meanings of an environment's numbers."""
    about = entry.about
    if about is None or entry.spec is None:
        return
    tables = (
        ("observation", about.observation, entry.spec.observation_space),
        ("action", about.action, entry.spec.action_space),
    )
    for name, parts, of in tables:
        if found := rows(parts, of):
            # A column in which nothing stands, as the unit of choices, is left out.
            columns = zip((name, *HEAD), *found, strict=True)
            said = [column for column in columns if any(column[1:])]
            head, *others = zip(*said, strict=True)
            yield f"| {' | '.join(head)} |"
            yield "|" + "|".join("--:" if each in ("low", "high") else "---" for each in head) + "|"
            yield from (f"| {' | '.join(map(cell, row))} |" for row in others)
            yield ""
    for name, text in (("Reward", about.reward), ("Ends", about.ends)):
        if text:
            yield f"{name}: {cell(text)}."
            yield ""
    if about.original:
        yield f"Equals: {cell(about.original)}{proof(entry)}."
        yield ""


def proof(entry: Entry) -> str:
    """Where the family's page says how equality is tested."""
    page = ROOT / f"docs/{entry.id.partition('/')[0]}.md"
    there = page.exists() and "\n## Exactness\n" in page.read_text("utf-8")
    return " ([how that is tested](#exactness))" if there else ""


def spaces_and_steps(entry: Entry) -> str:
    """Three cells."""
    if entry.spec is None:
        return f"{cell(entry.unavailable)} | | "
    steps = entry.spec.config.max_episode_steps
    cells = (space(entry.spec.observation_space), space(entry.spec.action_space))
    return f"{' | '.join(cells)} | {f'{steps:,}' if steps else ''}"


def space(of: spaces.Space[Any]) -> str:
    """In a few words."""
    if isinstance(of, spaces.Dict):
        return "<br>".join(f"`{key}`: {space(each)}" for key, each in of.spaces.items())
    if isinstance(of, spaces.Text):
        return f"a text of up to {of.max_length} characters"
    if isinstance(of, spaces.Tuple):
        return ", ".join(space(each) for each in of.spaces)
    if isinstance(of, spaces.Discrete):
        return f"{of.n} choices" if of.start == 0 else f"{of.start} to {of.start + of.n - 1}"
    if isinstance(of, spaces.MultiDiscrete):
        return " x ".join(map(str, np.ravel(of.nvec))) + " choices"
    if isinstance(of, spaces.MultiBinary):
        return f"{np.prod(of.n)} flags"
    if isinstance(of, spaces.Box):
        shape = " x ".join(map(str, of.shape)) or "one"
        if (not of.is_bounded("below") and not of.is_bounded("above")) or _any_integer(of):
            return f"{shape} {of.dtype}"
        low, high = (f"{float(bound):.4g}" for bound in (of.low.min(), of.high.max()))
        return f"{shape} {of.dtype}, {low} to {high}"
    return cell(repr(of))


def _any_integer(of: spaces.Box) -> bool:
    """True if all numbers of a wide type are in it."""
    if of.dtype is None or of.dtype.kind not in "iu" or of.dtype.itemsize == 1:
        return False
    limits = np.iinfo(of.dtype)
    return bool((of.low == limits.min).all() and (of.high == limits.max).all())


def option_row(option: dict[str, Any], users: list[str] | None) -> str:
    """users: the ids that alone have it."""
    # Braces at the end of a cell would be read as its attributes.
    meaning = cell(option["doc"]).replace("{", "&#123;")
    if users:
        meaning += f" (only {named(users)})"
    default = cell(repr(option["default"]))
    return f"| `{option['name']}` | `{default}` | {cell(allowed(option))} | {meaning} |"


def named(ids: list[str] | None) -> str:
    """Some ids, and how many more; none: empty."""
    if not ids:
        return ""
    names = ", ".join(f"`{each.partition('/')[2]}`" for each in ids[:MOST_USERS])
    return names + (f" and {len(ids) - MOST_USERS} more" if len(ids) > MOST_USERS else "")


def cell(text: str) -> str:
    """The text as it may stand in a table."""
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")
