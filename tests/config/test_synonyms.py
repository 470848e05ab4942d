"""Names that people know from other packages lead to the option here, where there is one."""

from typing import Any

import parallel_pool
import pytest
from parallel_pool.config.arguments import COMMON_DEFAULTS
from parallel_pool.config.synonyms import MEANT
from test_envs.checks import refused

IDS = (
    "atari/Pong-v5",
    "ALE/Pong-v5",
    "mujoco/Ant-v5",
    "dmc/walker-walk",
    "vizdoom/Basic-v1",
    "minigrid/MiniGrid-Empty-5x5-v0",
    "classic/CartPole-v1",
)
"""Between them they have every option that a synonym leads to."""


@pytest.mark.parametrize(
    ("task_id", "name", "meant"),
    [
        ("dmc/walker-walk", "action_repeat", "'frame_skip'"),
        ("ALE/Pong-v5", "frame_skips", "'frameskip'"),
        ("atari/Pong-v5", "sticky_actions", "'repeat_action_probability'"),
        ("atari/Pong-v5", "grayscale_obs", "'gray_scale'"),
        ("ALE/Pong-v5", "grayscale", "obs_type='grayscale'"),
        ("atari/Pong-v5", "obs_type", "'gray_scale'"),
        ("mujoco/Ant-v5", "obs_type", "'from_pixels'"),
        ("atari/Pong-v5", "screen_size", "img_height and img_width"),
        ("dmc/walker-walk", "image_size", "from_pixels, render_height and render_width"),
        ("atari/Pong-v5", "frame_stack", "'stack_num'"),
        ("dmc/walker-walk", "num_stack", "'frame_stack'"),
        ("classic/CartPole-v1", "frame_stack", "transform={'frame_stack': ...}"),
        ("atari/Pong-v5", "clip_rewards", "'reward_clip'"),
        ("classic/CartPole-v1", "clip_reward", "transform={'clip_reward': ...}"),
        ("vizdoom/Basic-v1", "terminal_on_life_loss", "'episodic_life'"),
        ("atari/Pong-v5", "noops", "'noop_max'"),
        ("mujoco/Ant-v5", "camera", "'render_camera_name'"),
        ("mujoco/Ant-v5", "time_limit", "'max_episode_steps'"),
        ("classic/CartPole-v1", "vectorization_mode", "num_threads (1: "),
        ("gym:CartPole-v1", "vectorization_mode", "num_threads (1: "),
        ("gym:CartPole-v1", "n_envs", "'num_envs'"),
        ("atari/Pong-v5", "seeds", "'seed'"),
        ("atari/Pong-v5", "gamma", "transform={'normalize_reward': True"),
    ],
)
def test_the_hint_is_what_the_name_means(task_id: str, name: str, meant: str) -> None:
    with refused(parallel_pool.OptionError, f"argument '{name}'", f". Did you mean {meant}"):
        parallel_pool.make_spec(task_id, **dict[str, Any]({name: 4}))


def test_a_synonym_is_offered_only_where_its_option_is() -> None:
    def said(**options: Any) -> str:
        with pytest.raises(parallel_pool.UnknownArgumentError) as caught:
            parallel_pool.make_spec("classic/CartPole-v1", **options)
        return str(caught.value)

    assert "frame_skip" not in said(action_repeat=1)
    assert "from_pixels" not in said(image_size=1)
    # Environments that differ have options of their own only.
    assert "num_envs" not in said(env_options=[{"n_envs": 1}])


def test_every_option_that_a_synonym_leads_to_exists() -> None:
    known = set(COMMON_DEFAULTS)
    for task_id in IDS:
        known |= {option["name"] for option in parallel_pool.make_spec(task_id).declared_options}
    for each in MEANT:
        assert known.issuperset(each.options.split()), each
        assert len(set(each.names.split())) == len(each.names.split()), each
