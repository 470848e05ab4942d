"""Stable-Baselines3, and sbx, which uses the same environments.

    from parallel_pool_learning.sb3 import make_vec_env
    from stable_baselines3 import PPO

    model = PPO("MlpPolicy", make_vec_env("CartPole-v1", num_envs=8))

docs/libraries.md has details.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from parallel_pool import EnvAccessError, NotOfferedError
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import GymnasiumPool

from parallel_pool_learning.goals import Judges
from parallel_pool_learning.infos import fill_rows
from parallel_pool_learning.library import SB3, require
from parallel_pool_learning.pools import (
    close_if_refused,
    discard_pending,
    expect_pool,
    make_pool,
)
from parallel_pool_learning.sb3_spaces import Convert, for_networks

require(SB3)

from stable_baselines3.common.monitor import Monitor, ResultsWriter  # noqa: E402
from stable_baselines3.common.vec_env import VecEnv  # noqa: E402

_REASON = "because it wants the next episode's observation from the step that ends one"
_PLAYERS = "parallel_pool_learning.sb3_players.make_vec_env trains one policy for all of them; "
_OF_THE_POOL = (
    "env_id",
    "elapsed_step",
    "episode",
    "final_info",
    "final_obs",
    "final_obs_dense",
)
"""Keys of the pool's info that Stable-Baselines3 has under another name, or not at all."""

Indices = int | Sequence[int] | None


def make_vec_env(
    task_id: str | Sequence[str],
    num_envs: int = 1,
    *,
    episode_statistics: bool | str = True,
    flatten_small: bool = True,
    monitor_file: str | Path | None = None,
    **options: Any,
) -> SB3VecEnv:
    """A pool as a `stable_baselines3` VecEnv, with the autoreset mode SameStep.

    options: those of `parallel_pool.make`, except batch_size. A stack of pictures (from_pixels) becomes one
    with the channels of all, which CnnPolicy takes, unless `transform` says where channels are.
    flatten_small, monitor_file: see `SB3VecEnv`.
    episode_statistics: adds `infos[i]["episode"]` with return, length and seconds when an episode ends, as
    Stable-Baselines3's Monitor does below wrappers that clip rewards or cut games into episodes: those of whole
    games. "life": as Monitor does above them.
    Raises what `parallel_pool.make` and `SB3VecEnv` raise.
    """
    options = {"num_envs": num_envs, "episode_statistics": episode_statistics, **options}
    transform = options.get("transform") or {}
    if (
        options.get("from_pixels")
        and options.get("frame_stack", 1) != 1
        and isinstance(transform, Mapping)
    ):
        options["transform"] = {"channels": "first", **transform}
    pool = make_pool(task_id, "SameStep", options)
    with close_if_refused(pool):
        return SB3VecEnv(pool, flatten_small=flatten_small, monitor_file=monitor_file)


class SB3VecEnv(VecEnv):  # type: ignore[misc]
    """`SB3VecEnv(envs)`: a pool as a VecEnv. Gymnasium's vector wrappers around the pool are accepted.

    The pool must have env_type "gymnasium" and autoreset SameStep. `step` returns (obs, reward, done, infos),
    with float32 rewards. `infos` has the environment's own infos, `TimeLimit.truncated`, and when an episode
    ends `terminal_observation` and, if its game ends with it, the pool's `episode`. `reset_infos` has the
    infos of the latest resets.

    flatten_small: pictures in a Dict with a side below 36 pixels, such as grids of 7 x 7 cells, are vectors,
    because the CNN of MultiInputPolicy takes no smaller ones. False: they stay, for an extractor of your own.
    monitor_file: a new file with a row for each `episode`, which Stable-Baselines3's `load_results` reads; its
    name gets the end .monitor.csv.

    Raises TypeError if there is no such pool; OptionError for another autoreset mode, a batch_size, several
    players, Tuple observations, for which Stable-Baselines3 has no policy, or a monitor_file of a pool without
    episode_statistics.
    """

    def __init__(
        self,
        envs: gymnasium.vector.VectorEnv[Any, Any, Any],
        *,
        flatten_small: bool = True,
        monitor_file: str | Path | None = None,
    ) -> None:
        self.pool: GymnasiumPool = expect_pool(
            envs, SB3.title, ["SameStep"], _REASON, players=_PLAYERS
        )
        _expect_no_tuple(self.pool, envs.single_observation_space)
        self.envs = envs
        self._direct = envs is self.pool
        self._actions: Any = None
        self._judges = Judges(self.pool)
        space, convert = for_networks(envs.single_observation_space, flatten_small=flatten_small)
        self._convert: Convert = convert
        super().__init__(envs.num_envs, space, envs.single_action_space)
        self.metadata = self.pool.definition.render_metadata
        self._began = time.time()
        self._log = None if monitor_file is None else self._open_log(str(monitor_file))

    def _open_log(self, file: str) -> Any:
        env_id = self.pool.definition.env.id
        if not self.pool.config["episode_statistics"]:
            raise OptionError(
                f"{env_id}: monitor_file={file!r} is a log of what episode_statistics count: leave "
                "episode_statistics=False out"
            )
        return ResultsWriter(file, {"t_start": self._began, "env_id": env_id})

    @property
    def spec(self) -> Any:
        """The pool's spec: id, time limit, reward threshold."""
        return self.pool.spec

    def reset(self) -> Any:
        """Resets all environments and returns their observations.

        Uses the seeds of `seed` and the options of `set_options` once. A pending step is discarded, also one
        that Ctrl-C ended.
        """
        discard_pending(self.pool)
        options: Any = self._options[0]
        if any(each != options for each in self._options):
            options = self._options
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        obs, info = self.envs.reset(seed=seeds, options=options or None)
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        fill_rows(self.reset_infos, info, leave_out=_OF_THE_POOL)
        self._reset_seeds()
        self._reset_options()
        return self._convert(obs, 1)

    def set_options(self, options: Any = None, *, lasting: bool = False) -> None:
        """Sets options of the next reset of each environment: a dict for all, or a list with one for each.

        lasting: of all resets from now on that have no others, automatic ones too.
        """
        if lasting:
            self.pool.set_reset_options(options)
        else:
            super().set_options(options)

    def seed(self, seed: int | None = None) -> Any:
        """Sets the seeds of the next reset and returns them. Raises OptionError for what is no seed."""
        self.pool.definition.spread(seed)
        return super().seed(seed)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Starts a step of all environments. Raises the pool's errors for invalid actions."""
        if self._direct:
            self.pool.send(actions)
        else:
            self._actions = actions

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[Any]]:
        """Returns (obs, reward, done, infos) of that step."""
        obs, reward, terminated, truncated, info = (
            self.pool.recv() if self._direct else self.envs.step(self._actions)
        )
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in done]
        fill_rows(infos, info, leave_out=_OF_THE_POOL)
        if done.any():
            self._end_episodes(infos, info, done, truncated & ~terminated)
        return self._convert(obs, 1), reward.astype(np.float32), done, infos

    def _end_episodes(
        self,
        infos: list[dict[str, Any]],
        info: dict[str, Any],
        done: npt.NDArray[np.bool_],
        cut: npt.NDArray[np.bool_],
    ) -> None:
        """Fills in the infos of an episode's last step, and `terminal_observation`, where one ended."""
        last: list[dict[str, Any]] = [{} for _ in infos]
        fill_rows(last, info["final_info"], leave_out=_OF_THE_POOL)
        if "episode" in info:
            fill_rows(last, {name: info[name] for name in ("episode", "_episode")})
        # Environments that reset themselves have infos of the step that ends an episode alone, and no last
        # observation: a truncation is an end to the learner.
        itself = "final_obs" not in info
        for row in np.flatnonzero(done).tolist():
            first = infos[row]
            del first["TimeLimit.truncated"]
            self.reset_infos[row] = {} if itself else first
            infos[row] = {**first, **last[row]} if itself else last[row]
            final = None if itself else info["final_obs"][row]
            infos[row]["TimeLimit.truncated"] = bool(cut[row]) and final is not None
            if final is not None:
                infos[row]["terminal_observation"] = self._convert(final, 0)
            if self._log is not None and "episode" in last[row]:
                said, seconds = last[row]["episode"], round(time.time() - self._began, 6)
                self._log.write_row({"r": float(said["r"]), "l": int(said["l"]), "t": seconds})

    def close(self) -> None:
        """Closes the pool, and the monitor_file."""
        self.envs.close()
        if self._log is not None:
            self._log.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """The attribute of each environment: an option, a space, `render_mode`, `spec`; of Python ones any.

        Raises AttributeError if there is no such attribute.
        """
        try:
            return list(self.pool.call_of(self._get_indices(indices), attr_name))
        except (NotOfferedError, EnvAccessError) as error:
            raise AttributeError(f"{attr_name}: {error}") from error

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Sets the attribute of Python environments, to the same value in all of them.

        Raises AttributeError for other environments: their options are arguments of `make`.
        """
        try:
            self.pool.set_attr_of(self._get_indices(indices), attr_name, value)
        except NotOfferedError as error:
            raise AttributeError(
                f"{attr_name}: {error}. Options are given to make_vec_env, where environments differ as "
                f"env_options={{{attr_name!r}: [...]}}"
            ) from error

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Calls the method of each environment: `render`; of Python environments any; `compute_reward`, as
        HerReplayBuffer does, of those in C++ that have it in Python.
        """
        ids = self._get_indices(indices)
        if method_name == "compute_reward" and self.pool.definition.python is None:
            judges = [self._judges.of(each) for each in ids]
            if all(hasattr(each, method_name) for each in judges):
                return [each.compute_reward(*method_args, **method_kwargs) for each in judges]
        try:
            return list(self.pool.call_of(ids, method_name, *method_args, **method_kwargs))
        except NotOfferedError as error:
            raise AttributeError(f"{method_name}: {error}") from error

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Indices = None
    ) -> list[bool]:
        """True for Monitor if infos have `episode`; False for all other wrappers."""
        monitored = wrapper_class is Monitor and bool(self.pool.config["episode_statistics"])
        return [monitored for _ in self._get_indices(indices)]

    def get_images(self) -> list[npt.NDArray[np.uint8] | None]:
        """A picture (height, width, 3) of each environment; without "rgb_array" None, and a warning."""
        if self.render_mode != "rgb_array":
            warnings.warn(
                f"the render_mode is {self.render_mode!r}; pictures need "
                "make_vec_env(..., render_mode='rgb_array')",
                stacklevel=2,
            )
            return [None] * self.num_envs
        return list(self.pool.render())


def _expect_no_tuple(pool: GymnasiumPool, space: spaces.Space[Any]) -> None:
    parts = space.values() if isinstance(space, spaces.Dict) else [space]
    if any(isinstance(each, spaces.Tuple) for each in parts):
        env = pool.definition.env
        fix = (
            f"{env.envpool_layout!r} is the same with a Box"
            if env.envpool_layout
            else (
                "flatten it where the environment is made, as gymnasium.wrappers.FlattenObservation does"
            )
        )
        raise OptionError(
            f"{SB3.title} has no policy for observations in a Tuple, as {env.id!r} has, {space}: {fix}"
        )
