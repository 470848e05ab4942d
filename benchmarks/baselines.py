"""ale-py, and Gymnasium's Atari games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from measuring import baselines
from measuring.baselines import (
    Absent,
    Task,
    drive,
    effective_options,
    module_of,
)
from measuring.drivers import Driver


def ale(task: Task, *, name: str = "ale-py") -> Driver:
    """ale-py's vector environment of the same game."""
    options = effective_options(task)
    if "game" not in options:
        raise Absent(f"{task.bare_id} is not a game of ale-py's")
    module = module_of("ale_py.vector_env")
    quiet_ale()
    arguments = {theirs: options[ours] for ours, theirs in _ALE_NAMES.items() if ours in options}
    frames = options.get("frame_skip", 4)
    if options.get("max_episode_steps"):
        arguments["max_num_frames_per_episode"] = options["max_episode_steps"] * frames
    env = module.AtariVectorEnv(options["game"], **arguments, **task.sizes)
    return drive(name, env, task, takes_env_ids=False)


_ALE_NAMES = {
    "episodic_life": "episodic_life",
    "frame_skip": "frameskip",
    "full_action_space": "full_action_space",
    "gray_scale": "grayscale",
    "img_height": "img_height",
    "img_width": "img_width",
    "noop_max": "noop_max",
    "repeat_action_probability": "repeat_action_probability",
    "reward_clip": "reward_clipping",
    "stack_num": "stack_num",
    "use_fire_reset": "use_fire_reset",
}


def gymnasium_vector(
    task: Task, mode: str, *, name: str | None = None, factory: Callable[[], Any] | None = None
) -> Driver:
    """As `baselines.gymnasium_vector`, Atari games with the wrappers that stand for the options too."""
    options = effective_options(task)
    if "game" in options and mode != "vector_entry_point":
        module_of("ale_py")
        module_of("cv2")
        factory = partial(_atari_of_gymnasium, options)
    return baselines.gymnasium_vector(task, mode, name=name, factory=factory)


def _atari_of_gymnasium(options: Mapping[str, Any]) -> Any:
    """One environment with the wrappers that stand for the options; no fire at reset."""
    import ale_py
    import gymnasium
    from gymnasium import wrappers

    quiet_ale()
    gymnasium.register_envs(ale_py)
    camel = "".join(part.capitalize() for part in options["game"].split("_"))
    env: Any = gymnasium.make(
        f"ALE/{camel}-v5",
        frameskip=1,
        repeat_action_probability=options.get("repeat_action_probability", 0.0),
        full_action_space=options.get("full_action_space", False),
        max_num_frames_per_episode=108_000,
    )
    env = wrappers.AtariPreprocessing(
        env,
        noop_max=options.get("noop_max", 30),
        frame_skip=options.get("frame_skip", 4),
        screen_size=(options.get("img_width", 84), options.get("img_height", 84)),
        terminal_on_life_loss=options.get("episodic_life", False),
        grayscale_obs=options.get("gray_scale", True),
    )
    if options.get("reward_clip"):
        env = wrappers.TransformReward(env, lambda reward: float(np.sign(float(reward))))
    return wrappers.FrameStackObservation(env, options.get("stack_num", 4))


def quiet_ale() -> None:
    """No banner of the emulator for every game that is loaded."""
    module = module_of("ale_py")
    module.ALEInterface.setLoggerMode(module.LoggerMode.Error)
