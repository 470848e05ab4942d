"""The places where a pool can work for programs: the CPU, and GPUs of CUDA."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import xla_targets

from parallel_pool_jax.library import jax


def expect_platform() -> None:
    """Raises OptionError where programs would be compiled for something else."""
    device = jax.config.jax_default_device
    platform = getattr(device, "platform", device) or jax.default_backend()
    if platform == "cpu" or (platform in ("gpu", "cuda") and _has_cuda()):
        return
    raise OptionError(
        f"JAX compiles for {platform!r} here, and pools work in programs for the CPU and for CUDA: call "
        "jax.config.update('jax_default_device', jax.devices('cpu')[0]) first, or use "
        'xla(backend="callback")'
    )


def _has_cuda() -> bool:
    """JAX says "gpu" of ROCm too."""
    try:
        return bool(jax.devices("cuda"))
    except RuntimeError:
        return False


@functools.cache
def register_targets() -> None:
    """Tells XLA of the pool's calls, once for the process."""
    for (platform, name), target in xla_targets().items():
        jax.ffi.register_ffi_target(name, target, platform=platform)


def set_apart(arrays: Sequence[Any]) -> Sequence[Any]:
    """Returns the arrays, a handle first, which XLA's compiler for CUDA cannot take for slices of others.

    It makes one operation of a call and the slices that it reads and writes, as those of a scan's inputs
    and outputs are, and copies the call for that (`xla_gpu_enable_dynamic_slice_fusion`): it would be made
    twice. So every bit is combined with one that is 0, as only a run knows: the highest of the number of a
    call. On other platforms nothing is done.
    """
    same: Sequence[Any] = jax.lax.platform_dependent(
        *arrays, cuda=_combined_with_zero, default=lambda *arrays: arrays
    )
    return same


def _combined_with_zero(*arrays: Any) -> Sequence[Any]:
    zero = arrays[0][-1] >> np.uint32(31)
    return tuple(_xor(array, zero) for array in arrays)


def _xor(array: Any, zero: Any) -> Any:
    if array.dtype == np.bool_:
        return array ^ (zero != 0)
    bits = np.dtype(f"uint{8 * array.dtype.itemsize}")
    cast = jax.lax.bitcast_convert_type
    return cast(cast(array, bits) ^ zero.astype(bits), array.dtype)
