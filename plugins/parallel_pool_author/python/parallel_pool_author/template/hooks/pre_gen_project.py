"""Refuses names that could not become a plugin, before anything is written."""

import keyword
import re
import sys

del sys.path[0]  # the folder of temporary files, in which cookiecutter runs this script
try:
    from parallel_pool.author_api import FAMILIES as FIRST_PARTY
except ImportError:  # cookiecutter without the core: the registry refuses the name later
    FIRST_PARTY = {}

FAMILY = "{{ cookiecutter.family }}"
ENV = "{{ cookiecutter.env }}"
AUTHOR = "{{ cookiecutter.__author }}"
TAKEN = {
    "gym": "environments of Gymnasium's registry in a pool",
    "parallel_pool": "our ids in Gymnasium's registry",
    "conformance": "the tests of the kit (tests/test_conformance.py)",
}
TARGETS = (
    "all",
    "clean",
    "edit_cache",
    "help",
    "install",
    "list_install_components",
    "package",
    "package_source",
    "rebuild_cache",
    "test",
)
"""CMake keeps these for itself, and the family is the name of the library that it builds."""
MEMBERS = ("Action", "Info", "Obs", "Rows")
"""The type of an environment has members of these names."""
MACROS = ("BUFSIZ", "EOF", "INFINITY", "NAN", "NULL")
"""The C library defines these."""


def problem() -> str:
    """Returns what is wrong with the answers, and what would be right; nothing if they are fine."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", FAMILY) or FAMILY.endswith("_") or "__" in FAMILY:
        return (
            f"the family {FAMILY!r} has to be a small Python identifier: letters a to z first, then digits "
            "and single underscores, as in moon_lander"
        )
    if keyword.iskeyword(FAMILY):
        return f"the family {FAMILY!r} is a word of Python's: choose another, such as {FAMILY}_env"
    if FAMILY in FIRST_PARTY:
        return (
            f"the family {FAMILY!r} belongs to parallel-pool-{FAMILY}, and two plugins of one family refuse "
            f"each other: choose another, such as my_{FAMILY}"
        )
    if FAMILY in TAKEN:
        return (
            f"the family {FAMILY!r} is what {TAKEN[FAMILY]} are called: choose another, such as "
            f"my_{FAMILY}"
        )
    if FAMILY in TARGETS:
        return f"the family {FAMILY!r} is a word of CMake's: choose another, such as {FAMILY}_env"
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", ENV):
        return (
            f"the environment {ENV!r} has to be in CamelCase, as in MoonLander: it becomes "
            f"the id {FAMILY}/MoonLander-v0 and a C++ type"
        )
    if ENV in MEMBERS or ENV in MACROS:
        return (
            f"the environment {ENV!r} becomes a C++ type, and {ENV} means something else there: choose "
            f"another name, such as {ENV.title()}Task"
        )
    if not AUTHOR.strip():
        return "the author has no name: the licence and the wheel say whose they are"
    return ""


if said := problem():
    sys.exit(f"error: {said}")
