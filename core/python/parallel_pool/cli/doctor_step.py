"""The smallest thing that an installation can do: one step of an environment of each of our families."""

import subprocess
import sys
import tempfile
import time

from parallel_pool.errors import OptionError
from parallel_pool.plugin_api import Check
from parallel_pool.registry import Plugin
from parallel_pool.registry.first_party import families_of

_STEP = """
import sys
import parallel_pool
with parallel_pool.make(sys.argv[1], num_threads=1) as pool:
    pool.reset(seed=0)
    pool.action_space.seed(0)
    pool.step(pool.action_space.sample())
"""
_SECONDS = 120


def step(plugin: Plugin) -> Check | None:
    """A step of the plugin's first environment, in another process and in an empty folder: it may crash, and
    libraries write logs. None: its environments are not ours, so what a step does is not known."""
    ids = [spec.id for spec in plugin.specs.values() if not spec.removed and not spec.deprecated]
    if not ids or plugin.family not in families_of(ids[0]):
        return None
    name = f"plugin {plugin.family}: step"
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-c", _STEP, ids[0]],
                cwd=folder,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Check(name, False, f"{ids[0]} took over {_SECONDS} s", plugin.reinstall)
    if done.returncode < 0:
        return Check(
            name, False, f"{ids[0]} crashes with signal {-done.returncode}", plugin.reinstall
        )
    if done.returncode > 0:
        said = (done.stderr.strip().splitlines() or ["no message"])[-1]
        # The message of an OptionError names its own remedy.
        mends_itself = f".{OptionError.__name__}: " in said
        return Check(name, False, f"{ids[0]}: {said}", "" if mends_itself else plugin.reinstall)
    return Check(name, True, f"{ids[0]}, in {time.monotonic() - began:.1f} s")
