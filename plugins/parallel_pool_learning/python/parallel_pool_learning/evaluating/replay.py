"""Episodes that are played once more, to film them."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from parallel_pool.pool_api import GymnasiumPool, imported, leaves

from parallel_pool_learning.evaluating.episode import Episode
from parallel_pool_learning.evaluating.episodes import Episodes

_OF_THE_POOL = (
    "num_envs",
    "batch_size",
    "seed",
    "render_mode",
    "task_id",
    "env_type",
    "env_options",
)


def replay_of(pool: GymnasiumPool, policy: Any, rows: int) -> Callable[..., Any]:
    """A function that films episodes of a pool like this one: (episodes, path, width) -> Filmed."""
    config = pool.definition
    task_id = config.env.id if isinstance(config.task_id, list) else config.task_id
    arguments = {name: value for name, value in config.again.items() if name not in _OF_THE_POOL}
    arguments |= config.variants.distinct[0].row
    known = copy.deepcopy(_statistics(pool))

    def replay(episodes: Sequence[Episode], path: str | Path | None, width: int) -> Any:
        films = imported("parallel_pool_watch.films", "0", "a film", extra="watch")
        inline = imported("parallel_pool_watch.inline", "0", "a film", extra="watch")
        mosaics = imported("parallel_pool_watch.mosaic", "0", "a film", extra="watch")
        watch = imported("parallel_pool_watch.watch", "0", "a film", extra="watch")
        where = Path(path or films.usual_path(task_id))
        with watch.make_filmed(task_id, **arguments, num_envs=len(episodes)) as filmed:
            for mine, theirs in zip(_statistics(filmed), known, strict=True):
                if mine is not None:
                    mine.assign(theirs)
            out = films.film(where, filmed.metadata["render_fps"])
            mosaic = mosaics.Mosaic(len(episodes), width)
            labels = [
                (f"seed {each.seed}: {_said(each)}", f"seed {each.seed}") for each in episodes
            ]
            pictures: list[Any] = [None] * len(episodes)

            def draw(playing: GymnasiumPool, lanes: list[int]) -> None:
                for lane, picture in zip(lanes, playing.render(lanes), strict=True):
                    pictures[lane] = picture
                if all(each is not None for each in pictures):
                    out.add(mosaic.draw(pictures, labels))

            seeds = [each.seed for each in episodes]
            again = list(Episodes(filmed, policy, seeds, rows=rows, freeze=True, _look=draw))
            out.close()
        if [each.fingerprint for each in again] != [each.fingerprint for each in episodes]:
            warnings.warn(
                "the filmed episodes differ from those that were evaluated: the policy draws random numbers, "
                "or remembers what it saw",
                RuntimeWarning,
                stacklevel=3,
            )
        return inline.Filmed(where, [each.value for each in episodes], width)

    return replay


def _statistics(pool: GymnasiumPool) -> list[Any]:
    return [*leaves(pool.obs_statistics), pool.reward_statistics]


def _said(episode: Episode) -> str:
    return f"{episode.value:.5g} in {episode.length} steps"
