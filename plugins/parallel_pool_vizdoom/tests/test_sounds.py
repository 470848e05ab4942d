"""Sounds and messages, equal to those of vizdoom's DoomGame.

Without OpenAL the engine plays silence, here and there alike, and we refuse to observe it: what is compared
then is silence of the right length. docs/vizdoom.md says what to install for the real comparison.
"""

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
import vizdoom
from parallel_pool_vizdoom._package import package_folder
from test_envs.checks import refused


def hears() -> bool:
    try:
        ctypes.CDLL("libopenal.so.1")
    except OSError:
        return False
    return True


HEARS = hears()
WHOLE: dict[str, Any] = {
    "screen_resolution": "160x120",
    "img_height": 0,
    "img_width": 0,
    "stack_num": 1,
}


@pytest.fixture
def engine(tmp_path: Path) -> str:
    """One that seems to have OpenAL beside it."""
    for name in ("vizdoom", "vizdoom.pk3"):
        (tmp_path / name).symlink_to(package_folder() / name)
    (tmp_path / "libopenal.so.1").touch()
    return str(tmp_path / "vizdoom")


@pytest.fixture
def without_echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenAL Soft 1.19, which Debian 12 has, ends the process where a room has an echo."""
    settings = tmp_path / "alsoft.conf"
    settings.write_text("[general]\nexcludefx = eaxreverb,reverb\n")
    monkeypatch.setenv("ALSOFT_CONF", str(settings))


@pytest.fixture
def played(engine: str, without_echo: None) -> Iterator[Any]:
    """Plays a game of both, and gives what each has observed, step by step."""
    game = vizdoom.DoomGame()

    def play(name: str, steps: int, tics: int, **options: Any) -> Iterator[tuple[Any, Any]]:
        game.load_config(str(package_folder() / "scenarios" / f"basic_{name}.cfg"))
        game.set_window_visible(False)
        game.set_screen_resolution(vizdoom.ScreenResolution.RES_160X120)
        game.set_seed(3)
        game.set_audio_buffer_size(tics)
        game.set_notifications_buffer_size(tics)
        game.init()
        draw = np.random.default_rng(0)
        with parallel_pool.make(
            "VizdoomCustom-v1", cfg_path=f"basic_{name}.cfg", vzd_path=engine, **options, **WHOLE
        ) as pool:
            obs, _ = pool.reset(seed=3)
            over = False
            for _ in range(steps):
                state = game.get_state()
                if state is not None:
                    yield obs, state
                action = draw.integers(0, 2, 3).astype(float)
                if over:
                    game.new_episode()
                else:
                    game.make_action(list(action), 4)
                over = game.is_episode_finished()
                obs, *_ = pool.step(action[None])

    yield play
    game.close()


@pytest.mark.parametrize("size", [0, 2])
def test_sounds(played: Any, size: int) -> None:
    tics = size or 4
    loud = 0
    for obs, state in played("audio", 150, tics, audio_buffer=True, audio_buffer_size=size):
        assert obs["audio"].shape == (1, 1260 * tics, 2)
        assert obs["audio"].dtype == np.int16
        assert np.array_equal(obs["audio"][0], state.audio_buffer)
        loud += state.audio_buffer.any()
    assert (loud > 100) == HEARS


def test_messages(played: Any) -> None:
    seen = set()
    for obs, state in played("notifications", 300, 4, notifications_buffer=True):
        text = bytes(obs["notifications"][0]).rstrip(b"\0").decode()
        assert text == state.notifications_buffer
        seen.add(text)
    assert len(seen) > 2


def test_without_openal_sounds_are_refused() -> None:
    """Where it is missing; not a sound that no player hears."""
    if HEARS:
        parallel_pool.make("VizdoomBasicAudio-v1").close()
    else:
        words = ("needs OpenAL (libopenal.so.1)", "apt-get install libopenal1")
        with refused(parallel_pool.EnvBuildError, *words):
            parallel_pool.make("VizdoomBasicAudio-v1")
    parallel_pool.make("BasicAudio-v1").close()
    parallel_pool.make("VizdoomBasicAudio-v1", audio_buffer=False).close()


def test_gymnasiums_ids_observe_them(engine: str) -> None:
    for name, key, shape in (
        ("VizdoomBasicAudio-MultiBinary-v1", "audio", (3 * 1260, 2)),
        ("VizdoomBasicNotifications-v1", "notifications", (1024,)),
    ):
        with parallel_pool.make(name, frame_skip=3, vzd_path=engine) as pool:
            assert pool.single_observation_space[key].shape == shape
