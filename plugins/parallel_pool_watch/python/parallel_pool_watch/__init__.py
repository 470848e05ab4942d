"""Watching environments: a mosaic of their pictures with returns, as a film (`parallel-pool[watch]`).

For `parallel-pool watch`, and `film` for programs and notebooks. See docs/watching.md.
"""

from parallel_pool_watch.inline import Filmed, film

__all__ = ["Filmed", "film"]
