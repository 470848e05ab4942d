"""The families of this repository whose environments can be saved, as the registry lists them."""

from families import families
from parallel_pool.registry import registry


def saving_families() -> set[str]:
    """Those of environments that do not say why they cannot be saved (`EnvSpec.no_states`)."""
    listed = registry().specs(hidden=True)
    return families().keys() & {spec.family for spec in listed if spec.no_states is None}
