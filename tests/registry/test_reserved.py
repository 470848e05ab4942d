"""Names that no plugin may take."""

import parallel_pool
import pytest
from parallel_pool import EnvSpec, PluginError
from parallel_pool.registry.acceptance import accept
from parallel_pool.registry.first_party import RESERVED, may_claim


def begin(id: str, *aliases: str) -> None:
    """Registers an environment in Python."""
    spec = EnvSpec(id, aliases=aliases, backend="python")
    parallel_pool.register(spec, factory=lambda *_: None)


@pytest.mark.parametrize("family", sorted(RESERVED))
def test_finding_16_reserved_families(family: str) -> None:
    assert not may_claim("anybody", family)
    with pytest.raises(PluginError, match=r"is reserved; choose another"):
        begin(f"{family}/Mine-v0")


def test_finding_16_aliases_that_are_others_ids() -> None:
    with pytest.raises(PluginError, match="alias classic/CartPole-v1"):
        begin("mine/Cart-v0", "classic/CartPole-v1")
    begin("first/Cart-v0")
    with pytest.raises(PluginError, match="lies in the family first of another plugin"):
        begin("second/Cart-v0", "first/Cart-v0")
    specs, reasons = accept("mine", [EnvSpec("mine/Cart-v0", aliases=("gym/Cart-v0", "Cart-v7"))])
    assert specs["mine/Cart-v0"].aliases == ("Cart-v7",)
    assert "lies in gym, which is reserved" in reasons[0]
