"""The classic control environments, as data."""

from parallel_pool.plugin_api import EnvSpec

CLASSIC_CONTROL = (
    EnvSpec(
        "classic/CartPole-v0",
        native="classic/CartPole-v1",
        summary="Balance a pole on a cart, 200 steps",
        max_episode_steps=200,
        reward_threshold=195.0,
        aliases=("phys2d/CartPole-v0",),
        render_modes=("rgb_array",),
        render_fps=50,
    ),
    EnvSpec(
        "classic/CartPole-v1",
        aliases=("phys2d/CartPole-v1",),
        render_modes=("rgb_array",),
        render_fps=50,
    ),
    EnvSpec(
        "classic/Pendulum-v0",
        native="classic/Pendulum-v1",
        summary="Swing a pendulum up and hold it there, with OpenAI Gym's first dynamics",
        options={"version": 0},
        aliases=("phys2d/Pendulum-v0",),
        render_modes=("rgb_array",),
        render_fps=30,
    ),
    EnvSpec("classic/Pendulum-v1", render_modes=("rgb_array",), render_fps=30),
    EnvSpec("classic/MountainCar-v0", render_modes=("rgb_array",), render_fps=30),
    EnvSpec("classic/MountainCarContinuous-v0", render_modes=("rgb_array",), render_fps=30),
    EnvSpec("classic/Acrobot-v1", render_modes=("rgb_array",), render_fps=15),
)
