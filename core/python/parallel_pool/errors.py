"""Errors and warnings of ParallelPool. Standard library only, so that anything may import it.

Every message names the plugin and its version where one is involved, the expected value, and the command
that fixes the problem. All errors derive from `ParallelPoolError` and can be pickled.
"""

from collections.abc import Sequence


class ParallelPoolError(Exception):
    """The base class of all errors of ParallelPool."""

    # KeyError, a base of UnknownEnvError, prints the repr of its message; this one stays readable.
    __str__ = Exception.__str__


class UnknownEnvError(ParallelPoolError, KeyError, ValueError):
    """No enabled plugin has this id, or the id was removed.

    `suggestions`: similar canonical ids, nearest first; may be empty.
    """

    def __init__(self, message: str, suggestions: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.suggestions = tuple(suggestions)


class AmbiguousEnvError(ParallelPoolError, ValueError):
    """A short id matches several environments. `candidates`: their canonical ids, sorted."""

    def __init__(self, message: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class OptionError(ParallelPoolError, ValueError):
    """An option is unknown, of the wrong type, out of range, or names a file or value that does not exist."""


class UnknownArgumentError(OptionError, TypeError):
    """An argument of `make` is neither an argument of pools nor an option of the environment.

    Also a TypeError with "unexpected keyword argument 'x'" in its message: some libraries look for these words
    and try again without x.
    """


class PluginError(ParallelPoolError, RuntimeError):
    """A plugin cannot be used: its library is missing, damaged or of another ABI, or a hook failed."""


class LibraryError(ParallelPoolError, ImportError):
    """A library that is needed is missing, too old, or was half loaded when this process was forked.

    The message says what helps: the command that installs it, or an import before the fork.
    """


class OversubscriptionWarning(UserWarning):
    """There are more threads than CPUs. Everything works, but may be slower."""


class WaitingEnvsWarning(UserWarning):
    """Python environments wait in their steps, one after another in each worker of the pool.

    Everything works, but more workers would be faster. See docs/python-environments.md.
    """


class LostInfoWarning(UserWarning):
    """A Python environment returned an info that cannot be sent to the pool's process, or opened there, or one
    whose key is taken.

    The info is left out; the rest of the step's result is complete.
    """


class PluginWarning(UserWarning):
    """A plugin was skipped, lost some environments, or is slow to list. Other plugins are not affected."""
