"""Islands whose velocity iterations are shortened move as with all of them, bit for bit."""

import ctypes
from collections import Counter

import pytest

DRIVER = "box2d_velocity_driver"
KINDS = ("landers", "walkers", "piles", "cars")
STEPS = 400


class Counts(ctypes.Structure):
    """How the islands of a comparison were iterated."""

    _fields_ = [
        ("islands", ctypes.c_int64),
        ("unknown", ctypes.c_int64),
        ("repeats", ctypes.c_int64 * 3),
        ("broken", ctypes.c_int64),
        ("skipped", ctypes.c_int64),
    ]


def compared(driver: ctypes.CDLL, kind: str, seeds: range) -> Counter[str]:
    """The counts of worlds with these seeds, none of which differ from those with all iterations."""
    total: Counter[str] = Counter()
    for seed in seeds:
        counts = Counts()
        different = driver.compare(KINDS.index(kind), seed, STEPS, ctypes.byref(counts))
        assert different == -1, f"{kind}, seed {seed}: differs in step {different}"
        one, two, longer = counts.repeats
        total.update(one=one, two=two, longer=longer, broken=counts.broken)
        total.update(islands=counts.islands, unknown=counts.unknown, skipped=counts.skipped)
    return total


@pytest.mark.parametrize("kind", KINDS)
def test_worlds_with_repeats(driver: ctypes.CDLL, kind: str) -> None:
    counts = compared(driver, kind, range(20))
    assert counts["unknown"] == 0
    for repeats in ("one", "two", "longer"):
        assert counts[repeats] > 20, counts
    assert counts["skipped"] > 5 * counts["islands"], counts
    # A limit lets go, or a motor's impulse rounds in another way, while velocities stay.
    assert kind != "landers" or counts["broken"] > 20


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", KINDS)
def test_many_worlds(driver: ctypes.CDLL, kind: str) -> None:
    compared(driver, kind, range(100, 2100))
