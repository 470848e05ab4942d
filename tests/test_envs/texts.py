"""The environments of texts.cpp."""

from pathlib import Path

import parallel_pool

TELLER = "told/Teller-v0"
TELLERS = "told/Tellers-v0"
ALONE = "told/Alone-v0"
WRONG = "told/Wrong-v0"
BOTH = (TELLER, TELLERS)


def register(library: Path) -> None:
    """They can be made afterwards."""
    for each in (*BOTH, ALONE, WRONG):
        spec = parallel_pool.EnvSpec(each, tags=("deterministic",))
        parallel_pool.register(spec, library=library)
