"""Our environments in Gymnasium's registry, so that `gymnasium.make_vec` and `gymnasium.make` know them.

Each is there as `family/Name-vN` and, where the bare id means one environment only, as
`ParallelPool/Name-vN`. The short key leads to the spec with the full id. Gymnasium takes the specs of one
namespace and name for versions of one environment, warns of all but the highest, and so would retire the
card game Blackjack-v1 for the console's game Blackjack-v5. It compares specs, not keys: by their full ids
these two have nothing to do with each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parallel_pool.errors import AmbiguousEnvError, UnknownEnvError
from parallel_pool.imports.undisturbed import import_undisturbed
from parallel_pool.registry.process import registry

if TYPE_CHECKING:
    from parallel_pool.plugin_api import EnvSpec

NAMESPACE = "ParallelPool"
_SINGLE = "parallel_pool.views.single:"
ENTRY_POINTS = {
    "native": (_SINGLE + "SingleEnv", _SINGLE + "make_unlimited"),
    "python": (_SINGLE + "make_python",) * 2,
}
"""What makes one environment: without a limit of steps, and with one."""
VECTOR_ENTRY_POINT = "parallel_pool:make_gymnasium"

_entered = False
"""Whether Gymnasium's registry has our ids: those that are registered later follow."""


def register_gymnasium() -> None:
    """Enters all known environments into Gymnasium's registry. Imports gymnasium, loads no plugin library.

    Importing `parallel_pool.gymnasium` does it, which Gymnasium imports for an id such as
    "parallel_pool.gymnasium:family/Name-v0". It may be repeated. Ids that another package registered are
    not replaced.
    """
    global _entered
    _entered = True
    for spec in registry().specs(hidden=True):
        enter(spec)


def ids_of(name: str) -> list[str]:
    """The ids with a family that one without may mean."""
    try:
        return [registry().resolve(name).spec.id]
    except AmbiguousEnvError as error:
        return list(error.candidates)
    except UnknownEnvError:
        return []


def on_register(spec: EnvSpec) -> None:
    """An environment was registered: where Gymnasium has our ids, it is entered there too."""
    if _entered:
        enter(spec)


def enter(spec: EnvSpec) -> None:
    """Enters one environment into Gymnasium's registry."""
    # Whole, before a part of it: another thread may be importing it, and a part would not wait for that.
    import_undisturbed("gymnasium")

    from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

    # The registry itself, not gymnasium.register: that one compares each new id with all there are.
    from gymnasium.envs.registration import registry as theirs

    entry = GymnasiumEnvSpec(
        id=spec.id,
        entry_point=ENTRY_POINTS[spec.backend][spec.max_episode_steps is not None],
        vector_entry_point=VECTOR_ENTRY_POINT,
        reward_threshold=spec.reward_threshold,
        max_episode_steps=spec.max_episode_steps,
        kwargs={"task_id": spec.id},
    )
    short = f"{NAMESPACE}/{spec.id.partition('/')[2]}"
    keys = [spec.id]
    meant = ids_of(spec.id.partition("/")[2])
    if meant == [spec.id]:
        keys.append(short)
    elif len(meant) > 1:
        theirs.pop(short, None)
    for key in keys:
        there = theirs.get(key)
        if there is None or there.vector_entry_point == VECTOR_ENTRY_POINT:
            theirs[key] = entry
