"""Steps a pool of one game and vizdoom's own DoomGame with the same seed and actions; all must be equal.

Equal means every pixel of every buffer, every game variable, rewards, ends. DoomGame has no state when an
episode has ended: its last pictures are read where the engine has drawn them, in its shared memory.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import vizdoom
from parallel_pool_vizdoom._names import BINARY_BUTTONS, BUTTONS, VARIABLES
from test_envs.lockstep import Lockstep

RESOLUTION = (160, 120)
SEEN = " ".join(
    name
    for name in VARIABLES
    if name.startswith(("HEALTH", "AMMO", "POS", "ANG", "KILL", "HIT", "DAM"))
)
"""Game variables that both observe."""


def memory_names(process: int | None = None) -> set[str]:
    """What engines of a process's pools, this one's, have in /dev/shm."""
    mark = f"ParallelPool{process or os.getpid()}x"
    return {name for name in os.listdir("/dev/shm") if mark in name}


def silent_game(cfg: str, settings: dict[str, Any], variables: str) -> Any:
    """A DoomGame of the size above that has not begun, makes no sound and observes these game variables."""
    game = vizdoom.DoomGame()
    game.load_config(cfg)
    if settings:
        game.set_config(settings)
    game.set_mode(vizdoom.Mode.PLAYER)
    game.set_window_visible(False)
    game.set_sound_enabled(False)
    game.set_audio_buffer_enabled(False)
    game.set_notifications_buffer_enabled(False)
    game.set_screen_resolution(vizdoom.ScreenResolution.RES_160X120)
    game.set_available_game_variables(
        [getattr(vizdoom.GameVariable, name) for name in variables.split()]
    )
    return game


class Twin:
    """One game of each."""

    def __init__(
        self,
        cfg: str,
        seed: int,
        *,
        frame_skip: int = 1,
        gray: bool = False,
        buffers: tuple[str, ...] = (),
        settings: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.frame_skip = frame_skip
        self.buffers = ("screen", *buffers)
        self.channels = 1 if gray else 3
        self.reference = self._reference(cfg, seed, gray, settings or {})
        self.pool = parallel_pool.make(
            "vizdoom/VizdoomCustom-v1",
            num_envs=1,
            cfg_path=cfg,
            frame_skip=frame_skip,
            screen_format="gray" if gray else "rgb",
            screen_resolution=f"{RESOLUTION[0]}x{RESOLUTION[1]}",
            img_height=0,
            img_width=0,
            stack_num=1,
            channels_last=True,
            dict_observation=True,
            game_variables=SEEN,
            config=settings or {},
            **{f"{name}_buffer": True for name in buffers},
            **options,
        )
        self._seed = seed
        self.compared = Lockstep(f"vizdoom/{Path(cfg).stem}", seed)
        self._compared = 0

    def _reference(self, cfg: str, seed: int, gray: bool, settings: dict[str, Any]) -> Any:
        game = silent_game(cfg, settings, SEEN)
        form = vizdoom.ScreenFormat.GRAY8 if gray else vizdoom.ScreenFormat.RGB24
        game.set_screen_format(form)
        for name in self.buffers[1:]:
            getattr(game, f"set_{name}_buffer_enabled")(True)
        game.set_seed(seed)
        game.init()
        memory = Path("/dev/shm") / f"ViZDoomSM{game.get_instance_id()}"
        self._memory = np.memmap(memory, np.uint8, "r")
        return game

    def run(self, steps: int, draw_seed: int = 0) -> int:
        """So many steps, with buttons that stay pressed for a while. Gives the episodes that have ended."""
        draw = np.random.default_rng(draw_seed)
        delta = np.array(
            [
                BUTTONS.index(b.name) >= BINARY_BUTTONS
                for b in self.reference.get_available_buttons()
            ]
        )
        obs, _ = self.pool.reset(seed=self._seed)
        self._same(obs, self.compared.place(0))
        action = np.zeros(len(delta))
        over, episodes = False, 0
        for step in range(steps):
            self.compared.step = f"{step} (episode {episodes})"
            here = self.compared.place(0)
            if step % 3 == 0:
                action = np.where(
                    delta, draw.uniform(-9, 9, len(delta)), draw.integers(0, 2, len(delta))
                )
            if over:
                self.reference.new_episode()
                obs, reward, terminated, truncated, _ = self.pool.step(action[None])
                assert reward[0] == 0 and not terminated[0] and not truncated[0], here
                over = False
            else:
                expected = self.reference.make_action(list(action), self.frame_skip)
                obs, reward, terminated, truncated, _ = self.pool.step(action[None])
                over = self.reference.is_episode_finished()
                assert reward[0] == expected, f"{here}: reward {reward[0]}, not {expected}"
                assert truncated[0] == self.reference.is_episode_timeout_reached(), here
                assert (terminated[0] or truncated[0]) == over, here
                episodes += over
            self._same(obs, here)
        return episodes

    def _same(self, obs: dict[str, Any], here: str) -> None:
        for number, name in enumerate(("screen", "depth", "labels", "automap"), 2):
            if name not in self.buffers:
                assert name not in obs
                continue
            channels = self.channels if name in ("screen", "automap") else 1
            drawn = self._buffer(number, (RESOLUTION[1], RESOLUTION[0], channels))
            self._compared += 1
            state = self.reference.get_state() if self._compared % 50 == 1 else None
            if state is not None:
                seen = getattr(state, f"{name}_buffer").reshape(drawn.shape)
                assert seen.tobytes() == drawn.tobytes(), f"{here}: this test reads {name} wrongly"
            assert obs[name].shape == (1, *drawn.shape)
            assert np.array_equal(obs[name][0], drawn), (
                f"{here}: {name} differs in {(obs[name][0] != drawn).sum()} of {drawn.size}"
            )
        wanted = np.array(
            [
                self.reference.get_game_variable(getattr(vizdoom.GameVariable, name))
                for name in SEEN.split()
            ],
            np.float32,
        )
        assert obs["gamevariables"][0].tobytes() == wanted.tobytes(), here

    def _buffer(self, number: int, shape: tuple[int, ...]) -> Any:
        offset = int(self._memory[32 + 8 * number : 40 + 8 * number].view(np.uint64)[0])
        return self._memory[offset : offset + int(np.prod(shape))].reshape(shape)

    def close(self) -> None:
        self.pool.close()
        self.reference.close()
