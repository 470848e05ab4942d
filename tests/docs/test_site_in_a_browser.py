"""The site in a real browser, opened from files: nothing is cut off, and the search finds.

Needs the site: python tools/site/build.py. `.ci/run` builds it and runs this.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import MISSING, Browser

HTML = Path(__file__).parents[2] / "build/site/html"
PAGES = [path for path in sorted(HTML.rglob("*.html")) if path.name != "404.html"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(MISSING),
        reason="no browser: run `apt-get install chromium chromium-driver`, as .ci/run does",
    ),
    pytest.mark.skipif(not PAGES, reason="no site: run `python tools/site/build.py`"),
]

CUT_OFF = """
const shown = (e) => e.offsetParent !== null;
const wide = (e) => e.scrollWidth > e.clientWidth + 1;
const found = [];
if (document.scrollingElement.scrollWidth > innerWidth) found.push("the page");
for (const code of document.querySelectorAll(".md-content pre > code"))
  if (shown(code) && wide(code)) found.push("code: " + code.innerText.slice(0, 60));
for (const table of document.querySelectorAll(".md-content table")) {
  const around = table.closest(".md-typeset__scrollwrap") || table.parentElement;
  if (shown(table) && (table.scrollWidth > around.clientWidth + 1 || wide(around)))
    found.push("table: " + table.innerText.slice(0, 60));
}
for (const image of document.querySelectorAll(".md-content img"))
  if (shown(image) && image.getBoundingClientRect().right > innerWidth) found.push(image.src.slice(-60));
return found;
"""

BROKEN_NAMES = """
// Names in the first column of a table take one line each, where the table is one.
return [...document.querySelectorAll(".md-content td:first-child > code:only-child")]
  .filter((e) => getComputedStyle(e.parentElement).display === "table-cell" && !/[ ,-]/.test(e.innerText))
  .filter((e) => e.getClientRects().length > 1).map((e) => e.innerText);
"""


@pytest.fixture
def browser(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Browser]:
    with Browser(tmp_path, getattr(request, "param", 1280), 900) as opened:
        yield opened


@pytest.mark.parametrize("browser", [400, 800, 1280], indirect=True)
def test_nothing_is_cut_off(browser: Browser) -> None:
    found: dict[str, Any] = {}
    for page in PAGES:
        browser.open(page.as_uri())
        name = page.relative_to(HTML).as_posix()
        if cut := browser.run(CUT_OFF) + browser.run(BROKEN_NAMES):
            found[name] = cut[:3]
    assert not found


def test_the_search_finds_without_a_server(browser: Browser) -> None:
    browser.open((HTML / "index.html").as_uri())
    browser.run(
        "document.querySelector('[data-md-toggle=search]').click();"
        "const field = document.querySelector('.md-search__input'); field.focus();"
        "field.value = 'batch_order'; field.dispatchEvent(new Event('input', {bubbles: true}));"
        "field.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}));"
    )

    def links() -> Any:
        return browser.run(
            "return [...document.querySelectorAll('.md-search-result__link')].map((e) => e.href)"
        )

    found = browser.until(links, 30)
    assert any("pool.html" in link for link in found)
    assert all(link.startswith("file:") for link in found)


def test_nothing_comes_from_elsewhere(browser: Browser) -> None:
    for name in ("index.html", "classic.html", "files/examples/notebooks/first_policy.ipynb.html"):
        browser.open((HTML / name).as_uri())
        fetched = browser.run("return performance.getEntriesByType('resource').map((e) => e.name)")
        assert not [each for each in fetched if each.startswith("http")]
        assert not [line for line in browser.log() if "Failed to load" in line]
        broken = browser.run(
            "for (const image of document.images) image.loading = 'eager';"
            "return [...document.images].filter((e) => e.complete && !e.naturalWidth).map((e) => e.src)"
        )
        assert not broken
