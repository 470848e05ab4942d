"""Tianshou 2: a pool as its vector environment, and an EnvFactory for its high-level experiments.

from parallel_pool_learning.tianshou import make_vector_env
from tianshou.data import Collector, VectorReplayBuffer

collector = Collector(algorithm, make_vector_env("CartPole-v1", num_envs=8), VectorReplayBuffer(20000, 8))
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from parallel_pool import SingleEnv
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import GymnasiumPool

from parallel_pool_learning.infos import fill_rows
from parallel_pool_learning.library import TIANSHOU, require
from parallel_pool_learning.pools import (
    close_if_refused,
    discard_pending,
    expect_pool,
    make_pool,
    single_options,
)

require(TIANSHOU)

from tianshou.data import Batch  # noqa: E402
from tianshou.env import BaseVectorEnv  # noqa: E402
from tianshou.highlevel.env import EnvFactory, EnvMode, VectorEnvType  # noqa: E402

_REASON = "because its collectors reset environments themselves"

Ids = int | Sequence[int] | npt.NDArray[Any] | None
Result = tuple[Any, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]


def make_vector_env(
    task_id: str | Sequence[str], num_envs: int = 1, *, env_infos: bool = False, **options: Any
) -> TianshouVectorEnv:
    """A pool as a vector environment of Tianshou, with the autoreset mode Disabled.

    options: those of `parallel_pool.make`, except batch_size. Raises what `parallel_pool.make` and
    `TianshouVectorEnv` raise.
    """
    if not env_infos:
        options = {"infos": "minimal", **options}
    pool = make_pool(task_id, "Disabled", {"num_envs": num_envs, **options})
    with close_if_refused(pool):
        return TianshouVectorEnv(pool, env_infos=env_infos)


class TianshouVectorEnv(BaseVectorEnv):  # type: ignore[misc]
    """`TianshouVectorEnv(envs)`: a pool of env_type "gymnasium" and autoreset Disabled as a vector environment.

    `step` and `reset` return rows in the order of the ids passed. Infos are dicts with `env_id`;
    env_infos=True adds the environment's own infos, which costs as much as a step of a fast environment. Dict
    observations are returned as a Batch.

    Raises TypeError if there is no such pool; OptionError for another autoreset mode, a batch_size (Tianshou
    cannot receive resets asynchronously), several players, or Tuple observations.
    """

    # Its own constructor starts a worker per environment.
    def __init__(
        self, envs: gymnasium.vector.VectorEnv[Any, Any, Any], *, env_infos: bool = False
    ) -> None:
        self.pool: GymnasiumPool = expect_pool(
            envs, TIANSHOU.title, ["Disabled"], _REASON, bare=True
        )
        space = self.pool.single_observation_space
        if isinstance(space, spaces.Tuple):
            raise OptionError(
                f"{TIANSHOU.title} takes no observations in a Tuple, as {self.pool.spec.id!r} has: {space}"
            )
        self.env_num = self.pool.num_envs
        self.wait_num = self.env_num
        self.timeout = None
        self.is_async = False
        self.is_closed = False
        self.waiting_id: list[int] = []
        self.ready_id = list(range(self.env_num))
        self._env_infos = env_infos
        self._nested = isinstance(space, spaces.Dict)
        # One per environment, as every worker has its own: random actions are drawn from them.
        self._action_spaces = [deepcopy(self.pool.single_action_space) for _ in self.ready_id]

    def reset(self, env_id: Ids = None, **kwargs: Any) -> tuple[Any, npt.NDArray[Any]]:
        """Returns (obs, infos) of the environments `env_id` (None: all). kwargs: `seed`, `options`.

        A reset of all discards a step that Ctrl-C ended.
        """
        if env_id is None:
            discard_pending(self.pool)
        ids = self._ids(env_id)
        obs, info = self.pool.reset(env_id=ids, **kwargs)
        return self._batch(obs), self._infos(ids, info)

    def step(self, action: Any, id: Ids = None) -> Result:
        """Returns (obs, reward, terminated, truncated, infos) of the environments `id` (None: all)."""
        if action is None:
            raise ValueError(
                "action is None, which is for asynchronous environments: this pool is not"
            )
        ids = self._ids(id)
        obs, reward, terminated, truncated, info = self.pool.step(action, ids)
        return self._batch(obs), reward, terminated, truncated, self._infos(ids, info)

    def seed(self, seed: int | Sequence[int] | None = None) -> list[Any]:
        """Resets all environments with these seeds, seeds their action spaces, and returns the seeds.

        An int gives environment i seed + i.
        """
        seeds = self.pool.definition.spread(seed)
        if seed is not None:
            discard_pending(self.pool)
            self.pool.reset(seed=seeds)
        for space, each in zip(self._action_spaces, seeds, strict=True):
            space.seed(each)
        return [[each] for each in seeds]

    def get_env_attr(self, key: str, id: Ids = None) -> list[Any]:
        """The attribute of the environments `id`: see `GymnasiumPool.get_attr`."""
        ids = self._ids(id)
        if key == "action_space":
            return [self._action_spaces[each] for each in ids]
        if key == "metadata":
            return [self.pool.metadata for _ in ids]
        return list(self.pool.call_of(ids.tolist(), key))

    def set_env_attr(self, key: str, value: Any, id: Ids = None) -> None:
        """Sets the attribute of Python environments: see `GymnasiumPool.set_attr`."""
        self.pool.set_attr_of(self._ids(id).tolist(), key, value)

    def render(self, **kwargs: Any) -> list[Any]:
        """A picture or text of each environment; None for each if the pool has no render_mode."""
        return [None] * self.env_num if self.pool.render_mode is None else list(self.pool.render())

    def close(self) -> None:
        """Closes the pool. A second call has no effect."""
        self.is_closed = True
        self.pool.close()

    def _ids(self, ids: Ids) -> npt.NDArray[Any]:
        if ids is None:
            return self.pool.all_env_ids
        numbers = np.atleast_1d(ids)
        if numbers.size and numbers.dtype.kind not in "iu":
            raise TypeError(f"environments are named by integers, not by {ids!r}")
        return numbers if numbers.size else numbers.astype(np.int32)

    def _batch(self, obs: Any) -> Any:
        return Batch(obs) if self._nested else obs

    def _infos(self, ids: npt.NDArray[np.int32], info: dict[str, Any]) -> npt.NDArray[Any]:
        """One dict per environment, as an array of objects."""
        rows: list[dict[str, Any]] = [{"env_id": env} for env in ids.tolist()]
        if self._env_infos:
            fill_rows(rows, info, leave_out=("env_id",))
        infos = np.empty(len(rows), object)
        infos[:] = rows
        return infos


class ParallelPoolEnvFactory(EnvFactory):  # type: ignore[misc]
    """For Tianshou's experiments: `PPOExperimentBuilder(ParallelPoolEnvFactory("CartPole-v1"), config)`.

    options: those of `parallel_pool.make` except num_envs and seed, which the experiment sets. test_options:
    other options for the environments of tests and of watching, such as `episodic_life=False`.
    """

    def __init__(
        self, task_id: str, *, test_options: dict[str, Any] | None = None, **options: Any
    ) -> None:
        super().__init__(VectorEnvType.DUMMY)  # not used: the pool is the vector environment
        for name in ("num_envs", "seed"):
            if name in {**options, **(test_options or {})}:
                raise OptionError(f"{task_id}: the experiment decides {name}, so leave it out here")
        self.task_id = task_id
        self.options = options
        self.test_options = {**options, **(test_options or {})}

    def create_venv(
        self, num_envs: int, mode: EnvMode, seed: int | None = None
    ) -> TianshouVectorEnv:
        """A vector environment with `num_envs` environments; one for watching. The first has this seed."""
        count = 1 if mode == EnvMode.WATCH else num_envs
        envs = make_vector_env(self.task_id, count, **self._options(mode))
        envs.seed(seed)
        return envs

    def _create_env(self, mode: EnvMode) -> SingleEnv:
        """One environment, from which the experiment takes the spaces."""
        return SingleEnv(self.task_id, **single_options(self._options(mode)))

    def _options(self, mode: EnvMode) -> dict[str, Any]:
        return self.options if mode == EnvMode.TRAINING else self.test_options
