"""Games of our own, as data."""

from parallel_pool.plugin_api import EnvSpec

GAMES = (EnvSpec("classic/TwoPlayerPong-v0", render_modes=("rgb_array", "ansi"), render_fps=25),)
