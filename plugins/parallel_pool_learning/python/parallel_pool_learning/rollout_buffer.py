"""A rollout buffer: T steps of N environments as arrays, for on-policy learners (PPO, A2C, IMPALA)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from parallel_pool import NothingPendingError
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import map_tree

from parallel_pool_learning.advantages import generalized_advantages
from parallel_pool_learning.arrays import Output, as_numpy, converter, put, put_some
from parallel_pool_learning.episodes import EpisodeCounter
from parallel_pool_learning.extra_columns import ExtraColumns
from parallel_pool_learning.rollout import Rollout
from parallel_pool_learning.rollout_rows import (
    empty_rows,
    joined_rows,
    last_rows,
    nbytes,
    per_env,
    put_rows,
    rows_on_a_device,
)
from parallel_pool_learning.suitable_pools import (
    autoreset_mode_of,
    counts_games,
    expect_arguments,
)


class RolloutBuffer:
    """Steps a pool and stores the results of T steps in arrays that are allocated once.

        buffer = RolloutBuffer(pool, num_steps=128)
        buffer.reset(seed=1)
        while learning:
            while not buffer.full:
                action, log_prob, value = policy(buffer.obs)
                buffer.step(action, value, log_prob=log_prob)
            rollout = buffer.finish(critic)

    pool: any `gymnasium.vector.VectorEnv` with the autoreset mode NextStep or SameStep, wrapped or not. A
    ParallelPool pool must be synchronous, of the view "gymnasium", with one player. output: the type of
    arrays for the policy and the learner, "numpy", "torch" or "jax"; device: the device of the latter two.
    Tensors share the buffer's memory: on the CPU all of it, and with a device the observations, which are kept
    there from the start (`obs_bytes`), while the small columns move with `finish`.

    Raises OptionError for other pools, naming the argument to change.
    """

    def __init__(
        self,
        pool: VectorEnv[Any, Any, Any],
        num_steps: int,
        *,
        gamma: float = 0.99,
        gae_lambda: float = 0.95,
        output: Output = "numpy",
        device: Any = None,
    ) -> None:
        expect_arguments(num_steps, gamma=gamma, gae_lambda=gae_lambda)
        self._autoreset = autoreset_mode_of(pool)
        self._pool: Any = pool
        self._gamma, self._lambda = gamma, gae_lambda
        self._convert = converter(output, device)
        self._device = device if output == "torch" else None
        """The device that keeps observations; None: they are in numpy's memory with all else."""
        self.num_steps, self.num_envs = num_steps, pool.num_envs
        try:
            self._allocate(pool, num_steps)
        except (MemoryError, OverflowError, ValueError) as error:  # numpy's for too many bytes
            if isinstance(error, OptionError):
                raise
            raise OptionError(
                f"num_steps is {num_steps!r}, and there is no memory for as many steps of {pool.num_envs} "
                f"environments ({error}): take fewer"
            ) from error
        self._extras = ExtraColumns(num_steps, pool.num_envs)
        # Truncated episodes by step: the environments, and their last observations.
        self._last_obs: dict[int, tuple[npt.NDArray[Any], Any]] = {}
        self._episodes = EpisodeCounter(pool.num_envs, of_games=counts_games(pool))
        self._at = -1  # the step that comes next; -1: none, there was no reset
        self._finished = False  # and `_at` is beyond the end
        self._in_step = False
        self._answer: Any = None  # the pool's, until it is stored

    def _allocate(self, pool: VectorEnv[Any, Any, Any], num_steps: int) -> None:
        rows = (num_steps, pool.num_envs)
        # With one row more, with which the next rollout begins.
        kept = pool.single_observation_space, pool.num_envs, num_steps + 1
        if self._device is None:
            self._obs = empty_rows(*kept)
        else:
            self._obs = rows_on_a_device(*kept, self._device)
        self.obs_bytes = nbytes(self._obs)
        """Bytes of the observations that are kept."""
        self._valid = np.empty((num_steps + 1, pool.num_envs), np.bool_)
        self._values = np.empty((num_steps + 1, pool.num_envs), np.float32)
        self._actions = empty_rows(pool.single_action_space, pool.num_envs, num_steps)
        self._rewards = np.empty(rows, np.float32)
        self._terminated = np.empty(rows, np.bool_)
        self._truncated = np.empty(rows, np.bool_)

    @property
    def full(self) -> bool:
        """True if all T steps are stored; the next call is then `finish`."""
        return self._at == self.num_steps and not self._finished

    @property
    def obs(self) -> Any:
        """The observations that the next action is for, (N, ...)."""
        if self._at < 0:
            raise OptionError("there is no observation yet: call reset() first")
        return map_tree(lambda array: self._shown(array[self._at]), self._obs)

    def _shown(self, kept: Any) -> Any:
        """Rows for the policy or the learner."""
        if self._device is not None and not isinstance(kept, np.ndarray):
            return kept.to(self._device)
        return self._convert(as_numpy(kept))

    def reset(
        self, env_id: Any = None, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> Any:
        """Resets all environments, discards the stored steps, and returns the observations, (N, ...).

        env_id: resets only these environments and discards nothing. Their episodes must have ended, such as
        those of the environments that failed with an `EnvError` (`error.failures`).
        """
        if env_id is not None:
            return self._reset_some(np.atleast_1d(np.asarray(env_id)), seed, options)
        obs, _ = self._pool.reset(seed=seed, options=options)
        self._episodes.restart()
        return self._begin_with(obs, True)

    def _begin_with(self, obs: Any, valid: Any) -> Any:
        """Discards the stored steps; the next step is for these observations."""
        map_tree(lambda kept, given: put_rows("obs", kept[0], given), self._obs, obs)
        self._valid[0] = valid
        self._in_step, self._finished, self._answer = False, False, None
        self._last_obs.clear()
        self._episodes.begin()
        self._at = 0
        return self.obs

    def state_dict(self) -> dict[str, Any]:
        """A copy of what the next rollout begins with, to be saved with the states of the pool.

        Raises OptionError within a rollout: its steps are not saved.
        """
        if self._at < 0 or (self._at > 0 and not self._finished):
            raise OptionError("a buffer is saved between two rollouts: after finish(), or reset()")
        obs, valid = map_tree(
            lambda array: as_numpy(array[self._at]).copy(), (self._obs, self._valid)
        )
        return {"obs": obs, "valid": valid, "episodes": self._episodes.state_dict()}

    def load_state_dict(self, state: Mapping[str, Any]) -> Any:
        """Goes on from a `state_dict`, in place of `reset`; returns the observations, (N, ...).

        The pool must go on from the moment of the `state_dict` too: `pool.pickled(include_state=True)`, or
        `get_state` and `set_state`. Raises ValueError if the shapes differ.
        """
        self._episodes.load_state_dict(state["episodes"])
        return self._begin_with(state["obs"], state["valid"])

    def _reset_some(self, ids: npt.NDArray[Any], seed: Any, options: dict[str, Any] | None) -> Any:
        at, last = self._at, self._at - 1
        ended = (self._terminated[last] | self._truncated[last]) & (last >= 0)
        if not np.all(ended, where=np.isin(np.arange(self.num_envs), ids)):
            raise OptionError(
                f"of environments {ids.tolist()} some are within an episode, which would count as one with the "
                "next: reset all, or those that have failed"
            )
        obs, _ = self._pool.reset(ids, seed=seed, options=options)
        self._valid[at][ids] = True
        map_tree(lambda kept, given: put_some(kept[at], ids, given), self._obs, obs)
        return self.obs

    def step(self, action: Any, value: Any, **extras: Any) -> Any:
        """Steps all environments once and returns the next observations, (N, ...).

        action: as for the pool's `step`, in any of the array types. value: the critic's value of `obs`, (N,)
        or (N, 1). extras: further arrays of this step, (N, ...) each, with the same names in every step of a
        rollout.

        Raises what the pool's `step` raises. After an `EnvError` the step is stored, with the rows of all
        other environments. After a signal (KeyboardInterrupt) the result is still pending: call `recv`.
        """
        self._expect_room()
        if self._finished:
            self._begin()
        at = self._at
        self._values[at] = per_env("value", value, self.num_envs).reshape(self.num_envs)
        map_tree(lambda kept, given: put_rows("action", kept[at], given), self._actions, action)
        self._extras.put(at, extras)
        self._in_step = True
        try:
            self._answer = self._pool.step(map_tree(lambda kept: kept[at], self._actions))
        except Exception as error:
            self._in_step = False
            # The rows of the other environments are stored.
            self._answer = getattr(error, "result", None)
            if self._answer is not None:
                self._keep()
            raise
        self._keep()
        return self.obs

    def recv(self) -> Any:
        """Stores the pending result of a step that a signal interrupted, and returns the next observations.

        Only for pools that are not wrapped. Raises NothingPendingError if the step had not started: call
        `step` again.
        """
        if not self._in_step:
            raise OptionError("no step was interrupted: there is nothing to receive")
        if not hasattr(self._pool, "recv"):
            raise OptionError("the result is lost in the wrappers around the pool: call reset()")
        if self._answer is None:
            try:
                self._answer = self._pool.recv()
            except NothingPendingError:
                self._in_step = False
                raise
        self._keep()
        return self.obs

    def finish(self, critic: Callable[[Any], Any]) -> Rollout:
        """Computes the advantages and returns the rollout. The next `step` starts a new rollout.

        critic: a function from a batch of observations to their values, (K,) or (K, 1). It is called for the
        observations after the last step and, with SameStep pools, for the last observations of truncated
        episodes.
        """
        if not self.full:
            done = 0 if self._finished else max(self._at, 0)
            raise OptionError(
                f"the rollout has {done} of {self.num_steps} steps: go on with step()"
            )
        convert, shown = self._convert, self._shown
        self._values[-1] = self._asked(critic, self.obs, self.num_envs)
        values, next_values = self._values[:-1], self._values[1:]
        if self._last_obs:
            next_values = next_values.copy()
            steps, ids, obs = joined_rows(self._last_obs)
            next_values[steps, ids] = self._asked(critic, map_tree(shown, obs), len(ids))
        valid = self._valid[:-1]
        advantages = generalized_advantages(
            self._rewards,
            values,
            next_values,
            self._terminated,
            self._truncated,
            gamma=self._gamma,
            gae_lambda=self._lambda,
            valid=valid,
        )
        rollout = Rollout(
            obs=map_tree(lambda array: shown(array[:-1]), self._obs),
            actions=map_tree(convert, self._actions),
            rewards=convert(self._rewards),
            terminated=convert(self._terminated),
            truncated=convert(self._truncated),
            valid=convert(valid),
            values=convert(values),
            next_values=convert(next_values),
            advantages=convert(advantages),
            returns=convert(advantages + values),
            extras={name: convert(array) for name, array in self._extras.arrays.items()},
            episodes=self._episodes.count(self._rewards, valid, self._terminated | self._truncated),
        )
        self._finished = True
        return rollout

    def _begin(self) -> None:
        """Starts the next rollout at the last observation; its arrays overwrite the previous rollout."""
        map_tree(lambda array: put(array[0], array[-1]), self._obs)
        self._valid[0] = self._valid[-1]
        self._last_obs.clear()
        self._episodes.begin()
        self._at = 0
        self._finished = False

    def _asked(self, critic: Callable[[Any], Any], obs: Any, rows: int) -> npt.NDArray[Any]:
        return per_env("what critic() gives", critic(obs), rows).reshape(rows)

    # ---- keeping --------------------------------------------------------------------------------

    def _expect_room(self) -> None:
        if self._in_step:
            raise OptionError("a signal has interrupted the last step: call recv() for its result")
        if self._at < 0:
            raise OptionError("there is nothing to act upon yet: call reset() first")
        if self.full:
            raise OptionError(f"all {self.num_steps} steps are there: call finish()")

    def _keep(self) -> None:
        """Stores the results of a step. It may be interrupted at any point and repeated."""
        obs, *rest, info = self._answer
        reward, terminated, truncated = map(as_numpy, rest)
        at = self._at
        self._rewards[at] = reward
        self._terminated[at], self._truncated[at] = terminated, truncated
        self._valid[at + 1] = True
        self._episodes.keep(at, info)
        if self._autoreset == AutoresetMode.NEXT_STEP:
            np.logical_not(terminated | truncated, out=self._valid[at + 1])
        elif (cut := truncated & ~terminated).any():
            ids = np.flatnonzero(cut)
            if "final_obs_dense" in info or "final_obs" in info:
                self._last_obs[at] = ids, last_rows(info, ids)
            else:  # it resets itself: what follows the step is unknown, and counts as nothing
                self._terminated[at] |= cut
        map_tree(lambda kept, given: put(kept[at + 1], given), self._obs, obs)
        self._at = at + 1
        self._in_step, self._answer = False, None
