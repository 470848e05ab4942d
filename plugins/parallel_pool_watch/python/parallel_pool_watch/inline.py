"""`film(envs, policy)`: a film of a pool and a policy of a program, which a notebook shows."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import GymnasiumPool, leaves, map_tree

from parallel_pool_watch.films import film as film_file
from parallel_pool_watch.films import record, usual_path
from parallel_pool_watch.watch import DECIDED, Watch

_TYPES = {".mp4": "video/mp4", ".gif": "image/gif", ".png": "image/png"}


class Filmed:
    """A film that was written. A notebook shows it where it is the last line of a cell."""

    def __init__(self, path: Path, returns: list[float], width: int) -> None:
        self.path = path
        self.returns = returns
        """The returns of the episodes, or whole games, that ended in the film."""
        self._width = width

    def __repr__(self) -> str:
        if len(self.returns) == 1:
            return f"{self.path}: 1 episode ended, return {self.returns[0]:.2f}"
        mean = f", mean return {sum(self.returns) / len(self.returns):.2f}" if self.returns else ""
        return f"{self.path}: {len(self.returns)} episodes ended{mean}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """Returns what a notebook shows."""
        kind = _TYPES[self.path.suffix]
        data = base64.b64encode(self.path.read_bytes()).decode()
        if kind.startswith("image"):
            return {kind: data}
        video = (
            f'<video src="data:{kind};base64,{data}" width="{self._width}" controls loop></video>'
        )
        return {"text/html": video}


def film(
    envs: gymnasium.vector.VectorEnv[Any, Any, Any],
    policy: Callable[[Any], Any],
    path: str | Path | None = None,
    *,
    num_envs: int | None = None,
    steps: int = 300,
    every: int = 1,
    fps: float | None = None,
    seed: int = 0,
    width: int = 960,
) -> Filmed:
    """Plays a pool like `envs` with a policy, and films all environments side by side.

    The film has a pool of its own, with the id and the options of `envs` and its statistics of observations,
    so `envs` stays as it is. policy: from observations, as `step` of `envs` returns them, to actions. path:
    .mp4, .gif, or .png for the last picture; None: the name of the environment, .mp4. num_envs: how many of
    the environments, the first ones; None: 16 at most. The others are as for `parallel-pool watch`.

    Raises OptionError if `envs` is no pool of the view "gymnasium"; what `make` raises; LibraryError without
    the extra "watch"; ParallelPoolError if the policy raised.
    """
    base = getattr(envs, "unwrapped", envs)
    pool = getattr(base, "pool", base)  # an adapter's
    if not isinstance(pool, GymnasiumPool):
        raise OptionError(
            f"a {type(pool).__name__} cannot be filmed: make the pool with env_type='gymnasium'"
        )
    config = pool.definition
    count = min(num_envs or 16, pool.num_envs)
    arguments = {name: value for name, value in config.again.items() if name not in DECIDED}
    task_id = config.task_id
    if isinstance(task_id, list):
        task_id = task_id[:count]
    given = arguments.get("env_options")
    if given is not None:
        by_name = isinstance(given, dict)
        arguments["env_options"] = (
            {name: values[:count] for name, values in given.items()} if by_name else given[:count]
        )
    path = Path(path or usual_path(task_id if isinstance(task_id, str) else task_id[0]))
    play = policy
    if config.arguments.output == "torch":
        play = _with_tensors(policy, config.arguments.device)

    def prepare(filmed: GymnasiumPool) -> None:
        for mine, theirs in zip(
            leaves(filmed.obs_statistics), leaves(pool.obs_statistics), strict=True
        ):
            if mine is not None:
                mine.assign(theirs)
                mine.frozen = True

    with Watch(
        task_id,
        count,
        lambda space: lambda observations, step: play(observations),
        seed=seed,
        width=width,
        arguments=arguments,
        prepare=prepare,
    ) as watch:
        out = film_file(path, fps or watch.fps / every)
        ended = [each.total for episodes in record(watch, out, steps, every) for each in episodes]
        out.close()
    return Filmed(path, ended, width)


def _with_tensors(policy: Callable[[Any], Any], device: str | None) -> Callable[[Any], Any]:
    """The policy of a pool whose results are tensors on that device (None: the CPU)."""
    import torch

    def play(observations: Any) -> Any:
        there = map_tree(lambda each: torch.as_tensor(each, device=device), observations)
        return map_tree(lambda each: each.cpu() if hasattr(each, "cpu") else each, policy(there))

    return play
