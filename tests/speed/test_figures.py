"""What is made of counted instructions: the sums by library, and the verdict."""

import pytest
from step_cost.callgrind import Count, by_object
from step_cost.cases import CASES
from step_cost.figures import Figures, NotComparable, complaint

FINGERPRINT = {"compiler": "GCC 12", "python": "3.11.7"}
COMMITTED = Figures(FINGERPRINT, {"a case": Count(total=1000.0, native=100.0)})


def test_instructions_are_summed_by_the_library_they_are_in() -> None:
    """What a call cost inside of its callee is counted there only; names are written once."""
    written = """\
positions: line
events: Ir
ob=(1) /usr/bin/python3
fl=(1) loop.c
fn=(1) loop
10 5
cob=(2) /site-packages/parallel_pool/_core.so
cfn=(2) step
calls=3 20
10 300
+2 1
ob=(2)
fn=(2)
20 290
* 10
fi=(3) other.c
-4 7
ob=(1)
fn=(3) rest
5 2
totals: 315
"""
    sums = by_object(written.splitlines())
    assert sums == {"/usr/bin/python3": 8, "/site-packages/parallel_pool/_core.so": 307}


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (Count(1030.0, 100.0), None),
        (Count(1031.0, 100.0), "a case: a step costs 1,031 instructions in all, and 1,000"),
        # Lost among those of an engine.
        (Count(1001.0, 104.0), "a case: a step costs 104 instructions in this project's libraries"),
        # Moved here from Python.
        (Count(900.0, 150.0), None),
        (Count(10.0, 1.0), None),
    ],
)
def test_three_percent_more_are_too_many(count: Count, said: str | None) -> None:
    text = complaint("a case", COMMITTED, count, FINGERPRINT)
    if said is None:
        assert text is None
    else:
        assert text is not None and text.startswith(said)
        assert "benchmarks/instructions.py --write" in text


def test_with_another_compiler_nothing_is_compared() -> None:
    here = {**FINGERPRINT, "compiler": "GCC 14"}
    with pytest.raises(NotComparable, match="compiler is GCC 14 here, and was GCC 12"):
        complaint("a case", COMMITTED, Count(1000.0, 100.0), here)


def test_with_another_python_our_own_libraries_are_compared() -> None:
    here = {**FINGERPRINT, "python": "3.12.1"}
    assert complaint("a case", COMMITTED, Count(9999.0, 103.0), here) is None
    text = complaint("a case", COMMITTED, Count(500.0, 104.0), here)
    assert text is not None and "in this project's libraries" in text


def test_every_case_has_a_committed_figure() -> None:
    assert list(Figures.read().counts) == [case.name for case in CASES]
