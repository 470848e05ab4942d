"""The commands that wheels of their own have: their modules have `add_arguments(parser)` and `run(args)`."""

from argparse import ArgumentParser
from typing import Any, NamedTuple

from parallel_pool.cli.assignments import add_option
from parallel_pool.imports.libraries import imported


class OfAWheel(NamedTuple):
    """Where a command is; `extra` installs it."""

    module: str
    extra: str
    help: str
    makes_pools: bool = False
    """Then it takes `--option`, and `args.option` is a dict for `make`."""

    def load(self, command: str) -> Any:
        """Its module. Raises LibraryError without the wheel."""
        return imported(self.module, "0", f"`parallel-pool {command}`", extra=self.extra)

    def add_arguments(self, command: str, parser: ArgumentParser) -> None:
        """Declare its arguments. Raises LibraryError."""
        self.load(command).add_arguments(parser)
        if self.makes_pools:
            add_option(parser)


OF_WHEELS = {
    "evaluate": OfAWheel(
        "parallel_pool_learning.evaluating.command",
        "learning",
        "play episodes of chosen seeds with a policy, and say how good it is",
        makes_pools=True,
    ),
    "watch": OfAWheel(
        "parallel_pool_watch.command",
        "watch",
        "make a film of environments, or show them live in a browser",
        makes_pools=True,
    ),
    "new": OfAWheel(
        "parallel_pool_author.cli.new", "author", "create a plugin project from the template"
    ),
    "dev": OfAWheel(
        "parallel_pool_author.cli.dev",
        "author",
        "build a plugin that you write and check it, again at every save",
    ),
    "check": OfAWheel(
        "parallel_pool_author.cli.check",
        "author",
        "run the conformance kit on a plugin; exit status 1 if it fails",
    ),
}
