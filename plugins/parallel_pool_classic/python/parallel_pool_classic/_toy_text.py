"""The toy text environments, as data."""

from parallel_pool.plugin_api import EnvSpec

MODES = ("rgb_array", "ansi")

TOY_TEXT = (
    EnvSpec("classic/Catch-v0", render_modes=MODES, render_fps=4),
    EnvSpec(
        "classic/FrozenLake-v1",
        summary="Cross a frozen lake with holes to a goal, 4 x 4",
        options={"map_name": "4x4"},
        render_modes=MODES,
        render_fps=4,
    ),
    EnvSpec(
        "classic/FrozenLake8x8-v1",
        native="classic/FrozenLake-v1",
        summary="Cross a frozen lake with holes to a goal, 8 x 8",
        options={"map_name": "8x8"},
        max_episode_steps=200,
        reward_threshold=0.85,
        render_modes=MODES,
        render_fps=4,
    ),
    EnvSpec(
        "classic/Taxi-v3",
        native="classic/Taxi-v4",
        summary="Pick a passenger up and bring them to their destination, with the old rain",
        options={"version": 3},
        render_modes=MODES,
        render_fps=4,
    ),
    EnvSpec("classic/Taxi-v4", render_modes=MODES, render_fps=4),
    EnvSpec("classic/NChain-v0", render_modes=MODES, render_fps=4),
    EnvSpec(
        "classic/CliffWalking-v0",
        native="classic/CliffWalking-v1",
        aliases=("tabular/CliffWalking-v0",),
        tags=("deterministic", "rare_ends"),
        render_modes=MODES,
        render_fps=4,
    ),
    EnvSpec(
        "classic/CliffWalking-v1",
        tags=("deterministic", "rare_ends"),
        render_modes=MODES,
        render_fps=4,
    ),
    EnvSpec(
        "classic/CliffWalkingSlippery-v1",
        native="classic/CliffWalking-v1",
        summary="Walk along a slippery cliff to a goal",
        tags=("rare_ends",),
        options={"is_slippery": True},
        render_modes=MODES,
        render_fps=4,
    ),
    EnvSpec(
        "classic/Blackjack-v1",
        envpool_layout="classic/BlackjackBox-v1",
        aliases=("tabular/Blackjack-v0",),
        render_modes=MODES,
        render_fps=4,
    ),
    EnvSpec(
        "classic/BlackjackBox-v1",
        summary="Take cards, not above 21: the observation is one array, as in EnvPool",
        render_modes=MODES,
        render_fps=4,
    ),
)
