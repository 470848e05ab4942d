"""The reference is made from the headers' comments (docs/Doxyfile), so everything public has one."""

import re
import shutil
import subprocess
from pathlib import Path

import parallel_pool
import pytest

ROOT = Path(__file__).parents[2]
CORE = Path(parallel_pool.get_include())
LIBRARIES = sorted(ROOT.glob("plugins/*/include"))
HEADERS = {
    path.relative_to(include): include
    for include in (CORE, *LIBRARIES)
    for path in sorted(include.rglob("*.h*"))
}
SDK = [
    path
    for path, include in HEADERS.items()
    if include != CORE or ("sdk" in path.parts and "checks" not in path.parts)
]
TYPE = re.compile(r"^(?:struct|class) (\w+)(?: : .*)? \{")


def test_every_header_says_first_what_it_is_for() -> None:
    for header, include in HEADERS.items():
        first = (include / header).read_text().splitlines()[0]
        assert re.match(r"(//|/\*) [\w:/.]+", first), header
        named = re.match(r"(?://|/\*) (parallel_pool\w*/[\w/.]+):", first)
        assert named is None or named[1] == str(header)


@pytest.mark.parametrize("header", SDK, ids=str)
def test_every_public_type_has_a_comment(header: Path) -> None:
    """Types outside of namespace detail: a comment stands above, or the file is about this type alone."""
    text = re.sub(
        r"\nnamespace (?:pp::)?detail \{.*?\n\}  // namespace (?:pp::)?detail",
        lambda match: "\n" * match[0].count("\n"),
        (HEADERS[header] / header).read_text(),
        flags=re.DOTALL,
    )
    lines = text.splitlines()
    types = [(i, match[1]) for i, line in enumerate(lines) if (match := TYPE.match(line))]
    for i, name in types:
        above = next(line for line in lines[i - 1 :: -1] if not line.startswith("template <"))
        commented = above.startswith(("//", " *", "/*")) or above.endswith("*/")
        assert commented or len(types) == 1, f"{name} has no comment"


def test_the_reference_is_made_without_a_warning(tmp_path: Path) -> None:
    doxygen = shutil.which("doxygen")
    if doxygen is None:
        return  # as where there is no clang: the other checks of this file stand in for it
    settings = (ROOT / "docs" / "Doxyfile").read_text() + f"OUTPUT_DIRECTORY = {tmp_path}\n"
    done = subprocess.run(
        [doxygen, "-"], input=settings, cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    assert (tmp_path / "reference" / "index.html").exists()
