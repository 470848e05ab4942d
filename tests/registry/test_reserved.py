"""Names that no plugin may take."""

import parallel_pool
import pytest
from parallel_pool import EnvSpec, PluginError
from parallel_pool.registry.acceptance import accept
from parallel_pool.registry.first_party import RESERVED, may_claim


@pytest.mark.parametrize("family", sorted(RESERVED))
def test_finding_16_reserved_families(family: str) -> None:
    assert not may_claim("anybody", family)
    with pytest.raises(PluginError, match=r"is reserved; choose another"):
        parallel_pool.register(
            EnvSpec(f"{family}/Mine-v0", backend="python"), factory=lambda *_: None
        )


def test_finding_16_aliases_that_are_others_ids() -> None:
    with pytest.raises(PluginError, match="alias classic/CartPole-v1"):
        parallel_pool.register(
            EnvSpec("mine/Cart-v0", aliases=("classic/CartPole-v1",), backend="python"),
            factory=lambda *_: None,
        )
    parallel_pool.register(EnvSpec("first/Cart-v0", backend="python"), factory=lambda *_: None)
    with pytest.raises(PluginError, match="lies in the family first of another plugin"):
        parallel_pool.register(
            EnvSpec("second/Cart-v0", aliases=("first/Cart-v0",), backend="python"),
            factory=lambda *_: None,
        )
    specs, reasons = accept("mine", [EnvSpec("mine/Cart-v0", aliases=("gym/Cart-v0", "Cart-v7"))])
    assert specs["mine/Cart-v0"].aliases == ("Cart-v7",)
    assert "lies in gym, which is reserved" in reasons[0]
