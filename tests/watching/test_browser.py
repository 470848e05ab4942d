"""The page in a real browser: pictures move, and every control does what it says."""

import json
from pathlib import Path

import pytest
from browser import MISSING, Browser
from test_envs.watched import served

pytest.importorskip("parallel_pool_classic")
pytestmark = pytest.mark.skipif(
    bool(MISSING),
    reason="no browser: run `apt-get install chromium chromium-driver`, as .ci/run does",
)


def step_shown(browser: Browser) -> int:
    words = browser.text("#facts").split(", ")
    return int(words[1].removeprefix("step ")) if len(words) > 1 else -1


def test_the_page_as_a_user_has_it(tmp_path: Path) -> None:
    with served() as server, Browser(tmp_path) as browser:
        browser.open(server.address)
        browser.until(lambda: step_shown(browser) > 4)
        assert browser.text("#id") == "classic/FrozenLake-v1"

        def picture() -> str:
            return str(browser.run("return document.getElementById('mosaic').src"))

        first = browser.until(picture)
        browser.until(lambda: picture() != first)
        assert browser.run("return document.getElementById('mosaic').naturalWidth") > 200

        browser.click("#play")
        browser.until(lambda: browser.text("#play") == "Play")
        assert "paused" in browser.text("#facts")
        step = step_shown(browser)
        browser.click("#step")
        browser.until(lambda: step_shown(browser) == step + 1)

        # The slider, as a hand moves it.
        browser.run(
            "const slider = document.getElementById('moment'); slider.value = 2;"
            "for (const kind of ['input', 'change']) slider.dispatchEvent(new Event(kind));"
        )
        browser.until(lambda: step_shown(browser) == 2)
        assert browser.text("#at") == "2"
        assert browser.run("return document.getElementById('moment').max") == str(step + 1)

        browser.run(
            "const select = document.getElementById('speed'); select.value = '0';"
            "select.dispatchEvent(new Event('change'));"
        )
        browser.click("#play")
        browser.until(lambda: step_shown(browser) > 150)
        browser.until(lambda: "mean" in browser.text("#return_now"))
        for plot in ("speeds", "returns", "lengths"):
            inked = browser.until(
                lambda plot=plot: browser.run(
                    "const plot = document.getElementById(arguments[0]);"
                    "const data = plot.getContext('2d').getImageData(0, 0, plot.width, plot.height).data;"
                    "return data.reduce((inked, value) => inked + (value > 0), 0)",
                    plot,
                )
            )
            assert inked > 100
        assert browser.log() == []


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(tmp_path: Path, width: int) -> None:
    with served() as server, Browser(tmp_path, width, 900) as browser:
        browser.open(server.address)
        browser.until(lambda: step_shown(browser) > 0)
        sizes = browser.run(
            "const root = document.documentElement; return [root.scrollWidth, innerWidth]"
        )
        assert sizes[0] <= sizes[1], json.dumps(sizes)
