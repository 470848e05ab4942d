"""Guided fuzzing with atheris (libFuzzer): python tests/fuzz/fuzz.py [SECONDS] [libFuzzer's arguments].

Follows the coverage of the package's Python part, and of the core where that was built with
-fsanitize=fuzzer-no-link by clang. What is found goes into tests/fuzz/corpus as hexadecimal digits:
`xxd -p crash-...`. atheris is not among the tests' dependencies: `pip install atheris`.
"""

import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]


def main() -> None:
    """Runs until something fails, or the time is over."""
    import atheris

    with atheris.instrument_imports(include=["parallel_pool"]):
        from target import Target
        from test_envs import compiling, pools

    # Not in a `with`: libFuzzer ends the process by itself.
    folder = Path(tempfile.mkdtemp(prefix="parallel_pool_fuzz_"))
    os.environ["PP_TEST_ENVS"] = str(
        compiling.compile_plugin(compiling.SOURCES / "test_envs.cpp", folder / "test_envs.so")
    )
    pools.register_test_envs()
    target = Target()
    seconds = sys.argv[1] if len(sys.argv) > 1 else "60"
    options = [f"-max_total_time={seconds}", "-max_len=300", "-timeout=60", "-rss_limit_mb=4096"]
    atheris.Setup([sys.argv[0], *options, *sys.argv[2:]], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
