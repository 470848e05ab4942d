"""The common parts of EnvPool's pools, in both interfaces."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np
from parallel_pool import NotOfferedError
from parallel_pool.pool_api import PoolView, is_multi_player, stacked

from parallel_pool_envpool.actions import DictActions
from parallel_pool_envpool.arguments import effective_config
from parallel_pool_envpool.no_rows import names_none
from parallel_pool_envpool.spec import EnvSpec, short_name, spec_class
from parallel_pool_envpool.window import Window


class EnvPool(PoolView):
    """A pool with EnvPool's behaviour: made of a spec, `step` before `reset`, dicts as actions, windows."""

    _step_begins = True
    unlisted = tuple({*PoolView.unlisted} - {"close_extras"})  # EnvPool's pools have it
    _word: ClassVar[str]
    """The end of the names of classes of pools."""

    def _begin(self, spec: EnvSpec) -> None:
        """Called when the pool is built."""
        self._spec = spec
        self._shown = effective_config(self.definition, spec._parsed)
        self._window = Window(f"{short_name(spec.id)}{self._word}-render")
        if not is_multi_player(self.definition.fields):
            actions = DictActions(self._pool, self.definition.fields)
            self.use_actions(actions.step, actions.send)

    @property
    def config(self) -> dict[str, Any]:
        """Every argument with its effective value."""
        return dict(self._shown)

    @property
    def _state_keys(self) -> list[str]:
        return self._made_of._state_keys

    @property
    def _action_keys(self) -> list[str]:
        return self._made_of._action_keys

    @property
    def _made_of(self) -> EnvSpec:
        spec: EnvSpec = self._spec
        return spec

    def send(self, action: Any, env_id: Any = None) -> None:
        """See `PoolView.send`; does nothing if env_id is empty."""
        if not names_none(env_id, action):
            super().send(action, env_id)

    def seed(self, seed: Any = None) -> None:
        """Warns and does nothing, as in EnvPool: pass seeds to `make` or to `reset(seed=)`."""
        warnings.warn(f"seed({seed!r}) has no effect: give seed to make, or to reset", stacklevel=2)

    def render(self, env_ids: Any = None, camera_id: Any = None) -> Any:
        """Pictures of the environments `env_ids`, uint8 of shape (n, height, width, 3).

        env_ids: an id, several, or None: the one of the argument `render_env_id`. camera_id: -1 is the
        usual one. In mode "human" one picture is shown in a window, and the result is None. Raises
        NotOfferedError, which is a RuntimeError, if there is no render_mode; ValueError for several
        pictures in mode "human".
        """
        if self.definition.arguments.render_mode is None:
            raise NotOfferedError(
                f"this pool of {self.definition.env.id} was made without a render_mode: give 'rgb_array' or "
                "'human' to make"
            )
        ids = self.definition.arguments.render_env_id if env_ids is None else env_ids
        if self._made_of.shows_windows and np.size(ids) != 1:
            raise ValueError(f"render_mode='human' shows one environment, not {np.size(ids)}")
        frames = self.frames(ids, None if np.array_equal(camera_id, -1) else camera_id)
        if not self._made_of.shows_windows:
            return stacked(frames)
        self._window.show(frames[0])
        return None

    def _close_threads(self) -> None:
        self._window.close()
        super()._close_threads()

    def __reduce__(self) -> tuple[Any, ...]:
        spec = self._made_of
        return _rebuilt, (type(self), spec._task_id, {**spec._given(), **self._seeds_again()})

    def _seeds_again(self) -> dict[str, Any]:
        """Arguments that give another pool the seeds of this one, if they were drawn."""
        seeds = self.definition.seeds
        drawn = self._made_of._parsed.seed is None and None not in seeds
        return {"env_seed": seeds, "seed": 0} if drawn else {}

    def __repr__(self) -> str:
        text = ", ".join(f"{name}={value!r}" for name, value in self._shown.items())
        return f"{short_name(self._made_of._task_id)}{self._word}({text})"

    def __str__(self) -> str:
        return repr(self)


def _rebuilt(
    view: type[Any], task_id: str, arguments: dict[str, Any], states: list[bytes] | None = None
) -> Any:
    """Pickles name this function: its name and arguments stay."""
    pool = view(spec_class(task_id)(arguments))
    if states is not None:
        pool.set_state(None, states)
    return pool
