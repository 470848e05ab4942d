"""The program of a worker process: it serves the mailbox at descriptor 3, as the payload at 4 describes it.

The protocol is described in host/workers/mailbox.hpp. A worker ends when it is told to, or when the
process of its pool is gone.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import sys
import traceback
from collections.abc import Callable
from typing import Any

from parallel_pool import _core
from parallel_pool.workers import forks, nesting
from parallel_pool.workers.payload import NativeEnvs, NativeVariant, PythonEnvs

MAILBOX, PAYLOAD = 3, 4


def main(parent: int, depth: int) -> None:
    """Serves the pool of the process `parent`. Does not return.

    depth: how many worker processes this one is inside of, itself too.
    """
    nesting.depth = depth
    _core.live_with(parent)
    try:
        try:
            serve = _prepare(_payload())
        finally:
            if forks.count:
                forks.end_child()
    except BaseException:
        from parallel_pool.registry.described import utf8  # which most workers do without

        _core.refuse(MAILBOX, utf8(traceback.format_exc()).decode())
    else:
        serve()
    # Nothing is left to do, and static destructors of plugins could hang.
    forks.end_process(0)


def _payload() -> NativeEnvs | PythonEnvs:
    # All workers share the descriptor's position, so it is never moved.
    size = int.from_bytes(os.pread(PAYLOAD, 8, 0), "little")
    payload: NativeEnvs | PythonEnvs = pickle.loads(os.pread(PAYLOAD, size, 8))
    if not isinstance(payload, PythonEnvs) or not payload.env.objects("action"):
        os.close(PAYLOAD)
    return payload


def _prepare(payload: NativeEnvs | PythonEnvs) -> Callable[[], None]:
    """Everything that can fail before the first call."""
    if isinstance(payload, PythonEnvs):
        from parallel_pool.workers.python_envs.server import serve

        if sys.stderr is not None:
            faulthandler.enable()  # a crash in native code then shows the line of Python that called it
        return lambda: serve(
            _core.Mailbox(_core.SharedMemory(MAILBOX)), payload.env, payload.infos, PAYLOAD
        )
    plugin = _core.Plugin(payload.library)
    options = [_options(variant) for variant in payload.variants]
    of_each = [options[number] for number in payload.variant_of]
    return lambda: _core.serve(MAILBOX, plugin, payload.env_id, of_each)


def _options(variant: NativeVariant) -> dict[str, Any]:
    if not variant.completed:
        return variant.options
    from parallel_pool.registry import hooks, registry

    return hooks.complete_options(
        registry().plugin(variant.env.family), variant.env, variant.asked
    )[0]
