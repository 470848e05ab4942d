"""A watched pool: it is stepped by a policy and drawn, and returns and lengths are counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from parallel_pool.errors import OptionError, ParallelPoolError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.pool_api import (
    GymnasiumPool,
    explaining_memory,
    leaves,
    make_config,
    reward_is_per_player,
)

from parallel_pool_watch.mosaic import Mosaic, Picture
from parallel_pool_watch.policies import Policy

DECIDED = (
    *("task_id", "env_type", "num_envs", "batch_size", "seed", "render_mode", "autoreset_mode"),
    "output",
)

_CAMERAS = (
    *(
        "render_camera_name",
        "render_camera_id",
        "camera_name",
        "camera_id",
        "default_camera_config",
    ),
    *("xml_file", "from_pixels"),
)
"""Arguments with which the user has chosen a camera, or a model that may have none of that name."""


class Episode(NamedTuple):
    """An episode, or a whole game, that ended: the step of the pool, and the environment."""

    step: int
    env: int
    total: float
    """The return; of several players, all their returns together."""
    length: int
    players: tuple[float, ...] = ()
    """The return of each player, where there are several."""


@dataclass(frozen=True)
class WatchState:
    """All states that determine the next steps, to go back to."""

    step: int
    states: list[bytes]
    observations: Any
    returns: npt.NDArray[np.float64]
    lengths: npt.NDArray[np.int64]
    ended: npt.NDArray[np.bool_]
    over: npt.NDArray[np.bool_]
    last: list[Episode | None]

    @property
    def nbytes(self) -> int:
        """The approximate memory of the moment in bytes."""
        observed: int = sum(leaf.nbytes for leaf in leaves(self.observations))
        return sum(map(len, self.states)) + observed


class Watch:
    """`num_envs` environments of `task_id`, with the policy that `find` returns for their action space.

    Pictures are those of the camera that follows the body, where there is one, unless arguments say otherwise.

    arguments: of `parallel_pool.make`. width: of the mosaic, in pixels. prepare: is called with the pool before
    its first reset. Raises what `make` raises, and
    OptionError for arguments that cannot be used for watching.
    """

    def __init__(
        self,
        task_id: str | list[str],
        num_envs: int,
        find: Callable[[Any], Policy],
        *,
        seed: int = 0,
        width: int = 960,
        arguments: dict[str, Any] | None = None,
        prepare: Callable[[GymnasiumPool], None] | None = None,
    ) -> None:
        given = dict(arguments or {})
        for name in DECIDED:
            if name in given:
                raise OptionError(f"{name} cannot be chosen for environments that are watched")
        self._mosaic = Mosaic(num_envs, width)
        given["episode_statistics"] = given.get("episode_statistics") or True
        self.pool = make_filmed(task_id, num_envs=num_envs, seed=seed, **given)
        try:
            self._policy = find(self.pool.action_space)
            if prepare is not None:
                prepare(self.pool)
            self.observations, info = self.pool.reset()
        except BaseException:
            self.pool.close()
            raise
        self.fps: int = self.pool.metadata["render_fps"]
        self.steps = 0
        self._points = "score" if self.pool.definition.counts_games else ""
        players = self.pool.definition.max_players
        several = reward_is_per_player(self.pool.definition.fields)
        self.returns = np.zeros((num_envs, players) if several else num_envs)
        self.returns += info.get(self._points, 0.0)
        self.lengths = np.zeros(num_envs, np.int64)
        self._over = self._ended = np.zeros(num_envs, np.bool_)
        self._last: list[Episode | None] = [None] * num_envs

    def step(self) -> list[Episode]:
        """Steps all environments once and returns the episodes that ended.

        Raises OptionError for actions that the pool rejects, and ParallelPoolError if the policy raised.
        """
        try:
            actions = self._policy(self.observations, self.steps)
        except Exception as error:
            said = "; ".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())])
            raise ParallelPoolError(f"the policy failed at step {self.steps}: {said}") from error
        try:
            result = self.pool.step(actions)
        except (ValueError, TypeError, IndexError) as error:
            raise OptionError(
                f"the policy's actions at step {self.steps} were refused: {error}"
            ) from error
        self.observations, reward, terminated, truncated, info = result
        self.steps += 1
        # This step has reset those whose episode was over; of a game, it may be another life.
        over = self._over.reshape(-1, *[1] * (reward.ndim - 1))  # over for all players
        self.returns = np.where(over, 0.0, self.returns) + info.get(self._points, reward)
        self.lengths = np.where(self._over, 0, self.lengths + ~self._ended)
        self._ended = _any_player(terminated) | _any_player(truncated)
        self._over = info.get("_episode", np.zeros(len(reward), np.bool_))
        episodes = [
            Episode(
                self.steps,
                env,
                float(self.returns[env].sum()),
                int(self.lengths[env]),
                tuple(self.returns[env].tolist()) if self.returns.ndim > 1 else (),
            )
            for env in np.flatnonzero(self._over).tolist()
        ]
        for episode in episodes:
            self._last[episode.env] = episode
        return episodes

    def picture(self) -> Picture:
        """The current mosaic, uint8 (height, width, 3)."""
        return self._mosaic.draw(self.pool.render(), self._labels())

    def save(self) -> WatchState:
        """The current moment. Raises StateError or NotOfferedError if an environment cannot be saved."""
        states = self.pool.get_state()
        return WatchState(
            self.steps,
            states,
            self.observations,
            self.returns,
            self.lengths,
            self._ended,
            self._over,
            list(self._last),
        )

    def go_to(self, moment: WatchState) -> None:
        """Restores a moment."""
        self.pool.set_state(None, moment.states)
        self.steps, self.observations = moment.step, moment.observations
        self.returns, self.lengths = moment.returns, moment.lengths
        self._ended, self._over = moment.ended, moment.over
        self._last = list(moment.last)

    def _labels(self) -> list[tuple[str, ...]]:
        labels: list[tuple[str, ...]] = []
        for env, (total, length) in enumerate(zip(self.returns, self.lengths, strict=True)):
            number = ", ".join(
                f"{each:.10g}" if each.is_integer() else f"{each:.2f}"
                for each in np.atleast_1d(total).tolist()
            )
            last = self._last[env]
            ended = () if last is None else last.players or (last.total,)
            before = f"  (last {', '.join(f'{each:.5g}' for each in ended)})" if ended else ""
            texts = (
                f"{env}: return {number}  step {length}{before}",
                f"{env}: return {number}  step {length}",
                f"{env}: return {number}",
                f"{env}: {number}",
            )
            labels.append(texts if before else texts[1:])
        return labels

    def close(self) -> None:
        """Closes the pool."""
        self.pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@explaining_memory()
def make_filmed(task_id: str | list[str], **arguments: Any) -> GymnasiumPool:
    """A pool that draws: by the camera that follows the body, where there is one, unless arguments choose."""
    chosen = any(map(arguments.__contains__, _CAMERAS))
    drawn = {**arguments, "render_mode": "rgb_array"}
    return GymnasiumPool(make_config(task_id, drawn, defaults=None if chosen else _film_camera))


def _film_camera(env: EnvSpec) -> dict[str, Any]:
    return {} if env.film_camera is None else {"render_camera_name": env.film_camera}


def _any_player(flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return flags if flags.ndim == 1 else np.any(flags, axis=1)
