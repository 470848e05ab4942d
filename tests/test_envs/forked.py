"""Programs that are forked from a process which has imported what they need.

Importing it anew would take longer than most of them. `serve` is that process, and `Forked` starts it and
speaks with it.
"""

import gc
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def serve(run: Callable[[dict[str, Any]], None]) -> None:
    """Calls run(request) in a process of its own for each line of standard input.

    That has a session, the variables request["environment"], and says what it says to request["folder"]/output
    and errors. The answers, on standard output: the id of the process, then its exit status.
    """
    gc.collect()
    gc.freeze()  # else each process copies the pages of all that is here when it ends
    for line in sys.stdin:
        request = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os.setsid()
            folder = Path(request["folder"])
            for number, name in ((0, os.devnull), (1, folder / "output"), (2, folder / "errors")):
                file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
                os.dup2(file, number)
                os.close(file)
            os.environ.clear()
            os.environ.update(request["environment"])
            run(request)
            return
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


class Forked:
    """The processes that a program forks, which calls `serve`."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self.parent = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            bufsize=0,  # or an answer could wait in a buffer, where select() does not see it
            start_new_session=True,
        )

    def run(self, limit: float, **request: Any) -> tuple[int | None, str, str]:
        """Exit status, None if it was hung, and what it said and complained about."""
        assert self.parent.stdin is not None
        assert self.parent.stdout is not None
        with tempfile.TemporaryDirectory() as folder:
            self.parent.stdin.write(json.dumps({**request, "folder": folder}).encode() + b"\n")
            pid = int(self.parent.stdout.readline())
            ended: list[object] = []
            try:
                ended = select.select([self.parent.stdout], [], [], limit)[0]
            finally:  # Ctrl-C too leaves no process, and no answer unread
                if not ended:
                    os.killpg(pid, signal.SIGABRT)
                status = int(self.parent.stdout.readline())
            said = [Path(folder, name).read_text(errors="replace") for name in ("output", "errors")]
        return status if ended else None, *said

    def close(self) -> None:
        self.parent.communicate()
