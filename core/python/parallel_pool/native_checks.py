"""The compiled part of the conformance kit, which is in the wheel parallel-pool-author."""

from parallel_pool import _core

Plugin = _core.Plugin
NativeConfig = _core.PoolConfig
allocated_bytes = _core._allocated_bytes
check_damaged = _core._check_damaged
check_lifetime = _core._check_lifetime
check_rows = _core._check_rows
play = _core._play
reads_option = _core._reads_option
