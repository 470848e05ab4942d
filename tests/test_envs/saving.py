"""The families whose environments can be saved, as the registry lists them."""

from __future__ import annotations

from parallel_pool.registry import registry


def saving_families() -> set[str]:
    """Those of environments that do not say why they cannot be saved (`EnvSpec.no_states`)."""
    return {spec.family for spec in registry().specs(hidden=True) if spec.no_states is None}
