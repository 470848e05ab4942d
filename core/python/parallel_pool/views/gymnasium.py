"""The pool as a true `gymnasium.vector.VectorEnv`: batched spaces, float64 rewards, infos with masks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from parallel_pool.config.pool_config import Columns, PoolConfig, with_reset_info
from parallel_pool.errors import OptionError
from parallel_pool.imports.libraries import imported
from parallel_pool.pool_errors import ResetNeededError
from parallel_pool.schema.batches import merge_rows, scatter_info
from parallel_pool.schema.players import is_multi_player
from parallel_pool.schema.result_tree import (
    Dict,
    HostColumn,
    IfEnded,
    Objects,
    Ones,
    PlayerColumn,
    Tree,
)
from parallel_pool.schema.spaces import space_of
from parallel_pool.views.base import PoolView, as_it_is
from parallel_pool.views.batch_joiner import BatchJoiner
from parallel_pool.views.env_access import EnvAccess
from parallel_pool.views.pool_spec import PoolSpec
from parallel_pool.views.reset_arguments import ResetOptions, reset_arguments
from parallel_pool.views.result_trees import (
    PoolParts,
    chunk_part,
    elapsed_part,
    episode_part,
    error_part,
    info_tree,
    obs_tree,
    player_tree,
    reward_column,
    score_part,
    seed_part,
    with_masks,
)
from parallel_pool.workers.python_envs.infos import WorkerInfos

if TYPE_CHECKING:
    from parallel_pool_learning.evaluating import Episodes


class GymnasiumPool(EnvAccess, PoolView, VectorEnv[Any, Any, Any]):
    """A pool as a `gymnasium.vector.VectorEnv`, with all three autoreset modes.

    In SAME_STEP mode `info` has Gymnasium's `final_obs` and `final_info` when an episode ends, and always
    `final_obs_dense`: one row per environment, valid where an episode ended; environments that reset themselves
    have no last observation, and `final_info` has their `elapsed_step` alone. `episode_statistics=True`
    adds `info["episode"]`, equal to the wrapper RecordEpisodeStatistics, but of whole games where the
    environment has a score; it is off by default, because that wrapper rejects environments that have it.

    Environments with several players: arrays per player, including rewards, and the spaces are padded,
    `(rows, max_players, ...)`; `info["players"]["present"]` is the mask. See docs/multi-player.md.

    Asynchronous pools (batch_size < num_envs) return batch_size rows in the order in which
    environments finish; `info["env_id"]` contains their ids.
    """

    def __init__(self, config: PoolConfig) -> None:
        config = with_reset_info(config)
        parts = PoolParts.of(config)
        same_step = config.arguments.autoreset_mode == "SameStep"
        statistics = bool(config.arguments.episode_statistics)
        multi_player = is_multi_player(config.fields)
        # The infos of Python environments.
        theirs = None
        if parts.joiner is not None and config.has_infos:
            theirs = WorkerInfos(parts.joiner, final=same_step)
        obs, ended = obs_tree(parts), HostColumn("ended")
        own: dict[str, Tree] = {
            "env_id": HostColumn("env_id"),
            **elapsed_part(config),
            **seed_part(config),
            **chunk_part(parts),
            **info_tree(config),
            **score_part(config, statistics=statistics),
        }
        if multi_player:
            own["players"] = player_tree(config, statistics=statistics)
        info = with_masks(own, Ones())
        ends: dict[str, Tree] = {}
        dense: dict[str, Tree] = {}
        if same_step:
            final: dict[str, Tree] = {
                "elapsed_step": HostColumn("final_step"),
                **seed_part(config, final=True),
            }
            if config.keeps_last:
                final |= info_tree(config, final=True)
            if multi_player:
                own_info = info_tree(config, final=True, per_player=True)
                final["players"] = {"present": PlayerColumn("final"), **own_info}
            final = with_masks(final, ended)
            ends = {
                "final_info": final if theirs is None else Dict((final, theirs.final)),
                "_final_info": ended,
            }
            if config.keeps_last:
                final_obs = obs_tree(parts, final=True)
                ends = {"final_obs": Objects(final_obs), "_final_obs": ended, **ends}
                dense = {"final_obs_dense": final_obs, "_final_obs_dense": ended}
        episode = episode_part(config, statistics=statistics)
        step_info = (info, error_part(), episode, IfEnded(ends), dense)
        terminated, truncated = HostColumn("terminated"), HostColumn("truncated")
        self._build(
            parts,
            step_tree=(
                obs,
                reward_column(parts),
                terminated,
                truncated,
                Dict(step_info if theirs is None else (*step_info, theirs.step)),
            ),
            reset_tree=(obs, info if theirs is None else Dict((info, theirs.reset))),
            columns=Columns(statistics=statistics),
            infos=config.has_infos,
            keeps_latest=True,
        )
        self.num_envs = config.arguments.num_envs
        self.render_mode = config.arguments.render_mode
        self.autoreset_mode = AutoresetMode(config.arguments.autoreset_mode)
        # Per instance: the class attribute is shared by every vector environment in the process.
        self.metadata = {**config.render_metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space: gymnasium.Space[Any] = self._spec.observation_space
        self.single_action_space: gymnasium.Space[Any] = self._spec.action_space
        if multi_player:
            players = config.max_players
            self.single_observation_space = space_of(config.fields, "obs", players)
            self.single_action_space = space_of(config.fields, "action", players)
        rows = config.arguments.batch_size
        self.observation_space: gymnasium.Space[Any] = batch_space(
            self.single_observation_space, rows
        )
        self.action_space: gymnasium.Space[Any] = batch_space(self.single_action_space, rows)
        self._joiner: BatchJoiner | None = None

    @property
    def spec(self) -> PoolSpec:
        """Gymnasium's EnvSpec with `config`, `observation_space` and the other members of PoolSpec.

        `gymnasium.make_vec` writes an EnvSpec of its own here: its fields are taken, the rest stays.
        """
        spec: PoolSpec = self._spec
        return spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        self._spec = self._spec.merged(spec)

    def reset(
        self, env_id: Any = None, *, seed: Any = None, options: ResetOptions = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets the environments `env_id` (None: all) and returns (obs, info), one row for each.

        seed: an int gives environment i the seed `seed + i`, whichever are reset; a list has one seed for each
        of them (None: the generator continues); None: all generators continue.

        options: `{"reset_mask": mask}`, a bool array of shape (num_envs,), resets those and returns
        the observations of all, as Gymnasium does; infos (and their masks) are of those that were reset.
        The rows of the others are those of the last answer, which set_state and clone forget. Other entries are
        arguments of this one reset, for environments that accept them, such as CartPole's `low` and `high`. A
        list of dicts has those of each environment that is reset. `set_reset_options` sets them for all resets.
        """
        mask, own = reset_arguments(self._config, options, env_id)
        if mask is not None:
            if self.is_async:
                raise OptionError(
                    "an asynchronous pool takes no reset_mask: use async_reset(env_id)"
                )
            if not mask.all():
                return self._reset_masked(mask, seed, own)
        handle = self._begun(self.reset_handle, env_id, seed, own)
        result: tuple[Any, dict[str, Any]] = handle.result
        return result

    def _reset_masked(
        self, mask: npt.NDArray[np.bool_], seed: Any, own: ResetOptions
    ) -> tuple[Any, dict[str, Any]]:
        seeds = None if seed is None else self._config.spread(seed)
        before = self._latest_of_all()
        if before is None:
            raise ResetNeededError(
                "reset_mask gives the observations of all environments, so reset or step all of them "
                "first; parts are reset by reset(env_id=...)"
            )
        ids = np.flatnonzero(mask)

        def read(rows: Any) -> Any:
            obs, info = rows
            result = merged, _ = merge_rows(before, obs, ids), scatter_info(info, mask)
            return convert(result), (merged,)

        convert = self._converter(None, True) or as_it_is
        given = None if seeds is None else [seeds[i] for i in ids]
        handle = self._begun(self._pool.reset, ids, given, own).map(read)
        result: tuple[Any, dict[str, Any]]
        result, self._pool.latest = handle.result
        return result

    def step(self, actions: Any, env_id: Any = None) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Returns (obs, reward, terminated, truncated, info), one row per environment."""
        result: tuple[Any, Any, Any, Any, dict[str, Any]] = self.step_handle(actions, env_id).result
        return result

    def recv(
        self,
        timeout: float | None = None,
        *,
        min_batch: int | None = None,
        max_batch: int | None = None,
        max_wait: float = 0.0,
        device: Any = None,
        non_blocking: bool = False,
    ) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Waits for the next batch and returns it in the form of `step`.

        timeout: seconds after which TimeoutError is raised; pending results stay pending. device: the device
        of the tensors of a pool with output="torch"; non_blocking: do not wait for the copy.

        min_batch, max_batch, max_wait (asynchronous pools): joins several batches, at least min_batch rows, and
        up to max_batch rows of those that arrive within max_wait seconds. Both must be multiples of
        batch_size, which may be 1. Rows are then copied. Rows that are not returned because of a timeout or
        an error come with the next such call.
        """
        result: tuple[Any, Any, Any, Any, dict[str, Any]]
        joins = min_batch is not None or max_batch is not None or max_wait != 0.0
        if joins or (self._joiner is not None and self._joiner.waiting):
            if self._joiner is None:
                arguments = self._config.arguments
                self._joiner = BatchJoiner(arguments.num_envs, arguments.batch_size)
            result = self._joiner.recv(
                lambda left: self._pool.recv(left).result,
                timeout,
                min_batch,
                max_batch,
                max_wait,
                self._converter(device, non_blocking),
            )
        elif device is None:
            result = self.recv_handle(timeout).result
        else:
            result = self._received(timeout, device, non_blocking).result
        return result

    def render(self, env_ids: Any = None, camera: Any = None) -> tuple[Any, ...]:
        """Returns a picture (uint8, height x width x 3), or in mode "ansi" a text, of each environment.

        env_ids: the environments; None: all. camera: an id or a name, for environments with several cameras.
        Raises OptionError if the pool was made without a render_mode, ResetNeededError before the first
        reset, AlreadyPendingError while an environment has a pending result.
        """
        return tuple(self.frames(env_ids, camera))

    def episodes(self, policy: Any, seeds: Iterable[int], **arguments: Any) -> Episodes:
        """Whole episodes of this policy, one for each seed. See `parallel_pool_learning.evaluating.Episodes`.

        Raises LibraryError without the wheel parallel-pool-learning.
        """
        wheel = imported("parallel_pool_learning.evaluating", "0", "episodes()", extra="learning")
        played: Episodes = wheel.Episodes(self, policy, seeds, **arguments)
        return played

    def play_apart(self, apart: bool) -> None:
        """For `episodes`. From now on what ends is left as it is, in every autoreset mode, and an asynchronous
        pool answers all that is sent while nothing is on its way; or no more, and each environment has to be
        reset. Raises AlreadyPendingError.
        """
        self._pool.latest = None
        self._pool.play_apart(apart)

    def _latest_of_all(self) -> Any:
        """The observation of the last result, if that has all environments in their order."""
        latest = self._pool.latest
        return None if latest is None else latest[0]

    def close_extras(self, **_: Any) -> None:
        """Called by `close`, once."""
        self._pool.latest = None
        PoolView.close(self)

    def close(self, **kwargs: Any) -> None:
        """Stops the threads and destroys the environments. A second call has no effect."""
        VectorEnv.close(self, **kwargs)
