"""The ids of ViZDoom's Gymnasium environments against those environments themselves."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from vizdoom.gymnasium_wrapper.gymnasium_env_defns import VizdoomScenarioEnv


def reference(cfg: str, pressed: int) -> Any:
    """Gymnasium's; no sound card is needed."""
    return VizdoomScenarioEnv(cfg, frame_skip=3, max_buttons_pressed=pressed)


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
    theirs = reference(cfg, pressed)
    draw = np.random.default_rng(1)
    with parallel_pool.make(name, num_envs=1, frame_skip=3) as pool:
        check_space(pool.single_action_space, theirs.action_space)
        theirs.action_space.seed(5)
        assert set(pool.single_observation_space) == set(theirs.observation_space)
        for key, space in theirs.observation_space.items():
            assert pool.single_observation_space[key].shape == space.shape
            assert pool.single_observation_space[key].dtype == space.dtype
        over, episodes = True, 0
        expected, _ = theirs.reset(seed=11)
        obs, _ = pool.reset(seed=11)
        for step in range(230):
            same(obs, expected, f"step {step}")
            action = theirs.action_space.sample()
            if isinstance(action, dict):
                action["continuous"] = draw.uniform(-9, 9, 3).astype(np.float32)
            expected, reward, terminated, truncated, _ = theirs.step(action)
            got = pool.step(batch(action))
            assert (got[1][0], got[2][0], got[3][0]) == (reward, terminated, truncated)
            obs, over = got[0], terminated or truncated
            if over:  # theirs shows zeros here
                episodes += 1
                expected, _ = theirs.reset()
                obs, *_ = pool.step(batch(action))
        assert episodes >= 1 or cfg == "deathmatch.cfg"
    theirs.close()


@pytest.mark.parametrize(("game", "map_id", "skill"), [("1", "E2M3", 4), ("2", "MAP07", 1)])
def test_a_map_of_a_whole_game(game: str, map_id: str, skill: int) -> None:
    """Without its sounds, for which OpenAL would be needed."""
    theirs = VizdoomScenarioEnv(
        f"freedoom{game}.cfg", doom_map=map_id, doom_skill=skill, audio_buffer_enabled=False
    )
    name = f"VizdoomFreedoom{game}{map_id}-S{skill}-v0"
    with parallel_pool.make(name, audio_buffer=False) as pool:
        check_space(pool.single_action_space, theirs.action_space)
        assert set(pool.single_observation_space) == set(theirs.observation_space)
        theirs.action_space.seed(5)
        expected, _ = theirs.reset(seed=11)
        obs, _ = pool.reset(seed=11)
        for step in range(40):
            same(obs, expected, f"step {step}")
            action = theirs.action_space.sample()
            expected, reward, terminated, truncated, _ = theirs.step(action)
            obs, *got = pool.step(batch(action))[:4]
            assert [each[0] for each in got] == [reward, terminated, truncated]
    theirs.close()


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


def batch(action: Any) -> Any:
    """One action as those of a pool of one."""
    if isinstance(action, dict):
        return {key: np.asarray([value]) for key, value in action.items()}
    return np.asarray([action])


def same(obs: Any, expected: Any, here: str) -> None:
    for key, value in expected.items():
        assert obs[key][0].tobytes() == np.ascontiguousarray(value).tobytes(), f"{here}: {key}"
