"""Divides the arguments of a RayPool or RolloutPool over its actors' pools, and validates them."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.vector.utils import create_empty_array
from parallel_pool import make_gymnasium
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import (
    GymnasiumPool,
    PoolSpec,
    apart,
    expect_arrays,
    make_config,
    map_tree,
    rows_of,
    spread,
)

_OURS = {
    "batch_order": "batches come in the order in which actors are done",
    "output": "its arrays are writable: torch.from_numpy(obs) shares their memory",
    "render_mode": "pictures are drawn by a pool of this process",
    "rank": "the actors are what ranks are in torchrun",
    "world_size": "the actors are what ranks are in torchrun",
    "thread_pool": "threads do not leave their process: each actor has as many as it is actor_resources CPUs",
}
_DEFAULT = {"batch_order": "first", "output": "numpy"}


def actor_resources(
    resources: Mapping[str, float] | None, options: dict[str, Any]
) -> dict[str, float]:
    """The resources of each actor, by default one CPU; its pool has one thread per CPU."""
    whole = {"CPU": 1, **(resources or {})}
    options.setdefault("num_threads", max(1, int(whole["CPU"])))
    return whole


def raises_on_loss(on_loss: str) -> bool:
    """Returns True if a loss is an error. Raises OptionError for words other than "truncate" and "raise"."""
    if on_loss not in ("truncate", "raise"):
        raise OptionError(f"on_loss is {on_loss!r}, expected 'truncate' or 'raise'")
    return on_loss == "raise"


@dataclass(frozen=True)
class Shard:
    """The recipe by which an actor makes its pool."""

    task_id: str | Sequence[str]
    arguments: dict[str, Any]
    observation_space: Space[Any]
    action_space: Space[Any]

    def make(self) -> GymnasiumPool:
        """The pool. Raises OptionError where its environments are not those of the driver."""
        pool = make_gymnasium(self.task_id, **self.arguments)
        actions = self.action_space, pool.single_action_space
        observations = self.observation_space, pool.single_observation_space
        for what, (theirs, ours), same in (
            ("actions", actions, actions[0] == actions[1]),
            ("observations", observations, _arrays(observations[0]) == _arrays(observations[1])),
        ):
            if not same:
                pool.close()
                raise OptionError(
                    f"the {what} of {self.task_id!r} are {ours} in an actor and {theirs} in the process that "
                    "drives it: each node needs the same packages, files and settings"
                )
        return pool


class Sharding:
    """One pool of `num_envs` environments, divided into `pools` equal parts by number.

    spec: of one part. seed: an int gives each part and each generation different seeds; None: from entropy; a
    list with one seed per environment is used for generation 0.

    Raises what `parallel_pool.make` raises, and OptionError for arguments that cannot be sent to another
    process.
    """

    def __init__(
        self,
        owner: str,
        task_id: str | Sequence[str],
        num_envs: int,
        pools: int,
        seed: Any,
        options: Mapping[str, Any],
    ) -> None:
        for name, reason in _OURS.items():
            if options.get(name) not in (None, _DEFAULT.get(name)):
                raise OptionError(f"{owner} takes no {name}: {reason}")
        for name, value in (("num_envs", num_envs), ("pools", pools)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise OptionError(f"{name} is {value!r}, expected an integer of at least 1")
        if num_envs % pools:
            raise OptionError(
                f"num_envs is {num_envs}, and {pools} pools are to have as many each: pass a multiple"
            )
        transform = options.get("transform") or {}
        for name in ("normalize_obs", "normalize_reward"):
            if transform.get(name):
                raise OptionError(
                    f"{owner}: {name} would have statistics of its own in each of {pools} pools: normalise "
                    "where the policy is"
                )
        for name, value in options.items():
            try:
                pickle.dumps(value)
            except Exception as error:
                raise OptionError(
                    f"{name}={value!r} cannot be pickled ({error}), so it does not reach another process: pass "
                    "plain data, or what a module defines by its name"
                ) from error
        self.pools, self.num_envs, self.rows = pools, num_envs, num_envs // pools
        self._options = {"infos": "minimal", **options}
        self._env_options = rows_of(owner, self._options.pop("env_options", None))
        self._task_id = task_id
        for what, given in (("env_options", self._env_options), ("task ids", self._ids)):
            if given is not None and len(given) != num_envs:
                raise OptionError(f"there are {len(given)} {what} for num_envs={num_envs}")
        config = make_config(*self.arguments(0))
        if any(
            each["per_player"] for each in config.fields if each["role"] in ("action", "reward")
        ):
            raise OptionError(
                f"{owner} is for environments of one player, and {config.env.id} has several"
            )
        self.config, self.spec = config, PoolSpec(config)
        spaces = self.spec.observation_space, self.spec.action_space
        expect_arrays(*spaces, config.env.id, owner)
        self._bits = config.seed_bits
        self._listed = None if seed is None or np.ndim(seed) == 0 else spread(seed, num_envs)
        if seed is None and config.python is not None:
            self._listed = [None] * num_envs
        self._seed: int = np.random.SeedSequence().generate_state(1, np.uint64)[0]
        if seed is not None and self._listed is None:
            spread(seed, 1)
            self._seed = int(seed)

    def expect_one_pool(self) -> None:
        """Raises OptionError where the environments of two parts differ in what those of a pool may not."""
        if self._env_options is not None or self._ids is not None:
            whole = {**self._options, "num_envs": self.num_envs, "env_options": self._env_options}
            make_config(self._ids or self._task_id, whole)

    @property
    def _ids(self) -> Sequence[str] | None:
        return None if isinstance(self._task_id, str) else list(self._task_id)

    def arguments(self, pool: int) -> tuple[str | Sequence[str], dict[str, Any]]:
        """The id and the arguments of `make` for this part, without seeds."""
        mine = slice(pool * self.rows, (pool + 1) * self.rows)
        arguments = {**self._options, "num_envs": self.rows}
        if self._env_options is not None:
            arguments["env_options"] = list(self._env_options[mine])
        return self._task_id if self._ids is None else self._ids[mine], arguments

    def shard(self, pool: int, generation: int) -> Shard:
        """Returns the recipe for the actor of this part and generation."""
        task_id, arguments = self.arguments(pool)
        arguments["seed"] = self._seeds(pool, generation)
        return Shard(task_id, arguments, self.spec.observation_space, self.spec.action_space)

    def _seeds(self, pool: int, generation: int) -> list[int | None]:
        derived = apart(int(self._seed), (pool, generation), self.rows, self._bits)
        if self._listed is None:
            return [*derived]
        given = self._listed[pool * self.rows : (pool + 1) * self.rows]
        if generation == 0:
            return given
        # An environment in Python that was given no seed gets none.
        keeps = self.config.python is not None
        return [None if keeps and g is None else d for g, d in zip(given, derived, strict=True)]

    def policy_seed(self, pool: int, generation: int) -> int:
        """The seed of the policy's random numbers in this part."""
        return apart(int(self._seed), (pool, generation, 1), 1, 63)[0]

    def reset_seeds(self, seed: int, pool: int, generation: int) -> list[int]:
        """The seeds of a reset of all environments of this part with an int."""
        return apart(seed, (pool, generation), self.rows, self._bits)


def _arrays(space: Space[Any]) -> Any:
    """Returns the arrays that hold observations of that space. Their bounds may differ within a mixed pool."""
    return map_tree(lambda each: (each.shape, each.dtype), create_empty_array(space, 1))
