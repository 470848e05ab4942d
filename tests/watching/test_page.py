"""The server of the page: which requests it answers."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import pytest
from parallel_pool.errors import OptionError
from parallel_pool_watch.live.page import CONNECTIONS, PageServer
from test_envs.threads import until
from test_envs.watched import player, served

pytest.importorskip("parallel_pool_classic")

JSON = {"Content-Type": "application/json"}
PAUSE = json.dumps({"what": "pause"})


def ask(
    server: PageServer,
    path: str = "",
    order: str | bytes | None = None,
    headers: dict[str, str] | None = None,
) -> Any:
    """The answer to one request; its body is in `said`.

    path: below the server's address, unless it begins with a slash. order: what is posted.
    """
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    method, headers = ("GET", headers or {}) if order is None else ("POST", headers or JSON)
    root = "" if path.startswith("/") else urlsplit(server.address).path
    connection.request(method, root + path, order, headers)
    answer: Any = connection.getresponse()
    answer.said = answer.read()
    connection.close()
    return answer


def test_the_page_and_what_belongs_to_it() -> None:
    with served() as server:
        for part, kind in {
            "": "text/html",
            "page.js": "text/javascript",
            "page.css": "text/css",
        }.items():
            answer = ask(server, part)
            assert answer.status == 200
            assert answer.headers["Content-Type"].startswith(kind)
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'self';")
            assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert json.loads(ask(server, "status").said)["id"] == "classic/FrozenLake-v1"
        picture = ask(server, "frame?after=0")
        assert picture.said.startswith(b"\xff\xd8")
        assert int(picture.headers["X-Frame-Number"]) >= 1
        assert ask(server, "frame?after=x").status == 400
        assert ask(server, "order", PAUSE).status == 200
        assert ask(server, "nothing").status == 404
        assert ask(server, "../page.py").status == 404


def test_only_who_knows_the_address_is_answered() -> None:
    with served() as server:
        assert server.server_address[0] == "127.0.0.1"
        assert len(server.token) >= 32
        assert ask(server, "/").status == 404
        assert ask(server, "/status").status == 404
        assert ask(server, f"/{server.token[:-1]}/status").status == 404
        with socket.create_connection(("127.0.0.1", server.server_port)) as plain:
            plain.sendall(b"GET /\xe4\xff/status HTTP/1.1\r\n\r\n")
            assert plain.recv(20).startswith(b"HTTP/1.1 404")
        # Another site's name that resolves to here; another site's form.
        assert ask(server, headers={"Host": "evil.example"}).status == 404
        assert ask(server, "order", PAUSE, {"Content-Type": "text/plain"}).status == 404
        assert ask(server, "/x/order", PAUSE).status == 404
        assert ask(server, headers={"Host": f"localhost:{server.server_port}"}).status == 200


@pytest.mark.parametrize(
    "body", ["", "{}", "[]", "3", '{"what": 3}', '{"what": "fly"}', "x" * 2000, "[" * 900, "\xff"]
)
def test_orders_that_are_none_are_refused(body: str) -> None:
    with served() as server:
        assert ask(server, "order", body.encode("latin-1")).status == 400
        assert ask(server, "status").status == 200


def test_browsers_that_leave_say_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with served() as server:
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", server.server_port)) as leaving:
                leaving.sendall(f"GET /{server.token}/frame HTTP/1.1\r\n".encode())
                leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        assert ask(server).status == 200
    assert capsys.readouterr().err == ""


def test_a_port_that_is_taken() -> None:
    with served() as server, player() as playing, pytest.raises(OptionError, match="--port 0"):
        PageServer(playing, server.server_port)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_command_serves_until_it_is_told_to_end(how: signal.Signals) -> None:
    # CartPole is drawn by SDL, which catches signals where nothing else does.
    command = [sys.executable, "-m", "parallel_pool.cli", "watch", "CartPole-v1", "--num-envs", "2"]
    with subprocess.Popen([*command, "--serve"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            with urllib.request.urlopen(address + "frame?after=0", timeout=20) as answer:
                assert answer.read(2) == b"\xff\xd8"
            process.send_signal(how)
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()


def test_two_hosts_are_refused() -> None:
    with served() as server:
        path, name = urlsplit(server.address).path, server.names[0]
        for hosts, status in (([name], 200), ([name, name], 404), (["evil.example", name], 404)):
            with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as sock:
                lines = [f"GET {path} HTTP/1.1", *(f"Host: {each}" for each in hosts)]
                sock.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode())
                assert sock.makefile("rb").readline().split()[1] == str(status).encode()


def test_slow_clients_take_no_more_threads_than_the_limit() -> None:
    with served() as server:
        before = threading.active_count()
        at = ("127.0.0.1", server.server_port)
        slow = [socket.create_connection(at, timeout=20) for _ in range(60)]
        # Those that have said nothing for the longest are let go, by the end of the connection.
        for sock in slow[:-CONNECTIONS]:
            assert sock.recv(1) == b""
        assert threading.active_count() <= before + CONNECTIONS
        for sock in slow:
            sock.close()
        until(lambda: threading.active_count() <= before, 60)
        assert ask(server).status == 200


def test_half_requests_keep_no_browser_out() -> None:
    with served() as server:
        browser = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
        slow = []
        for _ in range(CONNECTIONS):
            slow.append(socket.create_connection(("127.0.0.1", server.server_port), timeout=20))
            slow[-1].sendall(b"GET /half HTTP/1.1\r\nHost: ")
        for _ in range(3):  # on connections of their own, and on one that is kept
            assert ask(server).status == 200
            browser.request("GET", urlsplit(server.address).path + "status")
            assert browser.getresponse().read()
        for sock in (*slow, browser):
            sock.close()
