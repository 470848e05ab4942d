"""The model as a task sees it: to read only, for all environments share it."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from parallel_pool_tasks.errors import refused


class ReadOnly:
    """Has the attributes and methods of an object of mujoco; arrays of them cannot be written."""

    def __init__(self, given: Any) -> None:
        object.__setattr__(self, "_given", given)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return _read_only(getattr(self._given, name))
        except AttributeError:
            raise refused(f"mjModel has no {name} here") from None

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise refused("writes to the model are not in the language of tasks yet")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls a method, such as `body`; what it returns is read-only too."""
        return _read_only(self._given(*args, **kwargs))


def _read_only(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        view = value.view()
        view.flags.writeable = False
        return view
    if value is None or isinstance(value, (bool, int, float, str, bytes, np.generic)):
        return value
    return ReadOnly(value)
