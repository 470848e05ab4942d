"""The least that an installation can do: load a plugin's library, and step one of our environments."""

import subprocess
import sys
import tempfile

from parallel_pool.errors import OptionError, PluginError
from parallel_pool.plugin_api import Check
from parallel_pool.registry import Plugin, hooks
from parallel_pool.registry.first_party import families_of

_LOAD = """
import sys
from parallel_pool._core import Plugin
abi = ".".join(map(str, Plugin(sys.argv[1]).abi))
print(f"ABI {abi}, {sys.argv[1]}")
"""
_STEP = """
import sys
import time
began = time.monotonic()
import parallel_pool
with parallel_pool.make(sys.argv[1], num_threads=1) as pool:
    pool.reset(seed=0)
    pool.action_space.seed(0)
    pool.step(pool.action_space.sample())
print(f"{sys.argv[1]}, in {time.monotonic() - began:.1f} s")
"""
_SECONDS = 120


def library(plugin: Plugin) -> Check:
    """Loads the plugin's library."""
    try:
        path = hooks.library_path(plugin)
    except PluginError as error:
        return Check(f"plugin {plugin.family}: library", False, str(error), plugin.reinstall)
    return _tried(plugin, "library", _LOAD, str(path.absolute()))


def step(plugin: Plugin) -> Check | None:
    """A step of the plugin's first environment. None: its environments are not ours, so what a step does is not
    known."""
    ids = [spec.id for spec in plugin.specs.values() if not spec.removed and not spec.deprecated]
    if not ids or plugin.family not in families_of(ids[0]):
        return None
    return _tried(plugin, "step", _STEP, ids[0])


def _tried(plugin: Plugin, name: str, program: str, subject: str) -> Check:
    """Runs a program in another process and in an empty folder: it may crash, and libraries write logs.

    The last line that it prints is the detail of the check; what it raises is that of the check that fails.
    """
    name = f"plugin {plugin.family}: {name}"
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-c", program, subject],
                cwd=folder,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Check(name, False, f"{subject} took over {_SECONDS} s", plugin.reinstall)
    if done.returncode == 0:
        return Check(name, True, done.stdout.splitlines()[-1])
    if done.returncode < 0:
        said = f"{subject} crashes with signal {-done.returncode}"
        return Check(name, False, said, plugin.reinstall)
    error = (done.stderr.strip().splitlines() or ["no message"])[-1]
    said = error.removeprefix("parallel_pool.errors.PluginError: ")
    # Messages of options, and of a library that needs a newer core, name their own remedy.
    mends_itself = f".{OptionError.__name__}: " in said or "pip install" in said
    detail = said if subject in said else f"{subject}: {said}"
    return Check(name, False, detail, "" if mends_itself else plugin.reinstall)
