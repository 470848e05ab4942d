"""Lists ids: the library's environments, and minigrid's ids as presets of them."""

from typing import Any

from parallel_pool.plugin_api import EnvSpec

COMMON: dict[str, Any] = {
    "render_modes": ("rgb_array",),
    "render_fps": 10.0,
    "network_options": {"mission": "words"},
}


OWN = frozenset(
    f"BabyAI-{name}"
    for name in ("OpenDoorsOrder", "OneRoom", "FindObj", "PutNext", "MoveTwoAcross", "LevelGen")
)
"""Names that minigrid has for none of its BabyAI ids."""


def native(name: str, summary: str, **options: Any) -> EnvSpec:
    """An environment of the library; options are what minigrid's id of this name has. Lists have it if it is
    one of minigrid's ids itself."""
    return EnvSpec(
        f"minigrid/{name}-v0",
        summary=summary,
        options=options,
        tags=_tags(name),
        hidden=not name.startswith("BabyAI-") or name in OWN,
        **COMMON,
    )


def preset(task_id: str, of: EnvSpec, detail: str, **options: Any) -> EnvSpec:
    """One of minigrid's ids, with its version."""
    return EnvSpec(
        f"minigrid/{task_id}",
        native=of.id,
        summary=f"{of.summary}: {detail}" if detail else of.summary,
        options=options,
        tags=_tags(task_id.removeprefix("MiniGrid-")),
        **COMMON,
    )


def _tags(name: str) -> tuple[str, ...]:
    return ("deterministic",) if name in FIXED else ()


FIXED = frozenset(
    {
        "Empty",
        "DistShift",
        *(f"Empty-{n}x{n}-v0" for n in (5, 6, 8, 16)),
        *(f"DistShift{n}-v0" for n in (1, 2)),
    }
)
"""No chance in them."""
