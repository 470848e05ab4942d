"""The pool in EnvPool's shapes: spaces of one environment, a bare observation from `reset`, float32 rewards."""

from __future__ import annotations

from typing import Any

import gymnasium

from parallel_pool.recipe import Recipe
from parallel_pool.views.base import PoolView, info_plan, obs_plan


class GymPool(PoolView, gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """EnvPool's scripts run on this after changing the import. Autoreset is NEXT_STEP, as EnvPool's.

    `info`: a plain dict of batched arrays without masks: `env_id`, `players` (with `env_id`),
    `elapsed_step`, `TimeLimit.truncated` and the environment's own. Attributes such as `num_envs` and
    `single_action_space` may be set, as CleanRL does.
    """

    def __init__(self, recipe: Recipe) -> None:
        obs = obs_plan(recipe)
        info = {
            "env_id": "env_id",
            "players": {"env_id": "env_id"},
            "elapsed_step": "elapsed_step",
            "TimeLimit.truncated": "truncated",
            **info_plan(recipe),
        }
        self._build(
            recipe,
            step_plan=(obs, "reward32", "terminated", "truncated", info),
            reset_plan=obs,
            reward32=True,
        )
        self.spec = self._spec
        self.num_envs = recipe.config["num_envs"]
        self.is_vector_env = True
        self.render_mode = None
        self.metadata = {"render_modes": []}
        self.observation_space = self._spec.observation_space
        self.action_space = self._spec.action_space
        self.single_observation_space = self.observation_space
        self.single_action_space = self.action_space

    def reset(
        self, env_id: Any = None, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> Any:
        """Resets the environments `env_id` (None: all) and gives their observations.

        An asynchronous pool resets all of them and gives the first batch_size; `recv` gives the others.
        """
        self._refuse_reset_options(options)
        return self._pool.reset(env_id, self._seeds(seed, env_id))

    def step(self, action: Any, env_id: Any = None) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """(obs, reward, terminated, truncated, info), one row per environment."""
        result: tuple[Any, Any, Any, Any, dict[str, Any]] = self._pool.step(action, env_id)
        return result

    def recv(self, reset: bool = False, return_info: bool = True) -> Any:
        """Waits for the next batch. reset=True gives what `reset` gives (with info: and the info)."""
        result = self._pool.recv()
        if not reset:
            return result
        return (result[0], result[4]) if return_info else result[0]

    def close(self) -> None:
        """Stops the threads and destroys the environments. Doing it twice is fine."""
        PoolView.close(self)

    def __repr__(self) -> str:
        return PoolView.__repr__(self)
