"""The compiled part of the conformance kit, which is in the wheel parallel-pool-author."""

from parallel_pool._core import Plugin as Plugin
from parallel_pool._core import PoolConfig as NativeConfig
from parallel_pool._core import _allocated_bytes as allocated_bytes
from parallel_pool._core import _check_damaged as check_damaged
from parallel_pool._core import _check_lifetime as check_lifetime
from parallel_pool._core import _check_rows as check_rows
from parallel_pool._core import _play as play
from parallel_pool._core import _reads_option as reads_option

__all__ = [
    "NativeConfig",
    "Plugin",
    "allocated_bytes",
    "check_damaged",
    "check_lifetime",
    "check_rows",
    "play",
    "reads_option",
]
