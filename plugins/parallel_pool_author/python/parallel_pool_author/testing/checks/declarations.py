"""Compares what the plugin says about itself, as data, with what its library says."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import warnings
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from parallel_pool import native_checks
from parallel_pool.author_api import hooks, registry
from parallel_pool.errors import ParallelPoolError, PluginError

from parallel_pool_author.testing.findings import Finding

if TYPE_CHECKING:
    from parallel_pool.plugin_api import EnvSpec

HEAVY = ("numpy", "torch", "jax", "gymnasium", "scipy", "pandas", "cv2")


def declaration(family: str) -> str | None:
    """Listed environments are in the library and the other way round; names and versions agree."""
    plugin = registry().plugin(family)
    if plugin.problems:
        raise Finding("; ".join(problem.reason for problem in plugin.problems))
    if not plugin.specs:
        raise Finding(f"{plugin.label} lists no environment: yield one from parallel_pool_envs")
    specs = [
        spec for spec in plugin.specs.values() if spec.backend == "native" and not spec.removed
    ]
    if not specs:
        return "no native environment"
    library = native_checks.Plugin(str(hooks.library_path(plugin)))
    natives = {spec.native_id.partition("/")[0] for spec in specs}
    shared = library.name != family and natives == {library.name} and _is_of(library)
    if library.name != family and not shared:
        raise Finding(
            f"the library says it is {library.name!r}, and the entry point {family!r}: make the first "
            "argument of PP_PLUGIN and the name of the entry point equal"
        )
    there = set(library.env_ids)
    for spec in specs:
        if spec.native_id not in there:
            raise Finding(
                f"{spec.id} is listed, but the library has no {spec.native_id}; it has "
                f"{', '.join(sorted(there))}. Mend the id in parallel_pool_envs or in the C++ type, or "
                "name the C++ id with EnvSpec(..., native=...)"
            )
    unlisted = sorted(there - {spec.native_id for spec in specs})
    if unlisted and not shared:
        raise Finding(
            f"the library has {', '.join(unlisted)}, and parallel_pool_envs does not list it: nobody "
            "can make it. List it, or leave it out of PP_PLUGIN"
        )
    _once(family, library)
    for spec in specs:
        if not (spec.summary or library.declaration(spec.native_id)["summary"]):
            raise Finding(
                f"{spec.id} has no summary: give EnvSpec or the C++ type one line that says what it is"
            )
        for option in library.declaration(spec.native_id)["options"]:
            if not option["doc"]:
                raise Finding(
                    f"{spec.id}: option {option['name']!r} has no text: the third argument of "
                    "pp::option says in a line what it does, with its unit"
                )
        _as_listed(spec)
    if not shared:
        _same_version(plugin.distribution, library.version)
    return f"{len(specs)} environments"


def _is_of(library: native_checks.Plugin) -> bool:
    """Returns True if it is the library of the installed plugin of its name."""
    try:
        return os.path.samefile(hooks.library_path(registry().plugin(library.name)), library.path)
    except PluginError:
        return False


def _once(family: str, library: native_checks.Plugin) -> None:
    """The list leaves out what the index has from the library."""
    plugin = registry().plugin(family)
    if plugin.index is None:
        return
    listed: list[Any] = hooks.list_envs(plugin)  # acceptable ones: there is an index of them
    for spec in listed:
        if spec.backend != "native" or spec.removed:
            continue
        said = plugin.index.described[spec.id].get("description", {})
        said = {"summary": library.declaration(spec.native_id)["summary"], **said}
        for name in ("summary", "max_episode_steps", "reward_threshold"):
            if getattr(spec, name) not in (None, "") and getattr(spec, name) == said.get(name):
                raise Finding(
                    f"{spec.id} is listed with {name}={said[name]!r}, which the library says too: leave it "
                    "out of the EnvSpec"
                )


def _as_listed(spec: EnvSpec) -> None:
    """The options that the list gives an environment fit it; limits that both sides give are equal."""
    from parallel_pool.pool_api import make_config

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # an id may be deprecated itself
            described = make_config(spec.id, {}).variants.distinct[0].description
    except ParallelPoolError as error:
        if not spec.options:
            raise Finding(f"{spec.id} cannot be made: {explain(error)}") from error
        raise Finding(
            f"{spec.id} cannot be made as it is listed: {explain(error)}. Mend the options of its EnvSpec, or "
            "what the hooks parallel_pool_translate and parallel_pool_options do with them"
        ) from error
    if spec.native_id != spec.id or spec.options:
        return  # one of several ids of that environment, which may well differ in these
    for name in ("max_episode_steps", "reward_threshold"):
        listed, inside = getattr(spec, name), described[name]
        if listed is not None and inside and math.isfinite(inside) and listed != inside:
            raise Finding(
                f"{spec.id} is listed with {name}={listed}, and the library says {inside}: say it in one "
                "of the two places"
            )


def _same_version(distribution: str, of_library: str) -> None:
    try:
        of_package = version(distribution)
    except PackageNotFoundError:
        return  # registered by a program
    # A version that CMake was given by hand has numbers only: 1.0 for 1.0rc1.
    numbers = re.match(r"[0-9.]*[0-9]", of_package)
    if of_library not in (of_package, of_package.split("+")[0], numbers and numbers[0]):
        raise Finding(
            f"{distribution} is {of_package}, its library {of_library}: one of them is left over from "
            f"another build. Run `pip install --force-reinstall {distribution}`; in CMakeLists.txt let "
            "project() have no VERSION of its own"
        )


def lightness(family: str) -> str | None:
    """Listing environments imports nothing heavy: `parallel-pool list` has to answer at once."""
    plugin = registry().plugin(family)
    if plugin.by_program:
        return "registered by a program"
    program = (
        "import sys, warnings; warnings.simplefilter('ignore')\n"
        "from parallel_pool.author_api import registry\n"
        f"list(registry().specs({family!r}))\n"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode != 0:
        raise Finding(f"listing {family} in a new process fails: {done.stderr.strip()[-500:]}")
    if done.stdout.strip():
        raise Finding(
            f"listing {family} imports {done.stdout.strip()}: import such packages inside of the hooks "
            f"that need them, and keep {plugin.module.partition('.')[0]}/__init__.py empty"
        )
    return f"{plugin.seconds * 1000:.0f} ms"


def index(family: str) -> str | None:
    """The index, from which the environments are listed, is what the plugin and its library say."""
    plugin = registry().plugin(family)
    said = plugin.index
    if said is None or (said.library and said.path.parent != hooks.library_path(plugin).parent):
        return "no index beside its library"
    command = [sys.executable, "-m", "parallel_pool.cli", "index", family, "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != 0:
        raise Finding(
            f"{(done.stdout or done.stderr).strip()[-500:]}: run `parallel-pool index {family}`, or build the "
            "wheel anew"
        )
    return f"{len(plugin.specs)} environments"


def explain(error: ParallelPoolError) -> str:
    """An error of ours as part of a finding."""
    return f"{type(error).__name__}: {error}"
