"""`evaluate`: the episodes of a policy in an environment, and what they say."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence
from contextlib import ExitStack
from operator import index
from typing import Any

import numpy as np
from parallel_pool import make_gymnasium
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import GymnasiumPool

from parallel_pool_learning.evaluating.episode import Episode
from parallel_pool_learning.evaluating.episodes import Episodes, Lost, LostEpisodesError
from parallel_pool_learning.evaluating.evaluation import Evaluation
from parallel_pool_learning.evaluating.replay import replay_of

_LEFT_OUT = (
    "the {} around the pool would be left out: make the pool with transform=, or wrap the policy"
)
FIRST_SEED = 2**31
"""No training begins there."""
_AT_ONCE = 32
_CALLER = 4
"""Warnings are of the line that calls `parallel_pool.evaluate`."""


def evaluate(
    id_or_pool: str | Sequence[str] | GymnasiumPool,
    policy: Any,
    episodes: int = 100,
    seeds: Iterable[int] | None = None,
    *,
    rows: int | None = None,
    infos: Collection[str] = (),
    freeze: bool = True,
    **options: Any,
) -> Evaluation:
    """See `parallel_pool.evaluate`, which calls this."""
    if seeds is None:
        try:
            seeds = range(FIRST_SEED, FIRST_SEED + index(episodes))
        except TypeError:
            raise OptionError(f"episodes is {episodes!r}, expected a number of episodes") from None
    if not isinstance(seeds, range):
        try:
            seeds = list(seeds)
        except TypeError:
            raise OptionError(f"seeds is {seeds!r}, expected integers, as range(100)") from None
    if not len(seeds):
        raise OptionError("there are no episodes to play: episodes=100, or seeds=range(...)")
    with ExitStack() as made:
        pool = _pool_of(id_or_pool, len(seeds), options, made)
        with Episodes(pool, policy, seeds, rows=rows, infos=infos, freeze=freeze) as playing:
            found, lost = _collected(playing)
        return evaluation_of(pool, policy, rows, found, lost)


def _collected(playing: Episodes) -> tuple[list[Episode], list[Lost]]:
    """All of the episodes, and those that were lost, with a warning."""
    found: list[Episode] = []
    try:
        for episode in playing:
            found.append(episode)  # one by one: what there is stays, whatever is raised
    except LostEpisodesError as error:
        if not found:
            raise
        warnings.warn(str(error), RuntimeWarning, stacklevel=_CALLER)
        return found, error.lost
    except BaseException as error:
        error.add_note(
            f"evaluate() had {len(found)} of {len(playing)} episodes; envs.episodes() gives each as it ends"
        )
        raise
    return found, []


def evaluation_of(
    pool: GymnasiumPool,
    policy: Any,
    rows: int | None,
    episodes: Sequence[Episode],
    lost: Sequence[Lost],
) -> Evaluation:
    """Warns where seeds hardly decide anything, and of returns that are not finite. pool: was played."""
    alike = len(pool.definition.variants.distinct) == 1
    replay = replay_of(pool, policy, rows or pool.num_envs) if alike else None
    evaluation = Evaluation(episodes=episodes, lost=lost, replay=replay)
    for task, part in evaluation.tasks.items():
        if part.distinct * 2 <= len(part.episodes):
            warnings.warn(
                f"{len(part.episodes)} seeds of {task} gave {part.distinct} different episodes: with these "
                "options its seeds decide little or nothing, so more episodes say no more",
                RuntimeWarning,
                stacklevel=_CALLER,
            )
        if odd := np.count_nonzero(~np.isfinite(part._known)):
            warnings.warn(
                f"{odd} of {len(part.episodes)} episodes of {task} have returns that are NaN or infinite, and "
                "so is the mean",
                RuntimeWarning,
                stacklevel=_CALLER,
            )
    return evaluation


def pool_for(task_id: Any, count: int, options: dict[str, Any]) -> GymnasiumPool:
    """A pool to play `count` episodes. Scores are counted, and nothing else differs from `make`."""
    several = len(task_id) if isinstance(task_id, (list, tuple)) else 1
    arguments = {
        "num_envs": several if several > 1 else min(count, _AT_ONCE),
        **options,
        "episode_statistics": options.get("episode_statistics") or True,
    }
    return make_gymnasium(task_id, **arguments)


def _pool_of(
    given: str | Sequence[str] | GymnasiumPool,
    count: int,
    options: dict[str, Any],
    made: ExitStack,
) -> GymnasiumPool:
    some = isinstance(given, Sequence) and all(isinstance(each, str) for each in given)
    if some or hasattr(given, "parallel_pool_id"):  # a text is a sequence of texts
        return made.enter_context(pool_for(given, count, options))
    own: dict[str, Any] = {} if isinstance(given, GymnasiumPool) else getattr(given, "__dict__", {})
    pool: object = own.get(
        "pool", given
    )  # an adapter's; those of wrappers are not in their __dict__
    wrapped = own.get("envs", pool) is not pool
    name = type(given).__name__
    if not isinstance(pool, GymnasiumPool):
        base = getattr(given, "unwrapped", given)
        if isinstance(getattr(base, "pool", base), GymnasiumPool):
            raise OptionError(_LEFT_OUT.format(name))
        raise OptionError(
            f"a {name} cannot be evaluated: give an id, or a pool of env_type='gymnasium'"
        )
    if wrapped:
        raise OptionError(_LEFT_OUT.format(f"wrapper in the {name}"))
    if options:
        raise OptionError(
            f"{', '.join(options)}: options are for an id, and the pool is made already"
        )
    return pool
