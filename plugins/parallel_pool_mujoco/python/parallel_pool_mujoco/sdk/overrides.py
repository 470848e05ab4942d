"""Models with some of their numbers replaced, for domain randomisation."""

from __future__ import annotations

import copy
import difflib
import reprlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from parallel_pool_mujoco.sdk.binding import MujocoError
from parallel_pool_mujoco.sdk.changeable import CHANGEABLE, HUGE, Array
from parallel_pool_mujoco.sdk.derived import derive, derived_members

_WHERE = "docs/mujoco.md, model_overrides, lists what may be changed"


def overridden(model: Any, overrides: Mapping[str, Any]) -> Any:
    """A copy of an MjModel with members replaced: `{"opt.gravity": [0, 0, -3], "body_mass": masses}`.

    A single number replaces all elements, otherwise shapes must agree. `changeable.CHANGEABLE` lists the
    members and their ranges. What MuJoCo derives from them is derived anew, as by mj_setConst. Raises
    MujocoError naming the member.
    """
    if not overrides:
        return model
    edited = copy.copy(model)
    for path, value in overrides.items():
        _assign(edited, path, value)
    derive(edited, model, overrides)
    return edited


def _assign(model: Any, path: Any, value: Any) -> None:
    if not isinstance(path, str):
        raise MujocoError(
            f"model_overrides has the key {shown(path)}, expected a member such as 'body_mass'"
        )
    present = _member(model, path)
    if path not in CHANGEABLE or present is None:
        raise MujocoError(_refusal(model, path, present))
    old = np.asarray(present)
    try:
        new = _checked(model, path, old, _numbers(old, value))
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise MujocoError(f"model_overrides[{path!r}] has {error}") from None
    if isinstance(present, np.ndarray):
        present[...] = new
    else:
        *parents, name = path.split(".")
        setattr(_member(model, ".".join(parents)), name, type(present)(new))


def _member(model: Any, path: str) -> Any:
    """The member at that path; None if a model has none."""
    result = model
    for name in path.split("."):
        result = None if name.startswith("_") else getattr(result, name, None)
    return result


def _numbers(old: Array, value: Any) -> Array:
    """`value` as float64 in the shape of `old`. Raises an error that says why it cannot be."""
    plain = np.asarray(value)
    if plain.dtype.kind not in "iufb" or (plain.dtype.kind == "b") > (old.dtype.kind in "bi"):
        raise TypeError(f"{shown(value)}, expected numbers")
    new = plain.astype(np.float64)
    if new.ndim and new.shape != old.shape:
        raise ValueError(f"shape {new.shape}, expected {old.shape} or one number")
    if not old.size:
        raise ValueError("no place here: the model has none of these")
    new = np.broadcast_to(new, old.shape)
    if not np.isfinite(new).all():
        raise ValueError("a number that is not finite")
    if old.dtype.kind in "iub" and (new != np.trunc(new)).any():
        raise ValueError("a fraction, but the member has integers")
    return new


def _checked(model: Any, path: str, old: Array, new: Array) -> Array:
    """Returns `new` if the rule of the member allows it; unchanged numbers are always fine."""
    rule, same = CHANGEABLE[path], new == old
    _expect(f"numbers up to {HUGE:g} in size", new, same | (np.abs(new) <= HUGE))
    allowed = np.asarray(rule.allows(new, old, model))
    if allowed.ndim < new.ndim:
        same = same.all(axis=-1)
    _expect(rule.expected, new, same | allowed)
    return new


def _expect(expected: str, new: Array, fine: Array) -> None:
    """Raises ValueError with the first number, or row of numbers, that is not fine."""
    for place in np.argwhere(~fine):
        at = f" at {place.tolist()}" if len(place) else ""
        raise ValueError(f"{new[tuple(place)].tolist()!r}{at}, expected {expected}")


def _refusal(model: Any, path: str, present: Any) -> str:
    numbers = isinstance(present, (bool, int, float, np.ndarray))
    if not numbers:
        known = [each for each in CHANGEABLE if _member(model, each) is not None]
        near = difflib.get_close_matches(path, known, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return f"model_overrides: a model has no numbers {shown(path)}.{hint}"
    if path in derived_members():
        reason = "MuJoCo derives it from other members; change those"
    elif np.asarray(present).dtype.kind != "f":
        reason = "it is structure of the model: an index, a size, a kind or a flag"
    else:
        reason = "it is structure of the model, or nothing that decides how an environment moves"
    return f"model_overrides: {path!r} cannot be changed: {reason}. {_WHERE}"


def shown(value: Any) -> str:
    """A short text for a value of any kind."""
    try:
        return reprlib.repr(value)
    except Exception:
        return f"a {type(value).__name__}"
