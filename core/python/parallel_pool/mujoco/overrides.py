"""Models with some of their numbers replaced, for domain randomisation."""

from __future__ import annotations

import copy
import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np

from parallel_pool.mujoco.binding import MujocoError


def overridden(model: Any, overrides: Mapping[str, Any]) -> Any:
    """A copy of an MjModel with members replaced: `{"opt.gravity": [0, 0, -3], "body_mass": masses}`.

    Means what assigning to `env.unwrapped.model.body_mass[:]` means in Gymnasium: the member's numbers
    change and nothing is derived from them anew; scale `body_inertia` along with `body_mass` where it
    matters. A single number is for all elements, otherwise shapes must agree. Sizes stay as they are.
    Raises MujocoError naming the member.
    """
    if not overrides:
        return model
    edited = copy.copy(model)
    for path, value in overrides.items():
        _assign(edited, path, value)
    return edited


def _assign(model: Any, path: Any, value: Any) -> None:
    if not isinstance(path, str):
        raise MujocoError(
            f"model_overrides has the key {path!r}, expected a member such as 'body_mass'"
        )
    owner = model
    *parents, name = path.split(".")
    for parent in parents:
        owner = getattr(owner, parent, None)
    present = getattr(owner, name, None)
    if isinstance(present, np.ndarray):
        try:
            new = np.asarray(value, np.float64)
            if new.ndim and new.shape != present.shape:
                raise ValueError(f"shape {new.shape}, expected {present.shape} or one number")
            if not np.isfinite(new).all():
                raise ValueError("a number that is not finite")
            if present.dtype.kind in "iu" and (new != np.trunc(new)).any():
                raise ValueError("a fraction, but the member has integers")
        except (TypeError, ValueError) as error:
            raise MujocoError(f"model_overrides[{path!r}] has {error}") from None
        present[...] = new
        return
    if isinstance(present, (int, float)) and not name.startswith("n"):
        try:
            number = float(value)
            if not np.isfinite(number) or type(present)(number) != number:
                raise ValueError
            setattr(owner, name, type(present)(number))
        except (TypeError, ValueError, AttributeError):
            raise MujocoError(
                f"model_overrides[{path!r}] is {value!r}, expected a number"
            ) from None
        return
    known = [each for each in dir(model) if isinstance(getattr(model, each, None), np.ndarray)]
    known += [f"opt.{each}" for each in dir(model.opt) if not each.startswith("_")]
    near = difflib.get_close_matches(path, known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise MujocoError(f"model_overrides: a model has no numbers {path!r}.{hint}")
