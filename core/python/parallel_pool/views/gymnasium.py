"""The pool as a true `gymnasium.vector.VectorEnv`: batched spaces, float64 rewards, infos with masks."""

from __future__ import annotations

from typing import Any

import gymnasium
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from parallel_pool.recipe import Recipe
from parallel_pool.views.base import PoolView, info_plan, obs_plan, reward_plan


class GymnasiumPool(PoolView, VectorEnv[Any, Any, Any]):
    """See Gymnasium's VectorEnv; autoreset mode NEXT_STEP.

    Asynchronous pools (batch_size < num_envs) answer with batch_size rows in the order in which
    environments finish; `info["env_id"]` says which they are.
    """

    def __init__(self, recipe: Recipe) -> None:
        obs = obs_plan(recipe)
        info = _with_masks(
            {"env_id": "env_id", "elapsed_step": "elapsed_step", **info_plan(recipe)}
        )
        self._build(
            recipe,
            step_plan=(obs, reward_plan(recipe), "terminated", "truncated", info),
            reset_plan=(obs, info),
        )
        self.spec = self._spec
        self.num_envs = recipe.config["num_envs"]
        self.render_mode = None
        # Per instance: the class attribute is shared by every vector environment in the process.
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.autoreset_mode = AutoresetMode.NEXT_STEP
        self.single_observation_space: gymnasium.Space[Any] = self._spec.observation_space
        self.single_action_space: gymnasium.Space[Any] = self._spec.action_space
        rows = recipe.config["batch_size"]
        self.observation_space = batch_space(self.single_observation_space, rows)
        self.action_space = batch_space(self.single_action_space, rows)

    def reset(
        self, env_id: Any = None, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets the environments `env_id` (None: all) and gives (obs, info), one row for each.

        seed: an int gives the k-th of them `seed + k`; a list one each (None: go on); None: all go on
        with the generator they have.
        """
        self._refuse_reset_options(options)
        result: tuple[Any, dict[str, Any]] = self._pool.reset(env_id, self._seeds(seed, env_id))
        return result

    def step(self, actions: Any, env_id: Any = None) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """(obs, reward, terminated, truncated, info), one row per environment."""
        result: tuple[Any, Any, Any, Any, dict[str, Any]] = self._pool.step(actions, env_id)
        return result

    def recv(self) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Waits for the next batch and gives it as `step` does."""
        result: tuple[Any, Any, Any, Any, dict[str, Any]] = self._pool.recv()
        return result

    def close_extras(self, **_: Any) -> None:
        """Called by `close`, once."""
        self._pool.close()

    def close(self, **kwargs: Any) -> None:
        """Stops the threads and destroys the environments. Doing it twice is fine."""
        VectorEnv.close(self, **kwargs)

    def __repr__(self) -> str:
        return PoolView.__repr__(self)


def _with_masks(info: dict[str, Any]) -> dict[str, Any]:
    """Gymnasium pairs each info key with `_key`: which environments gave it. Here, always all."""
    masked: dict[str, Any] = {}
    for key, value in info.items():
        masked[key] = _with_masks(value) if isinstance(value, dict) else value
        masked[f"_{key}"] = "ones"
    return masked
