"""The `options` of a reset: a mask of environments, and arguments of this reset or of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from parallel_pool.config.options import check_options
from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.errors import OptionError
from parallel_pool.schema.masks import refuse_mask
from parallel_pool.workers.python_envs.questions import pack_options

Mask = npt.NDArray[np.bool_]


ResetOptions = dict[str, Any] | Sequence[dict[str, Any] | None] | None
"""Of all environments, or of each: None or an empty dict for none."""


def reset_arguments(
    config: PoolConfig, options: ResetOptions, env_id: Any
) -> tuple[Mask | None, ResetOptions]:
    """The reset_mask in the options of `reset`, and the environments' own options. Nothing is changed."""
    if not options:
        return None, None
    if not isinstance(options, Mapping):
        return None, own_options(config, options)
    own = {name: value for name, value in options.items() if name != "reset_mask"}
    checked = _checked_options(config, own) if own else None
    if "reset_mask" not in options:
        return None, checked
    if env_id is not None:
        raise OptionError("name the environments by env_id or by reset_mask, not both")
    return _checked_mask(options["reset_mask"], config.arguments.num_envs), checked


def own_options(config: PoolConfig, options: ResetOptions) -> ResetOptions:
    """Options of environments in the form of the native pool. Raises TypeError for what is none."""
    if isinstance(options, Mapping):
        if "reset_mask" in options:
            raise OptionError("reset_mask is for one reset of a pool: env_id names environments")
        return _checked_options(config, dict(options)) if options else None
    if options is None or isinstance(options, str) or not isinstance(options, Sequence):
        raise TypeError(
            f"options of resets are {options!r}, expected a dict for all environments, or a list with a dict "
            "or None for each"
        )
    each_own = [None if each is None else own_options(config, each) for each in options]
    return cast(ResetOptions, each_own)


def _checked_options(config: PoolConfig, own: dict[str, Any]) -> dict[str, Any]:
    """Options of a reset in the form of the native pool."""
    if config.python is not None:
        return pack_options(own)
    declared = config.reset_declarations
    if not declared:
        raise OptionError(f"{config.env.id} takes no reset options, not {sorted(own)}")
    return dict(check_options(f"{config.env.id}: reset", declared, own))


def _checked_mask(mask: Any, num_envs: int) -> Mask:
    """A valid reset_mask: a bool array of shape (num_envs,) with at least one True."""
    if not isinstance(mask, np.ndarray):
        raise TypeError(f"options['reset_mask'] must be a numpy array, got {type(mask)}")
    refuse_mask("options['reset_mask']", mask)
    if mask.shape != (num_envs,):
        raise ValueError(f"options['reset_mask'] has shape {mask.shape}, not ({num_envs},)")
    if mask.dtype != np.bool_:
        raise TypeError(f"options['reset_mask'] has dtype {mask.dtype}, not bool")
    if not mask.any():
        raise ValueError("options['reset_mask'] names no environment: one value must be True")
    return mask
