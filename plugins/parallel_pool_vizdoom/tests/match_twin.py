"""Plays a pool of one match and as many of vizdoom's own DoomGames, one process each, with the same seed and
actions; for each player all must be equal: every pixel, game variable and reward.

DoomGame's players are in step when none hears of the host's command for a tic before having made one's own
(docs/vizdoom.md): those that have joined are asked first, and the host when what they have sent waits for it.
Before the first action comes some time without any, in which players that began otherwise fall into step.
"""

from __future__ import annotations

import multiprocessing
import socket
import time
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import vizdoom
from doom_twin import silent_game
from engine_processes import engines
from parallel_pool_vizdoom._names import VARIABLES
from test_envs.lockstep import Lockstep

RESOLUTION = (160, 120)
SEEN = " ".join(
    name
    for name in VARIABLES
    if not name.startswith(("USER", "CAMERA", "WEAPON", "DEATHCOUNT", "SECRET"))
)
"""Game variables that both observe."""
SETTLING = 12
"""Tics without actions."""
_LEAST_BYTES = 700
"""That the kernel counts for a short packet."""
_PAUSE = 0.0005
_SHORT, _LONG = 0.0003, 0.01
"""Seconds of work in which an engine that has sent its command has also looked for others', and in which it has
sent it if it does. While it waits it works on."""


def _play(pipe: Any, cfg: str, seed: int, settings: dict[str, Any], arguments: str) -> None:
    """One of DoomGame's players, in a process of its own."""
    game = silent_game(cfg, settings, SEEN)
    game.set_automap_buffer_enabled(False)
    game.set_screen_format(vizdoom.ScreenFormat.RGB24)
    game.add_game_args(arguments)
    game.set_seed(seed)
    game.init()
    reward = 0.0
    while True:
        state = game.get_state()
        pipe.send(
            (
                None if state is None else state.screen_buffer,
                [
                    game.get_game_variable(getattr(vizdoom.GameVariable, name))
                    for name in SEEN.split()
                ],
                reward,
                game.is_episode_finished(),
                game.is_episode_timeout_reached(),
            )
        )
        asked = pipe.recv()
        if asked is None:
            break
        if asked == "new":
            game.new_episode()
            reward = 0.0
        elif isinstance(asked, str):
            game.send_game_command(asked)
        else:
            reward = game.make_action(*asked)
    game.close()


def _waiting_bytes(port: int) -> int:
    """What waits to be received at a UDP port of this machine."""
    for line in Path("/proc/net/udp").read_text().splitlines()[1:]:
        words = line.split()
        if int(words[1].partition(":")[2], 16) == port:
            return int(words[4].partition(":")[2], 16)
    return 0


def _ran(engine: int) -> float:
    """Seconds of a processor that it has had."""
    return int(Path(f"/proc/{engine}/schedstat").read_text().split()[0]) / 1e9


class DoomGames:
    """A match of DoomGames."""

    def __init__(
        self, cfg: str, seed: int, players: int, settings: dict[str, Any], host_arguments: str
    ) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("", 0))
            self._port = free.getsockname()[1]
        context = multiprocessing.get_context("spawn")
        self._pipes, self._processes = [], []
        for number in range(players):
            own = f"-host {players} -port {self._port} {host_arguments}"
            other = f"-join 127.0.0.1 -port {self._port}"
            here, there = context.Pipe()
            process = context.Process(
                target=_play,
                args=(there, cfg, seed, settings, own if number == 0 else other),
                daemon=True,
            )
            process.start()
            self._pipes.append(here)
            self._processes.append(process)
            # A player's number is that of its arrival.
            deadline = time.monotonic() + 30
            while players > 1 and not self._has_arrived(number) and time.monotonic() < deadline:
                time.sleep(0.05)
        self.seen = self._answers(range(players))
        self._engines = [
            engine for process in self._processes[1:] for engine in engines(process.pid or 0)
        ]
        numbers = [int(each[1][SEEN.split().index("PLAYER_NUMBER")]) for each in self.seen]
        assert numbers == list(range(players)), "DoomGame's players came in another order"

    def _has_arrived(self, number: int) -> bool:
        """The host has its port; the others are known to have come a moment later."""
        if number == 0:
            lines = Path("/proc/net/udp").read_text()
            return f":{self._port:04X} " in lines
        time.sleep(1.0)
        return True

    def command(self, text: str) -> None:
        """To the host."""
        self._pipes[0].send(text)
        self._answers([0])

    def new_episode(self) -> None:
        """Of all; each of them steps until it is there."""
        for pipe in self._pipes:
            pipe.send("new")
        self.seen = self._answers(range(len(self._pipes)))

    def step(self, actions: Any, tics: int) -> None:
        """One tic after the other, as `tics` of make_action are for one game."""
        players = range(len(self._pipes))
        for number in players[1:]:
            self._pipes[number].send((list(actions[number]), tics))
        begun = [_ran(engine) for engine in self._engines]
        enough = _LEAST_BYTES * (len(self._pipes) - 1)
        # Those that are a tic ahead send nothing once.
        while _waiting_bytes(self._port) < enough and not self._have_run(begun, _LONG):
            time.sleep(_PAUSE)
        sent = [_ran(engine) for engine in self._engines]
        while not self._have_run(sent, _SHORT):
            time.sleep(_PAUSE)
        self._pipes[0].send((list(actions[0]), tics))
        self.seen = self._answers(players)

    def _have_run(self, since: list[float], seconds: float) -> bool:
        return all(
            _ran(engine) - before >= seconds
            for engine, before in zip(self._engines, since, strict=True)
        )

    def _answers(self, players: Any) -> Any:
        found = []
        for number in players:
            assert self._pipes[number].poll(60), f"DoomGame's player {number} does not answer"
            found.append(self._pipes[number].recv())
        return found

    def close(self) -> None:
        for pipe in self._pipes:
            pipe.send(None)
        for process in self._processes:
            process.join(10)
            process.kill()


class MatchTwin:
    """One match of each."""

    def __init__(
        self,
        cfg: str,
        seed: int,
        players: int,
        *,
        settings: dict[str, Any] | None = None,
        mode: str = "deathmatch",
        bots: int = 0,
        **options: Any,
    ) -> None:
        settings = {**(settings or {}), "automap_buffer_enabled": False}
        self.players = players
        self.compared = Lockstep(f"vizdoom/{Path(cfg).stem}", seed)
        self.pool = parallel_pool.make(
            "vizdoom/MatchCustom-v1",
            num_envs=1,
            cfg_path=cfg,
            num_players=players,
            bots=bots,
            game_mode=mode,
            frame_skip=1,
            screen_format="rgb",
            screen_resolution=f"{RESOLUTION[0]}x{RESOLUTION[1]}",
            img_height=0,
            img_width=0,
            stack_num=1,
            channels_last=True,
            dict_observation=True,
            game_variables=SEEN,
            config=settings,
            episode_timeout=-1,
            **options,
        )
        host = "-deathmatch " if mode == "deathmatch" else ""
        host += "+sv_forcerespawn 1 +viz_respawn_delay 1"
        try:
            self._obs, _ = self.pool.reset(seed=seed)
            self.reference = DoomGames(cfg, seed, players, settings, host)
        except BaseException:
            self.pool.close()
            raise
        for _ in range(bots):
            self.reference.command("addbot")
        self._same()

    def run(self, tics: int, draw_seed: int = 0) -> bool:
        """So many tics, with buttons that stay pressed for a while. Gives whether the match has ended."""
        draw = np.random.default_rng(draw_seed)
        space = self.pool.single_action_space
        assert space is not None
        actions = np.zeros(space.shape)
        for tic in range(tics):
            if tic >= SETTLING and tic % 3 == 0:
                bits = draw.integers(0, 2, space.shape)
                actions = np.where(space.low < 0, draw.uniform(-9, 9, space.shape), bits)
            self._obs, reward, terminated, truncated, _ = self.pool.step(actions[None])
            self.reference.step(actions, 1)
            self.compared.step = tic
            self._same(reward[0])
            _, _, _, over, timeout = self.reference.seen[0]
            assert truncated[0] == timeout, self.compared.place(0)
            assert (terminated[0] or truncated[0]) == over, self.compared.place(0)
            if over:
                return True
        return False

    def begin_again(self) -> None:
        """The next match, after one that has ended."""
        space = self.pool.single_action_space
        assert space is not None
        self._obs, *_ = self.pool.step(np.zeros((1, *space.shape)))
        self.reference.new_episode()
        self.compared.step = "reset of another match"
        self._same()

    def _same(self, rewards: Any = None) -> None:
        for number, (screen, variables, reward, over, _) in enumerate(self.reference.seen):
            at = f"{self.compared.place(0)}, player {number}"
            got = self._obs["gamevariables"][0][number]
            wanted = np.array(variables, np.float32)
            differs = [
                f"{name}: {ours}, not {theirs}"
                for name, ours, theirs in zip(SEEN.split(), got, wanted, strict=True)
                if ours != theirs
            ]
            assert not differs, f"{at}: {differs}"
            if rewards is not None:
                assert rewards[number] == reward, at
            assert (screen is None) == over
            if screen is not None:
                assert np.array_equal(self._obs["screen"][0][number], screen), at

    def close(self) -> None:
        self.pool.close()
        self.reference.close()
