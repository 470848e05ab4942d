"""The ways in which a check ends when it does not pass."""


class Finding(AssertionError):
    """A promise that is not kept. The message says which, where it was seen, and what to change."""


class Inapplicable(Exception):
    """The check has nothing to look at: the environment does not offer what it is about."""
