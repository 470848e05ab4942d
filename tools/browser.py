"""A headless Chromium, by way of chromedriver and the WebDriver protocol: what a user does and sees."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)

MISSING = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
"""The programs of a browser that are missing here."""


class Browser:
    """One window of `width` x `height` pixels, with a profile of its own in `folder`."""

    def __init__(self, folder: Path, width: int = 1280, height: int = 800) -> None:
        self._driver = subprocess.Popen(
            ["chromedriver", "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._driver.stdout is not None
        for line in self._driver.stdout:
            if "successfully on port " in line:
                self._root = f"http://127.0.0.1:{line.rpartition('port ')[2].strip().rstrip('.')}"
                break
        options: dict[str, Any] = {
            "args": [*_ARGUMENTS, f"--window-size={width},{height}", f"--user-data-dir={folder}"],
        }
        if width < 500:  # no window is narrower
            size = {"width": width, "height": height, "pixelRatio": 1.0}
            options["mobileEmulation"] = {"deviceMetrics": size}
        chosen = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": chosen}})
        self._session = f"/session/{answer['sessionId']}"

    def open(self, address: str) -> None:
        """Goes to a page."""
        self._ask("POST", f"{self._session}/url", {"url": address})

    def run(self, script: str, *arguments: Any) -> Any:
        """The result of a script in the page."""
        body = {"script": script, "args": list(arguments)}
        return self._ask("POST", f"{self._session}/execute/sync", body)

    def text(self, selector: str) -> str:
        """The text that an element shows."""
        return str(self.run("return document.querySelector(arguments[0]).innerText", selector))

    def click(self, selector: str) -> None:
        """With the mouse, so the element has to be visible."""
        found = self._ask(
            "POST", f"{self._session}/element", {"using": "css selector", "value": selector}
        )
        self._ask("POST", f"{self._session}/element/{found[_ELEMENT]}/click", {})

    def log(self) -> list[str]:
        """Warnings and errors of the console since the last call."""
        answer = self._ask("POST", f"{self._session}/se/log", {"type": "browser"})
        return [entry["message"] for entry in answer]

    def screenshot(self, path: Path) -> None:
        """A PNG of the window."""
        path.write_bytes(base64.b64decode(self._ask("GET", f"{self._session}/screenshot")))

    def until(self, condition: Callable[[], Any], seconds: float = 90) -> Any:
        """The condition's value, as soon as that is true."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            assert time.monotonic() < end, "nothing changed in the browser"
            time.sleep(0.05)
        return found

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._root + path, data, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ask("DELETE", self._session)
        self._driver.terminate()
        self._driver.communicate()
