"""The checks, one concept per module. Each takes an EnvUnderTest (or, of the plugin as a whole, a family) and
returns a remark or None, or raises `Finding`, or `Inapplicable` where there is nothing to look at.
"""

from collections.abc import Callable

from parallel_pool_author.testing.checks.chunks import chunks
from parallel_pool_author.testing.checks.declarations import declaration, index, lightness
from parallel_pool_author.testing.checks.endings import endings
from parallel_pool_author.testing.checks.lifetime import lifetime
from parallel_pool_author.testing.checks.options import options
from parallel_pool_author.testing.checks.original import reference
from parallel_pool_author.testing.checks.per_env_options import per_env_options
from parallel_pool_author.testing.checks.pictures import render
from parallel_pool_author.testing.checks.resets import autoreset, fresh_start
from parallel_pool_author.testing.checks.rows import leftovers, rows
from parallel_pool_author.testing.checks.seeds import determinism, independence, seeding
from parallel_pool_author.testing.checks.speed import speed
from parallel_pool_author.testing.checks.states import damaged_states, state
from parallel_pool_author.testing.checks.statics import statics
from parallel_pool_author.testing.checks.values import spaces, values
from parallel_pool_author.testing.env_under_test import EnvUnderTest

PLUGIN_CHECKS: dict[str, Callable[[str], str | None]] = {
    "declaration": declaration,
    "lightness": lightness,
    "index": index,
}
"""The checks of a plugin as a whole; they take the family."""

ENV_CHECKS: dict[str, Callable[[EnvUnderTest], str | None]] = {
    "spaces": spaces,
    "rows": rows,
    "statics": statics,
    "determinism": determinism,
    "values": values,
    "leftovers": leftovers,
    "seeding": seeding,
    "fresh_start": fresh_start,
    "autoreset": autoreset,
    "chunks": chunks,
    "endings": endings,
    "independence": independence,
    "options": options,
    "per_env_options": per_env_options,
    "lifetime": lifetime,
    "state": state,
    "damaged_states": damaged_states,
    "render": render,
    "reference": reference,
    "speed": speed,
}
"""The checks of one environment, in an order in which the first to fail says most."""

NEEDS: dict[str, tuple[str, ...]] = {
    "rows": ("spaces",),
    "statics": ("rows",),
    "determinism": ("statics",),
    "values": ("determinism",),
    "leftovers": ("determinism",),
    "seeding": ("determinism",),
    "fresh_start": ("leftovers",),
    "autoreset": ("fresh_start",),
    "chunks": ("autoreset",),
    "endings": ("autoreset",),
    "independence": ("autoreset",),
    "options": ("leftovers",),
    "per_env_options": ("independence",),
    "lifetime": ("rows",),
    "state": ("fresh_start",),
    "damaged_states": ("state",),
    "render": ("leftovers",),
    "reference": ("leftovers",),
    "speed": ("rows",),
}
"""The checks that a check takes for granted. It is not run where one fails: one mistake, one finding."""
