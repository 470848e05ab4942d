"""What the model plays of every family that saves states: one id, with options in which environments differ."""

from real_machine import Played

FAMILIES = {
    "atari": Played(
        "atari/Breakout-v5",
        ({}, {"repeat_action_probability": 0.25}, {"noop_max": 5, "reward_clip": True}),
        {"img_height": 21, "img_width": 21, "stack_num": 2},
    ),
    "box2d": Played(
        "box2d/LunarLander-v3",
        ({}, {"enable_wind": True}, {"gravity": -4.0, "enable_wind": True, "wind_power": 3.0}),
        draws=True,
    ),
    "classic": Played(
        "classic/Taxi-v4",
        ({}, {"is_rainy": True}, {"fickle_passenger": True, "fickle_probability": 0.9}),
    ),
    "dmc": Played(
        "dmc/cartpole-swingup-v1",
        ({}, {"legacy_step": False}, {"model_overrides": {"opt.gravity": [0, 0, -3]}}),
        {"frame_stack": 2},
    ),
    "minigrid": Played(
        "minigrid/MiniGrid-LavaGapS5-v0",
        (
            {},
            {"no_death": "lava"},
            {"action_bonus": True},
            {"position_bonus": 0.5, "stochastic_actions": True},
        ),
        draws=True,
    ),
    "mujoco": Played(
        "mujoco/Hopper-v5",
        ({}, {"frame_skip": 2}, {"reset_noise_scale": 0.1, "forward_reward_weight": 2.0}),
        {"frame_stack": 2},
    ),
    "tasks": Played(
        "tasks/Cheetah-v0",
        ({}, {"frame_skip": 2}, {"reset_noise_scale": 0.2, "forward_reward_weight": 2.0}),
    ),
}
