"""`parallel-pool watch`: a mosaic of environments with their returns, as a film or on a live page."""

from functools import partial

from parallel_pool.cli import of_a_wheel

add_parser = partial(
    of_a_wheel.add_parser,
    name="watch",
    help="make a film of environments, or show them live in a browser",
)
run = partial(of_a_wheel.run, module="parallel_pool_watch.command", extra="watch")
