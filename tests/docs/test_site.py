"""Links of pages as the site has them. That all lead somewhere is a step of its own: tools/site/build.py."""

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tools" / "site"))
from catalogue import groups_of
from links import ROOT, linked, target_of, with_links
from pages import AFTER_THE_FAMILIES, front, reference

PAGES = ["README.md", *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]


def test_links_that_leave_docs() -> None:
    text = "[a](../README.md#how-fast) [b](pool.md)\n```\n[c](../README.md)\n```\n[d](../examples/third_party)"
    assert with_links("docs/pool.md", text) == (
        "[a](index.md#how-fast) [b](pool.md)\n```\n[c](../README.md)\n```\n"
        "[d](files/examples/third_party.md)"
    )
    assert linked("docs/pool.md", text) == [
        "README.md",
        "docs/pool.md",
        "examples/third_party/README.md",
    ]


def test_pages_link_to_what_there_is() -> None:
    """In a clone too: no page leads to one that is written when the site is built."""
    for page in PAGES:
        for link in re.findall(r"\]\(([^)\s#]+)", (ROOT / page).read_text("utf-8")):
            if "://" not in link and not link.endswith((".svg", ".png", ".gif", ".webp")):
                assert target_of(page, link), f"{page}: {link}"


def test_tables_have_headers() -> None:
    """And an empty line, or a comment that marks them, before: without, the site shows their source."""
    for page in [*PAGES, "benchmarks/README.md"]:
        lines = ["", *(ROOT / page).read_text("utf-8").splitlines()]
        for number, line in enumerate(lines):
            if re.fullmatch(r"\|[-:| ]*-[-:| ]*\|", line):
                before, header = lines[number - 2 : number]
                assert not before or before.startswith("<!--"), f"{page}:{number - 1}"
                assert header.count("|") == line.count("|"), f"{page}:{number - 1}"


def test_a_section_says_all_of_an_environment() -> None:
    """Its picture, what its numbers mean, its options, and how fast it was measured to be."""
    groups = [group for group in groups_of("classic") if group.name == "CartPole"]
    page = reference("classic", groups, {"classic/cartpole.webp"})
    section = page[page.index("### CartPole") :]
    for words in (
        '<img class="film" src="environments/pictures/classic/cartpole.webp"',
        "Balance a pole on a cart, 500 steps.",
        "| 3 | angular velocity of the pole | rad/s |  |  |",
        "| action | meaning |\n|---|---|\n| 0 | push the cart to the left |",
        "Reward: 1 for every step",
        "Ends: the cart is",
        "Equals: Gymnasium CartPole-v1 ([how that is tested](#exactness))",
        "[Options](#all-options): `sutton_barto_reward`.",
        "to EnvPool",
    ):
        assert words in section
    measured = section[section.index("to EnvPool") :]
    assert all(f"| {each} " in measured for each in ("CartPole-v0", "CartPole-v1"))


def test_the_front_page_shows_every_family() -> None:
    assert AFTER_THE_FAMILIES in (ROOT / "README.md").read_text("utf-8")
    page = front({"classic": groups_of("classic")}, {"classic/cartpole.webp"})
    assert '<a href="classic.html"><img src="environments/pictures/classic/cartpole.webp"' in page
