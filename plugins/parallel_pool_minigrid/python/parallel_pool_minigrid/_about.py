"""The meanings of the numbers of these environments. Imported when a user asks."""

from parallel_pool.plugin_api import About, EnvSpec, Part

_ACTIONS = (
    *("turn left", "turn right", "go forward"),
    *("pick up the object ahead", "drop the carried object", "open, close or unlock what is ahead"),
    "done; changes nothing",
)


def about(spec: EnvSpec) -> About:
    """Returns one text for all, but for the fewer actions among moving obstacles."""
    name = spec.id.partition("/")[2]
    moving = "Dynamic" in name
    own = name.startswith(("MiniGrid-", "BabyAI-"))
    return About(
        observation=(
            Part("direction of the agent: 0 right, 1 down, 2 left, 3 up"),
            Part(
                "fields in view by columns: kind of object, colour and state of each",
                count=7 * 7 * 3,
            ),
            Part("the mission, a text"),
        ),
        action=tuple(map(Part, _ACTIONS[:3] if moving else _ACTIONS)),
        reward="1 - 0.9 * steps / most steps where the mission is done, else 0"
        + ("; -1 for running into an obstacle" if moving else ""),
        ends="the mission is done, or cannot be done any more, as in lava; or the level's most steps are over",
        original=f"{'minigrid' if own else 'EnvPool'} {name}",
    )
