"""A process that runs checks, so that a crash or an endless loop is a finding and not the end of the kit."""

from __future__ import annotations

import faulthandler
import os
import pickle
import re
import signal
import struct
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe
from typing import IO, Any, Generic, NoReturn, TypeVar

T = TypeVar("T")

LIMIT = 300.0
"""Seconds that one check may take, by default."""
GRACE = 5.0
"""The seconds beyond its limit that the child may take to say where it was."""

LATE = "did not end within"

AVAILABLE = hasattr(os, "fork") and sys.platform != "darwin"
"""Elsewhere (where nothing forks, and on macOS, whose own libraries do not survive it) checks run in the
process that asked for them."""


class EndedError(Exception):
    """The process ended before it answered. The text says how, and where it was."""


class TimeLimitError(EndedError):
    """It was ended, because it did not answer in time."""


class Examiner(Generic[T]):
    """A fork of this process that does one piece of work after the other, until one of them ends it.

    work: called there with what `ask` is given; what it returns has to be picklable. limit: seconds per piece.
    It is a fork and no new program because environments registered by this program, and references that are
    functions of it, have to be known there.
    """

    def __init__(self, work: Callable[[str], T], limit: float = LIMIT) -> None:
        self._limit = limit
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._read = 0
        self._connection, there = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # Python warns of threads that the child will not have; it only runs checks, and waits for none.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._pid = os.fork()
        if self._pid == 0:
            self._connection.close()
            _serve(there, work, limit, self._said)
        there.close()

    def ask(self, piece: str) -> T:
        """Returns what the work gives for this piece. Raises EndedError if the process ended instead."""
        try:
            self._connection.send(piece)
            if not self._connection.poll(self._limit + GRACE):
                raise EOFError
            answer: T = self._connection.recv()
        except (EOFError, OSError, pickle.UnpicklingError, struct.error):
            how = self._how_it_ended()
            late = how.startswith(LATE)
            raise (TimeLimitError if late else EndedError)(how) from None
        except BaseException:
            self.close()
            raise
        sys.stderr.write(self._what_it_said())
        return answer

    def close(self) -> None:
        """Ends the process, whatever it is doing."""
        if self._pid > 0:
            self._connection.close()
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = 0
            self._said.close()

    def _what_it_said(self) -> str:
        self._said.seek(self._read)
        text = self._said.read()
        self._read += len(text)
        return text.decode(errors="replace")

    def _how_it_ended(self) -> str:
        # A process that closed the connection may not have ended yet; one that does not answer is ended.
        end = time.monotonic() + GRACE
        pid, status = os.waitpid(self._pid, os.WNOHANG)
        while pid == 0 and time.monotonic() < end:
            time.sleep(0.01)
            pid, status = os.waitpid(self._pid, os.WNOHANG)
        said = self._what_it_said()
        if pid != 0:
            self._pid = 0
            self._connection.close()
            self._said.close()
        self.close()
        where = _where(said)
        if pid == 0 or "Timeout (" in said:
            return f"{LATE} {self._limit:g} seconds{where}"
        code = os.waitstatus_to_exitcode(status)
        if code >= 0:
            return f"ended the process with status {code}{where}{_last_line(said)}"
        name = signal.Signals(-code).name
        return f"crashed with {name}{where}{_last_line(said)}"


def _serve(connection: Connection, work: Callable[[str], Any], limit: float, said: Any) -> NoReturn:
    """The life of the child. It ends without what a program does at its end: that is the parent's."""
    status = 1
    try:
        os.dup2(said.fileno(), 2)
        sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
        faulthandler.enable(file=2, all_threads=True)
        while True:
            piece = connection.recv()
            faulthandler.dump_traceback_later(limit, exit=True, file=2)
            answer = work(piece)
            faulthandler.cancel_dump_traceback_later()
            sys.stdout.flush()
            sys.stderr.flush()
            connection.send(answer)
    except (EOFError, OSError, KeyboardInterrupt):
        status = 0
    except SystemExit as exit_:
        status = exit_.code if isinstance(exit_.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


_FRAME = re.compile(r'File "([^"]+)", line (\d+) in (\w+)')


def _where(said: str) -> str:
    """The innermost Python calls that faulthandler wrote."""
    found = [
        f"{function} ({'/'.join(file.split('/')[-2:])}:{line})"
        for file, line, function in _FRAME.findall(said)
        if "testing" in file.split("/")
    ]
    return f", in {', called by '.join(found[:2])}" if found else ""


SANITIZER = re.compile(r"runtime error: |\bSUMMARY: \w+Sanitizer: ")
"""Begins what a sanitizer says of a mistake."""


def _last_line(said: str) -> str:
    """Returns what a library, a sanitizer or the C++ runtime wrote before it gave up."""
    before = said.partition("Fatal Python error")[0].strip().splitlines()
    named = [line for line in before if SANITIZER.search(line)]
    for number, line in enumerate(before):
        if line.startswith("terminate called") and not named:  # what() is in the next line
            named = [" ".join(line.strip() for line in before[number : number + 2])]
    return f"; it said: {(named or before)[-1].strip()}" if before else ""
