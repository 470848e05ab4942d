"""What ParallelPool raises and warns with. Standard library only, so that anything may import it.

Every message names the plugin and its version where one is involved, says what was expected and
which command fixes it. All errors derive from `ParallelPoolError` and survive pickling.
"""

from collections.abc import Sequence


class ParallelPoolError(Exception):
    """Base of every error ParallelPool raises on purpose."""

    # KeyError, a base of UnknownEnvError, prints the repr of its message; this one stays readable.
    __str__ = Exception.__str__


class UnknownEnvError(ParallelPoolError, KeyError, ValueError):
    """No enabled plugin has this id, or the id was removed.

    `suggestions`: canonical ids the user may have meant, nearest first; may be empty.
    """

    def __init__(self, message: str, suggestions: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.suggestions = tuple(suggestions)


class AmbiguousEnvError(ParallelPoolError, ValueError):
    """A short id means several environments. `candidates`: their canonical ids, sorted."""

    def __init__(self, message: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class OptionError(ParallelPoolError, ValueError):
    """An option is unknown, of the wrong type, out of range, or names what cannot be found."""


class UnknownArgumentError(OptionError, TypeError):
    """`make` was given an argument that neither all pools take nor the environment. As a function would,
    it says "unexpected keyword argument 'x'": some libraries look for those words, and go on without x."""


class PluginError(ParallelPoolError, RuntimeError):
    """A plugin is unusable: library missing, truncated, no plugin; ABI refused; hook failed."""


class LibraryError(ParallelPoolError, ImportError):
    """A library that `parallel_pool.integrations` has an adapter for is missing, or too old for it."""


class OversubscriptionWarning(UserWarning):
    """There are more threads than CPUs to run them; everything works, slower than it might."""


class WaitingEnvsWarning(UserWarning):
    """Environments written in Python wait in their steps, one after another in each of a pool's workers;
    everything works, slower than it might. See docs/python-environments.md."""


class LostInfoWarning(UserWarning):
    """A Python environment gave an info that cannot be sent to the pool's process, or opened there. The
    info is left out; the rest of the step is as it should be."""


class PluginWarning(UserWarning):
    """A plugin was skipped, lost some of its environments, or is slow to list. Others go on."""
