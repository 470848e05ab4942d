"""The conformance kit, by the name under which plugins import it: it is in the wheel parallel-pool-author."""

from parallel_pool.imports.libraries import imported

imported("parallel_pool_author", "0", __name__, extra="author")
from parallel_pool_author.testing import *  # noqa: E402, F403
from parallel_pool_author.testing import __all__ as __all__  # noqa: E402
