"""The page about the kit lists mistakes, what catches them, and where they are made: there, as it says."""

import re
from pathlib import Path

import pytest
from conformance.mistakes import MISTAKES
from sdk.bad_sources.kinds import KINDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "conformance.md").read_text()
ROWS = re.findall(r"^\| (.+?) \| (.+?) \| `([^`]+)` \|$", PAGE.partition("## Mistakes")[2], re.M)

EDITS = {f"{kind}: {name}" for kind, (_, changes) in KINDS.items() for name in changes}


@pytest.mark.parametrize(("mistake", "caught_by", "made_in"), ROWS)
def test_a_mistake_of_the_page_is_made(mistake: str, caught_by: str, made_in: str) -> None:
    if "::" in made_in:
        file, _, test = made_in.partition("::")
        assert f"def {test}(" in (ROOT / file).read_text(), made_in
    elif ": " in made_in:
        assert made_in in EDITS
        assert caught_by == "compiler"
    else:
        assert caught_by == f"`{MISTAKES[made_in][0]}`"


def test_no_mistake_is_listed_twice() -> None:
    places = [made_in for _, _, made_in in ROWS]
    assert len(places) >= 143
    assert len(places) == len(set(places))
