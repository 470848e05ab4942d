"""A match of vizdoom's own DoomGames, one process each, and how it is played: with every pixel, game variable
and reward of each player.

DoomGame's players are in step when none hears of the host's command for a tic before having made one's own
(docs/vizdoom.md): those that have joined are asked first, and the host when what they have sent waits for it.
Before the first action comes some time without any, in which players that began otherwise fall into step.
"""

import multiprocessing
import socket
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import vizdoom
from doom_originals import Held, engines, played, silent_game
from parallel_pool_vizdoom._names import VARIABLES
from parallel_pool_vizdoom._package import package_folder

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
    reward, variables = 0.0, [getattr(vizdoom.GameVariable, name) for name in SEEN.split()]
    while True:
        state = game.get_state()
        screen = None if state is None else state.screen_buffer
        seen = [game.get_game_variable(each) for each in variables]
        over, timeout = game.is_episode_finished(), game.is_episode_timeout_reached()
        pipe.send((screen, seen, reward, over, timeout))
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


class Match(gymnasium.Env[Any, Any]):
    """A match of DoomGames as one environment, whose rows are its players'."""

    def __init__(
        self, cfg_path: str, num_players: int, bots: int, game_mode: str, config: dict[str, Any]
    ) -> None:
        self.arguments = (num_players, config, "-deathmatch " if game_mode == "deathmatch" else "")
        self.cfg, self.bots = cfg_path, bots

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        if seed is None:
            self.games.new_episode()
        else:
            players, config, host = self.arguments
            host += "+sv_forcerespawn 1 +viz_respawn_delay 1"
            self.games = DoomGames(self.cfg, seed, players, config, host)
            for _ in range(self.bots):
                self.games.command("addbot")
        return self.seen(), {}

    def step(self, actions: Any) -> Any:
        self.games.step(actions, 1)
        _, _, rewards, over, timeout = zip(*self.games.seen, strict=True)
        return self.seen(), np.array(rewards), over[0] and not timeout[0], timeout[0], {}

    def seen(self) -> dict[str, Any]:
        """Without screens when the match is over."""
        screens, variables, _, over, _ = zip(*self.games.seen, strict=True)
        assert all((screen is None) == ended for screen, ended in zip(screens, over, strict=True))
        seen = {"gamevariables": np.array(variables, np.float32)}
        return seen if over[0] else {**seen, "screen": np.stack(screens)}

    def close(self) -> None:
        self.games.close()


def check(
    cfg: str,
    players: int,
    tics: int,
    matches: int = 0,
    *,
    settings: dict[str, Any] | None = None,
    mode: str = "deathmatch",
    bots: int = 0,
) -> None:
    """So many tics, in which none of `matches` or all of them end."""
    ours = {"game_variables": SEEN, "frame_skip": 1, "screen_format": "rgb", "episode_timeout": -1}
    play = played(
        "vizdoom/MatchCustom-v1",
        Match,
        Held(SETTLING),
        seed=5,
        steps=tics,
        ours=ours,
        cfg_path=str(package_folder() / "scenarios" / f"{cfg}.cfg"),
        num_players=players,
        bots=bots,
        game_mode=mode,
        config={**(settings or {}), "automap_buffer_enabled": False},
    )
    assert play.ended == matches
