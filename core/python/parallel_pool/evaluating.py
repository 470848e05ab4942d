"""`evaluate`, which parallel-pool-learning does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from parallel_pool.imports.libraries import imported

if TYPE_CHECKING:
    from parallel_pool_learning.evaluating import Evaluation

    from parallel_pool.views.gymnasium import GymnasiumPool


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
    """Plays one episode of each seed and says how good the policy is. Needs parallel-pool-learning.

    id_or_pool: what `make` takes, of which a pool is made with `options` (32 environments at most unless they
    have num_envs), or a pool, which is played as it is and needs resets afterwards. seeds: None: `episodes`
    seeds from 2**31 on, where no training begins. policy, rows, infos, freeze: as for the pool's `episodes`.

    Warns of episodes that were lost because environments failed, where many seeds give few different
    episodes, and of returns that are not finite. Raises what `make` and `episodes` raise, OptionError for a
    pool in a wrapper, LostEpisodesError if all were lost, and LibraryError without that wheel.
    """
    wheel = imported("parallel_pool_learning.evaluating", "0", "evaluate()", extra="learning")
    how: dict[str, Any] = {"rows": rows, "infos": infos, "freeze": freeze}
    found: Evaluation = wheel.evaluate(id_or_pool, policy, episodes, seeds, **how, **options)
    return found
