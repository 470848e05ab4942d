"""A half-edited source gives a sentence that says what to write, with a line of the author's file."""

import re
from pathlib import Path

import pytest
from sdk.bad_sources.batch import BAD_BATCH, BATCH
from sdk.bad_sources.players import BAD_PLAYERS, PLAYERS
from sdk.bad_sources.scalar import BAD_SCALAR, SAME_NAMES, SCALAR
from sdk.bad_sources.typed_options import BAD_TYPED, BAD_TYPED_BATCH, TYPED, TYPED_BATCH
from test_envs.compiling import check_text

CASES = [
    pytest.param(source, *change, id=f"{kind}: {name}".replace(" ", "_"))
    for kind, source, changes in (
        ("scalar", SCALAR, BAD_SCALAR),
        ("batch", BATCH, BAD_BATCH),
        ("typed", TYPED, BAD_TYPED),
        ("typed batch", TYPED_BATCH, BAD_TYPED_BATCH),
        ("players", PLAYERS, BAD_PLAYERS),
    )
    for name, change in changes.items()
]


@pytest.mark.parametrize(
    "source",
    [SCALAR, TYPED, BATCH, TYPED_BATCH, PLAYERS, SAME_NAMES],
    ids=["scalar", "typed", "batch", "typed_batch", "players", "same_names"],
)
def test_the_sources_are_right_as_they_stand(
    source: str, tmp_path: Path, compilers: list[list[str]]
) -> None:
    for command in compilers:
        done = check_text(source, tmp_path / "walk.cpp", [*command, "-Wall", "-Wextra"])
        assert done.returncode == 0, done.stderr
        assert not done.stderr


@pytest.mark.parametrize(("source", "right", "wrong", "sentence"), CASES)
def test_a_mistake_gives_a_sentence(
    source: str, right: str, wrong: str, sentence: str, tmp_path: Path, compilers: list[list[str]]
) -> None:
    assert right in source
    for command in compilers:
        done = check_text(source.replace(right, wrong, 1), tmp_path / "walk.cpp", command)
        assert done.returncode != 0
        errors = re.findall(r"^.*\berror: .*$", done.stderr, re.MULTILINE)
        # The sentence comes first; what follows shows the author's line and is no flood.
        assert sentence in errors[0], done.stderr
        assert len(errors) <= 3, done.stderr
        assert re.search(r"walk\.cpp:\d+:\d+", done.stderr), done.stderr


def test_where_no_signature_fits_the_authors_line_is_shown(
    tmp_path: Path, compilers: list[list[str]]
) -> None:
    text = SCALAR.replace("Action::Value action, Obs::Ref", "const char* action, Obs::Ref")
    line = 1 + text[: text.index("pp::Outcome step")].count("\n")
    for command in compilers:
        assert f"walk.cpp:{line}:" in check_text(text, tmp_path / "walk.cpp", command).stderr


def test_a_key_that_the_dict_lacks_stands_beside_those_that_it_has(
    tmp_path: Path, compilers: list[list[str]]
) -> None:
    text = SCALAR.replace(*BAD_SCALAR["a key that the dict lacks"][:2])
    line = 1 + text[: text.index("void look")].count("\n")
    for command in compilers:
        said = check_text(text, tmp_path / "walk.cpp", command).stderr
        assert f"walk.cpp:{line}:" in said
        for key in ("feul", "fuel", "mass"):  # clang before 15 gives numbers of letters
            letters = ", ".join(str(ord(letter)) for letter in key)
            assert f'"{key}"' in said or letters in said, said
