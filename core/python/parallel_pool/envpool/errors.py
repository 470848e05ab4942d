"""Errors of `make` under the names that EnvPool's callers catch: it asserts where ours say what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from parallel_pool.errors import OptionError, UnknownEnvError


class BadArgumentError(OptionError, AssertionError):
    """An argument is not allowed."""


class UnknownTaskError(UnknownEnvError, AssertionError):
    """There is no such id."""


@contextmanager
def asserting() -> Iterator[None]:
    """OptionError and UnknownEnvError are AssertionErrors too; what is more special stays what it is."""
    try:
        yield
    except UnknownEnvError as error:
        raise UnknownTaskError(str(error), error.suggestions) from None
    except OptionError as error:
        if type(error) is not OptionError:
            raise
        raise BadArgumentError(str(error)) from None
