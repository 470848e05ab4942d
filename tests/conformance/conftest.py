import functools
from collections.abc import Callable
from pathlib import Path

import parallel_pool
import pytest
from conformance.findings import hurry
from conformance.mistakes import DRAWN
from parallel_pool.plugin_api import EnvSpec
from test_envs.once import once
from test_envs.pools import register_all

HERE = Path(__file__).parent
SOURCES = [path for path in sorted(HERE.glob("*.cpp")) if path.stem not in ("beyond", "table")]
EACH = '#undef parallel_pool_plugin\n#define parallel_pool_plugin {0.stem}_table\n#include "{0}"\n'


def compile_all(output: Path) -> None:
    """All sources in one unit, which compiles the SDK once; each has a table of its own."""
    from test_envs.compiling import HEADER, compile_plugin

    unit = output.with_suffix(".cpp")
    unit.write_text(f'#include "{HEADER}"\n' + "".join(map(EACH.format, SOURCES)))
    compile_plugin(unit, output, flags=["-c"])


@pytest.fixture(scope="module")
def known(shared_folder: Path) -> Callable[[str], None]:
    """Has the environments of a library made known, once."""
    from test_envs.compiling import compile_plugin

    @functools.cache
    def know(family: str) -> None:
        every = [str(once(shared_folder / "conformance.o", compile_all))]
        table = f"TABLE={family}_table"
        library = once(
            shared_folder / f"{family}.so",
            lambda new: compile_plugin(HERE / "table.cpp", new, table, flags=every),
        )
        register_all(library, DRAWN)
        if family == "deadly":
            limited = EnvSpec("deadly/Limited-v0", native="deadly/Sound-v0", max_episode_steps=100)
            parallel_pool.register(limited, library=library)

    return know


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks take the time that finding these mistakes needs."""
    hurry(monkeypatch)
