"""Pong as `parallel_pool.envpool` shows it; what is asserted was seen in EnvPool 1.2.5."""

import gymnasium
import numpy as np
import pytest
from parallel_pool import OptionError, envpool

OPTIONS = {
    "max_episode_steps": 27000,
    "stack_num": 4,
    "frame_skip": 4,
    "noop_max": 30,
    "zero_discount_on_life_loss": False,
    "episodic_life": False,
    "reward_clip": False,
    "use_fire_reset": True,
    "img_height": 84,
    "img_width": 84,
    "mode": -1,
    "difficulty": -1,
    "full_action_space": False,
    "repeat_action_probability": 0.0,
    "use_inter_area_resize": True,
    "gray_scale": True,
}


def test_the_spec() -> None:
    spec = envpool.make_spec("Pong-v5")
    config = spec.config._asdict()
    assert {name: config[name] for name in OPTIONS} == OPTIONS
    own = list(spec.state_array_spec.items())[8:]
    assert [(name, str(each.dtype), each.shape) for name, each in own] == [
        ("obs", "uint8", [4, 84, 84]),
        ("info:lives", "int32", [-1]),
        ("info:reward", "float32", [-1]),
        ("info:terminated", "int32", [-1]),
        ("info:ram", "uint8", [128]),
    ]
    assert (own[0][1].minimum, own[0][1].maximum) == (0, 255)
    assert spec.observation_space == gymnasium.spaces.Box(0, 255, (4, 84, 84), np.uint8)
    assert spec.action_space == gymnasium.spaces.Discrete(6)


def test_task_is_the_game() -> None:
    assert envpool.make_spec("Pong-v5", task="pong").config.game == "pong"
    assert envpool.make_spec("Pong-v5", task="breakout").action_space.n == 4
    with pytest.raises(OptionError, match="'task' and 'game' mean the same"):
        envpool.make_spec("Pong-v5", task="pong", game="pong")
