"""Errors of `make` that EnvPool's callers catch too: EnvPool raises AssertionErrors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from parallel_pool import OptionError, UnknownEnvError


class BadArgumentError(OptionError, AssertionError):
    """An argument is not allowed."""


class UnknownTaskError(UnknownEnvError, AssertionError):
    """There is no such id."""


@contextmanager
def asserting() -> Iterator[None]:
    """Raises OptionError and UnknownEnvError as AssertionErrors too, but not subclasses of OptionError."""
    try:
        yield
    except UnknownEnvError as error:
        raise UnknownTaskError(str(error), error.suggestions) from None
    except OptionError as error:
        if type(error) is not OptionError:
            raise
        raise BadArgumentError(str(error)) from None
