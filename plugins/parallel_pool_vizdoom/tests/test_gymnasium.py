"""The ids of ViZDoom's Gymnasium environments against those environments themselves."""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool.schema.trees import map_tree
from parallel_pool.testing import Play, play_beside
from vizdoom.gymnasium_wrapper.gymnasium_env_defns import VizdoomScenarioEnv


def original(cfg: str, pressed: int | None = None, **options: Any) -> Any:
    """Gymnasium's; no sound card is needed. What it shows at the end of an episode, zeros, is not compared."""
    if pressed is not None:
        options |= {"frame_skip": 3, "max_buttons_pressed": pressed}
    env = VizdoomScenarioEnv(cfg, **options)
    step = env.step

    def seen(action: Any) -> Any:
        obs, *answer = step(action)
        return {} if answer[1] or answer[2] else obs, *answer

    env.step = seen
    return env


def alike(cfg: str, pool: Any, steps: int, **options: Any) -> int:
    """Plays both, whose spaces are the same; gives how many episodes have ended."""

    def act(play: Play) -> Any:
        (env,) = play.originals
        if play.step == 0:
            check_space(pool.single_action_space, env.action_space)
            assert set(pool.single_observation_space) == set(env.observation_space)
            for key, space in env.observation_space.items():
                assert pool.single_observation_space[key].shape == space.shape
                assert pool.single_observation_space[key].dtype == space.dtype
            env.action_space.seed(5)
        action = env.action_space.sample()
        if isinstance(action, dict):
            action["continuous"] = play.draw.uniform(-9, 9, 3).astype(np.float32)
        return map_tree(lambda each: np.asarray([each]), action)

    return play_beside(pool, partial(original, cfg, **options), act, seed=11, steps=steps).ended[0]


@pytest.mark.parametrize(
    ("name", "cfg", "pressed"),
    [
        ("VizdoomBasic-v1", "basic.cfg", 1),
        ("VizdoomTakeCover-MultiBinary-v1", "take_cover.cfg", 0),
        ("VizdoomDeathmatch-v1", "deathmatch.cfg", 1),
        ("VizdoomDeathmatch-MultiBinary-v1", "deathmatch.cfg", 0),
    ],
)
def test_as_gymnasium_has_it(name: str, cfg: str, pressed: int) -> None:
    steps = 230 if cfg == "take_cover.cfg" else 130
    with parallel_pool.make(name, num_envs=1, frame_skip=3) as pool:
        assert alike(cfg, pool, steps, pressed=pressed) >= 1 or cfg == "deathmatch.cfg"


@pytest.mark.parametrize(("game", "map_id", "skill"), [("1", "E2M3", 4), ("2", "MAP07", 1)])
def test_a_map_of_a_whole_game(game: str, map_id: str, skill: int) -> None:
    """Without its sounds, for which OpenAL would be needed."""
    options = {"doom_map": map_id, "doom_skill": skill, "audio_buffer_enabled": False}
    name = f"VizdoomFreedoom{game}{map_id}-S{skill}-v0"
    with parallel_pool.make(name, num_envs=1, audio_buffer=False) as pool:
        alike(f"freedoom{game}.cfg", pool, 40, **options)


def test_every_id_of_gymnasium_is_here() -> None:
    """Or says that its game has to be bought."""
    theirs = {id for id in gymnasium.registry if id.startswith("Vizdoom")}
    ours = set(parallel_pool.list_all_envs("vizdoom", aliases=True))
    assert len(theirs) > 700
    missing = theirs - ours
    assert all(id.startswith("VizdoomDoom") for id in missing)
    for id in sorted(missing)[::100]:
        with pytest.raises(parallel_pool.UnknownEnvError, match="is not in the package vizdoom"):
            parallel_pool.make(id)


def check_space(ours: Any, theirs: Any) -> None:
    assert type(ours) is type(theirs)
    if isinstance(theirs, gymnasium.spaces.Dict):
        assert set(ours) == set(theirs)
        for key, space in theirs.items():
            check_space(ours[key], space)
    else:
        assert ours.shape == theirs.shape
        if isinstance(theirs, (gymnasium.spaces.Box, gymnasium.spaces.Discrete)):
            assert ours.dtype.kind == theirs.dtype.kind
            assert repr(ours) == repr(theirs)
