"""`parallel-pool evaluate`: episodes of chosen seeds, and what they say of a policy."""

from functools import partial

from parallel_pool.cli import of_a_wheel

add_parser = partial(
    of_a_wheel.add_parser,
    name="evaluate",
    help="play episodes of chosen seeds with a policy, and say how good it is",
)
run = partial(of_a_wheel.run, module="parallel_pool_learning.evaluating.command", extra="learning")
