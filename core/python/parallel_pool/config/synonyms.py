"""What other packages call the options of environments and pools: for those who type a name they know."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple


class Meant(NamedTuple):
    """What is meant by some names where there are these options. A list: see MEANT."""

    names: str
    """Separated by spaces."""
    options: str
    """What an environment or a pool must have for the hint to be true. Separated by spaces."""
    written: str = ""
    """How it is written, if that is not the one option."""
    hint: str = ""
    """The whole hint, where it is no option that is meant."""


_STACK = "stack_num frame_stack num_stack framestack n_stack stack_size num_frames"
_CLIP = "reward_clip clip_reward clip_rewards reward_clipping"
_GRAY = "gray_scale grayscale greyscale grayscale_obs grayscale_observation obs_type gray grey"
_SCREEN = "screen_size frame_size image_size img_size obs_size resize_shape size height width"
_PICTURES = "from_pixels pixels pixel_obs image_obs obs_type visual use_pixels"
_NOTHING_TO_CHOOSE = "num_envs"  # every pool has it

MEANT: Sequence[Meant] = (
    # Of environments, by what the families call it.
    Meant("action_repeat action_repeats frameskip frame_skips frames_skip skip", "frame_skip"),
    Meant("action_repeat action_repeats frame_skip frame_skips frames_skip skip", "frameskip"),
    Meant(
        "sticky_actions sticky_action sticky_action_prob sticky_action_probability sticky_prob "
        "repeat_action_prob action_repeat_probability",
        "repeat_action_probability",
    ),
    Meant("noop noops no_ops noop_num noop_reset max_noops num_noops noop_reset_max", "noop_max"),
    Meant("terminal_on_life_loss terminate_on_life_loss episode_life", "episodic_life"),
    Meant(_GRAY, "gray_scale"),
    Meant(_GRAY, "obs_type", "obs_type='grayscale'"),
    Meant(_GRAY, "screen_format", "screen_format='gray'"),
    Meant(_SCREEN, "img_height img_width", "img_height and img_width"),
    Meant(_SCREEN, "from_pixels render_width", "from_pixels, render_height and render_width"),
    Meant(_SCREEN, "obs_type transform", "transform={'resize': (height, width)}"),
    Meant(_PICTURES, "from_pixels"),
    Meant(_STACK, "stack_num"),
    Meant(_STACK, "frame_stack"),
    Meant(_CLIP, "reward_clip"),
    # Of all pools.
    Meant(_STACK, "transform", "transform={'frame_stack': ...}"),
    Meant(_CLIP, "transform", "transform={'clip_reward': ...}"),
    Meant("resize resize_obs", "transform", "transform={'resize': (height, width)}"),
    Meant("channels channels_first channel_first", "transform", "transform={'channels': 'first'}"),
    Meant(
        "normalize_obs normalize_observation norm_obs",
        "transform",
        "transform={'normalize_obs': True}",
    ),
    Meant("level_seeds levels reset_seeds", "episode_seeds"),
    Meant("normalize_reward norm_reward", "transform", "transform={'normalize_reward': True}"),
    Meant("flatten_obs flatten_observation", "transform", "transform={'flatten_obs': True}"),
    Meant(
        "max_steps time_limit max_episode_length episode_length max_length horizon",
        "max_episode_steps",
    ),
    Meant("dtype obs_dtype", "transform", "transform={'obs_dtype': 'float32'}"),
    Meant("gamma discount", "transform", "transform={'normalize_reward': True, 'gamma': ...}"),
    Meant("n_envs nenvs num_env env_num num_environments", "num_envs"),
    Meant("seeds seed_list env_seeds random_state", "seed"),
    Meant(
        "num_workers n_workers workers n_jobs num_processes num_cpus thread_num n_threads",
        "num_threads",
    ),
    Meant(
        "vectorization_mode vec_env_cls backend",
        "num_threads",
        "num_threads (1: environments in turn; more: at the same time)",
    ),
    Meant(
        "asynchronous is_async async_mode",
        "batch_size num_threads",
        "batch_size (below num_envs: asynchronous) or num_threads (1: environments in turn)",
    ),
    Meant("camera camera_names cam view viewpoint", "render_camera_name"),
    Meant("record_episode_statistics record_stats monitor", "episode_statistics"),
    Meant(
        "wrappers wrapper_class",
        "transform",
        "transform={...}, or a wrapper of gymnasium.wrappers.vector around the pool",
    ),
    Meant(
        "shared_memory zero_copy copy",
        _NOTHING_TO_CHOOSE,
        hint="Leave it out: a pool shares memory with its workers, and each result is an array of its own.",
    ),
    Meant(
        "env_kwargs make_kwargs vector_kwargs vec_env_kwargs wrapper_kwargs",
        _NOTHING_TO_CHOOSE,
        hint="Its members are arguments of their own: make(ID, **{...}).",
    ),
)
"""The first that applies is offered."""


def meant_by(name: str, known: Container[str]) -> str:
    """A hint for a name that is no option, where the options are these; "": it means nothing known."""
    for each in MEANT:
        if name in each.names.split() and all(option in known for option in each.options.split()):
            return each.hint or f"Did you mean {each.written or repr(each.options)}?"
    return ""
