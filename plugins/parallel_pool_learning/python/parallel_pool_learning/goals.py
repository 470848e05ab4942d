"""The rewards of other goals than an episode had, as hindsight experience replay asks for them."""

from __future__ import annotations

from typing import Any

from parallel_pool.author_api import hooks, registry
from parallel_pool.errors import PluginError
from parallel_pool.pool_api import GymnasiumPool


class Judges:
    """The environments of a pool in Python, for their `compute_reward`. They are never stepped."""

    def __init__(self, pool: GymnasiumPool) -> None:
        self._variants = pool.definition.variants
        self._made: dict[int, Any] = {}

    def of(self, env_id: int) -> Any:
        """Returns the one with environment `env_id`'s options; None where its plugin has it in C++ only."""
        which = self._variants.variant_of
        number = which[env_id] if len(which) > 1 else 0
        if number not in self._made:
            variant = self._variants.distinct[number]
            plugin = registry().plugin(variant.env.family)
            try:
                self._made[number] = hooks.env_factory(plugin, variant.env, variant.asked)()
            except PluginError:
                self._made[number] = None
        return self._made[number]
