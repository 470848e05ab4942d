"""The page that shows a Player: a server on the loopback interface, at an address with a random token.

The server answers only to the loopback's own names; otherwise a page of another site could let its name
resolve to this address. The address is not sent to other machines.
"""

from __future__ import annotations

import json
import secrets
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from io import BytesIO
from socket import SHUT_RDWR
from threading import BoundedSemaphore, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from parallel_pool.errors import OptionError

from parallel_pool_watch.live.player import Player
from parallel_pool_watch.mosaic import Picture
from parallel_pool_watch.watch import Watch

_HOST = "127.0.0.1"
_FILES = {
    "": ("page.html", "text/html; charset=utf-8"),
    "page.js": ("page.js", "text/javascript; charset=utf-8"),
    "page.css": ("page.css", "text/css; charset=utf-8"),
}
_LONGEST_ORDER = 1000
CONNECTIONS = 32
"""At the same time, each with a thread. A browser opens six."""
_SECONDS = 5.0
"""Seconds that a request for a picture waits for a new one."""


def as_jpeg(picture: Picture) -> bytes:
    """The picture as a JPEG file. Needs Pillow."""
    from PIL import Image

    file = BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=88)
    return file.getvalue()


class PageServer(ThreadingHTTPServer):
    """Serves one Player at `address`. port 0: any free port. Raises OptionError if the port is taken."""

    daemon_threads = True

    def __init__(self, player: Player, port: int = 0) -> None:
        self.player = player
        self.token = secrets.token_urlsafe(24)
        self._free = BoundedSemaphore(CONNECTIONS)
        self.awaited: dict[Any, None] = {}
        """The connections whose next request has not arrived, or not with the token, the oldest first."""
        try:
            super().__init__((_HOST, port), _Handler)
        except (OSError, OverflowError) as error:
            raise OptionError(
                f"port {port} cannot be used ({error}); --port 0 takes a free one"
            ) from error

    @contextmanager
    def serving(self) -> Iterator[Thread]:
        """Serves in a thread of its own: signals interrupt the main thread, and so no request."""
        thread = Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield thread
        finally:
            self.shutdown()
            thread.join()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Beyond the limit, the client that has sent no whole request for the longest is let go: slow ones take
        no more threads, and keep nobody out."""
        if not self._free.acquire(blocking=False):
            for slowest in list(self.awaited)[:1]:
                with suppress(OSError):  # it has just been closed
                    slowest.shutdown(SHUT_RDWR)
            if not self._free.acquire(timeout=_SECONDS):
                self.shutdown_request(request)
                return
        self.awaited[request] = None  # here, because threads begin in any order
        try:
            super().process_request(request, client_address)
        except Exception:  # no thread, which would release it
            self._released(request)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Does what ThreadingHTTPServer does, and counts it."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._released(request)

    def _released(self, request: Any) -> None:
        self.awaited.pop(request, None)
        self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores connections that the browser has closed."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def names(self) -> tuple[str, str]:
        """The host names that requests may use."""
        return f"{_HOST}:{self.server_port}", f"localhost:{self.server_port}"

    @property
    def address(self) -> str:
        """The address of the page, with the token."""
        return f"http://{self.names[0]}/{self.token}/"


def serve(build: Callable[[], Watch], port: int) -> None:
    """Serves the page of what `build` makes until Ctrl-C, and prints its address."""
    # SDL, which draws some environments, would otherwise catch it, and nothing would end.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        Player(build, as_jpeg) as player,
        PageServer(player, port) as server,
        server.serving() as thread,
    ):
        try:
            print(
                f"{server.address}\nOpen it in a browser on this machine; Ctrl-C ends.", flush=True
            )
            while thread.is_alive():
                thread.join(0.2)  # Windows tells of Ctrl-C when a wait ends
        except KeyboardInterrupt:
            print()


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    protocol_version = "HTTP/1.1"
    timeout = 30

    def handle_one_request(self) -> None:
        self.server.awaited[self.connection] = None
        super().handle_one_request()

    def do_GET(self) -> None:
        part, query = self._part()
        if part is None:
            return
        if part in _FILES:
            name, kind = _FILES[part]
            file = resources.files("parallel_pool_watch.live").joinpath("static", name)
            self._answer(file.read_bytes(), kind)
        elif part == "status":
            self._answer(json.dumps(self.server.player.status()).encode(), "application/json")
        elif part == "frame":
            self._frame(query)
        else:
            self._refuse(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        part, _ = self._part()
        if part is None:
            return
        # Pages of other sites can post forms to here, but not this type.
        if part != "order" or self.headers.get("Content-Type") != "application/json":
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        try:
            size = int(self.headers.get("Content-Length", ""))
            if not 0 < size <= _LONGEST_ORDER:
                raise ValueError("too long")
            order = json.loads(self.rfile.read(size))
            self.server.player.order(order["what"], order.get("value"))
        except (OptionError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        self._answer(b"{}", "application/json")

    def _part(self) -> tuple[str | None, str]:
        """The path after the token, and the query; None if the request was refused."""
        url = urlsplit(self.path)
        _, token, part = [*url.path.split("/", 2), "", ""][:3]
        known = secrets.compare_digest(token.encode(), self.server.token.encode())
        hosts = self.headers.get_all("Host", [])
        if not known or len(hosts) != 1 or hosts[0] not in self.server.names:
            self._refuse(HTTPStatus.NOT_FOUND)
            return None, ""
        self.server.awaited.pop(self.connection, None)
        return part, url.query

    def _frame(self, query: str) -> None:
        try:
            after = int(parse_qs(query).get("after", ["0"])[0])
        except ValueError:
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        found = self.server.player.frame(after, _SECONDS)
        if found is None:
            self._answer(b"", "image/jpeg", HTTPStatus.NO_CONTENT)
        else:
            self._answer(found[1], "image/jpeg", number=found[0])

    def _answer(
        self,
        body: bytes,
        kind: str,
        status: HTTPStatus = HTTPStatus.OK,
        number: int | None = None,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status != HTTPStatus.NO_CONTENT:
            self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header(
            "Content-Security-Policy", "default-src 'self'; img-src 'self' blob: data:"
        )
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        if number is not None:
            self.send_header("X-Frame-Number", str(number))
        self.end_headers()
        self.wfile.write(body)

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True  # whatever follows in the request was not read
        self._answer(status.phrase.encode(), "text/plain; charset=utf-8", status)

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing, because addresses contain the token."""
