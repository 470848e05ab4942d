"""The conformance kit, by the name under which plugins import it: it is in the wheel parallel-pool-author."""

from parallel_pool.imports.libraries import of_wheel

with of_wheel(__name__, "parallel_pool_author", "author"):
    from parallel_pool_author.testing import *  # noqa: F403
    from parallel_pool_author.testing import __all__ as __all__
