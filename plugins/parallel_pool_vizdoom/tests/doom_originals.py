"""vizdoom's own DoomGame, and how it is played: with every pixel of every buffer, and every game variable."""

import os
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import vizdoom
from parallel_pool.testing import Play
from parallel_pool_vizdoom._names import VARIABLES
from parallel_pool_vizdoom._package import package_folder, scenario_folders
from test_envs.originals import unrecorded

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


def engines(parent: int | None) -> list[int]:
    """Those that run, of this process; None: of any."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
        except (OSError, ValueError):
            continue
        if parent is not None and int(rest.split()[1]) != parent:
            continue
        if name == "vizdoom" and rest.split()[0] != "Z":
            found.append(int(folder.name))
    return sorted(found)


def silent_game(cfg: str, settings: dict[str, Any], variables: str = "") -> Any:
    """A DoomGame of the size above that has not begun and makes no sound. variables: "": the scenario's."""
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
    names = variables.split()
    if names:
        game.set_available_game_variables([getattr(vizdoom.GameVariable, name) for name in names])
    return game


def begin(game: vizdoom.DoomGame, seed: int | None) -> None:
    """Begins an episode: the first with the seed of its life, every other without one."""
    if seed is None:
        game.new_episode()
    else:
        game.set_seed(seed)
        game.init()


class Game(gymnasium.Env[Any, Any]):
    """A DoomGame. It has no state when an episode has ended: its engine's memory has the last pictures."""

    def __init__(
        self,
        cfg_path: str,
        frame_skip: int,
        screen_format: str,
        config: dict[str, Any] | None = None,
        **buffers: bool,
    ) -> None:
        self.game = silent_game(cfg_path, config or {}, SEEN)
        self.frame_skip = frame_skip
        self.channels = 3 if screen_format == "rgb" else 1
        self.buffers = ("screen", *(name.removesuffix("_buffer") for name in buffers))
        form = vizdoom.ScreenFormat.RGB24 if self.channels == 3 else vizdoom.ScreenFormat.GRAY8
        self.game.set_screen_format(form)
        for name in self.buffers[1:]:
            getattr(self.game, f"set_{name}_buffer_enabled")(True)
        self.compared = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """See gymnasium.Env. One seed for its life."""
        begin(self.game, seed)
        if seed is not None:
            memory = Path("/dev/shm") / f"ViZDoomSM{self.game.get_instance_id()}"
            self.memory = np.memmap(memory, np.uint8, "r")
        return self.seen(), {}

    def step(self, action: Any) -> Any:
        reward = self.game.make_action(list(action), self.frame_skip)
        truncated = self.game.is_episode_timeout_reached()
        over = self.game.is_episode_finished()
        return self.seen(), reward, over and not truncated, truncated, {}

    def seen(self) -> dict[str, Any]:
        """Buffers and game variables."""
        self.compared += 1
        state = self.game.get_state() if self.compared % 50 == 1 else None
        seen = {}
        for number, name in enumerate(("screen", "depth", "labels", "automap"), 2):
            if name in self.buffers:
                channels = self.channels if name in ("screen", "automap") else 1
                seen[name] = self.drawn(number, (RESOLUTION[1], RESOLUTION[0], channels))
                if state is not None:
                    shown = getattr(state, f"{name}_buffer").tobytes()
                    assert shown == seen[name].tobytes(), f"this test reads {name} wrongly"
        variables = [getattr(vizdoom.GameVariable, name) for name in SEEN.split()]
        values = [self.game.get_game_variable(each) for each in variables]
        return {**seen, "gamevariables": np.array(values, np.float32)}

    def drawn(self, number: int, shape: tuple[int, ...]) -> Any:
        """A buffer in the engine's memory."""
        offset = int(self.memory[32 + 8 * number : 40 + 8 * number].view(np.uint64)[0])
        return self.memory[offset : offset + int(np.prod(shape))].reshape(shape)

    def close(self) -> None:
        self.game.close()


class Held:
    """Buttons at random, each of which stays pressed for three steps. settling: steps without any at first."""

    def __init__(self, settling: int = 0) -> None:
        self.settling = settling
        self.since = 0

    def __call__(self, play: Play) -> Any:
        space: Any = play.pool.single_action_space
        if play.begun[0]:
            self.since, self.action = 0, np.zeros(space.shape)
        if self.since >= self.settling and self.since % 3 == 0:
            numbers = play.draw.uniform(-9, 9, space.shape)
            bits = play.draw.integers(0, 2, space.shape)
            self.action = np.where(space.low < 0, numbers, bits)
        self.since += 1
        return self.action[None]


def played(
    env_id: str,
    original: Any,
    policy: Held,
    *,
    ours: dict[str, Any],
    **how: Any,
) -> Play:
    """Beside the original, which leaves no memory behind. how: options of both, too."""
    before = memory_names()
    ours = {
        "screen_resolution": f"{RESOLUTION[0]}x{RESOLUTION[1]}",
        "img_height": 0,
        "img_width": 0,
        "stack_num": 1,
        "channels_last": True,
        "dict_observation": True,
        **ours,
    }
    play = unrecorded(env_id, original, policy, num_envs=1, ours=ours, **how)
    assert memory_names() == before
    return play


def check(
    cfg: str,
    steps: int,
    *,
    seed: int = 7,
    frame_skip: int = 1,
    gray: bool = False,
    buffers: tuple[str, ...] = (),
    ends: bool = True,
    **options: Any,
) -> None:
    """A game of this scenario. ends: at least one episode does. options: of both."""
    folders = scenario_folders(package_folder())
    options |= {f"{name}_buffer": True for name in buffers}
    play = played(
        "vizdoom/VizdoomCustom-v1",
        Game,
        Held(),
        seed=seed,
        steps=steps,
        ours={"game_variables": SEEN},
        cfg_path=str(next(path for folder in folders if (path := folder / f"{cfg}.cfg").is_file())),
        frame_skip=frame_skip,
        screen_format="gray" if gray else "rgb",
        **options,
    )
    assert set(play.obs) == {"screen", "gamevariables", *buffers}
    assert play.ended > 0 or not ends
