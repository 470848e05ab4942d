"""The conformance kit, by the name under which plugins import it: it is in the wheel parallel-pool-author."""

try:
    from parallel_pool_author.testing import *  # noqa: F403
    from parallel_pool_author.testing import __all__ as __all__
except ModuleNotFoundError as error:
    if error.name != "parallel_pool_author":
        raise
    raise ImportError(
        "parallel_pool.testing needs a wheel of its own: pip install parallel-pool-author",
        name=__name__,
    ) from None
