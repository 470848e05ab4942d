"""The engines of a match end together, whatever ends one. What holds of a game too: test_lifetime.py."""

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from doom_originals import memory_names
from engine_processes import SOON, engines, playing, slow_to_begin
from parallel_pool.plugin_api import find_library

SMALL: dict[str, Any] = {"screen_resolution": "160x120"}


def make(num_envs: int = 1, **options: Any) -> Any:
    return parallel_pool.make("vizdoom/MultiDuel-v1", num_envs=num_envs, **{**SMALL, **options})


def no_action(pool: Any) -> Any:
    return np.zeros((pool.num_envs, 2, 3))


@pytest.mark.parametrize(("how", "player"), [("crashes", 0), ("crashes", 1), ("hangs", 1)])
def test_an_engine_takes_its_match_alone(how: str, player: int) -> None:
    with make(2, engine_timeout=SOON) as pool:
        pool.reset(seed=0)
        before = engines(os.getpid())
        pool.step(no_action(pool))
        os.kill(before[player], signal.SIGKILL if how == "crashes" else signal.SIGSTOP)
        _, reward, terminated, truncated, info = pool.step(no_action(pool))
        (lost,) = np.flatnonzero(truncated)
        assert not terminated.any() and (reward == 0).all()
        words = r"multi_duel.cfg: player \d of 2, which wait for each other: the engine "
        words += "was ended by signal 9" if how == "crashes" else "has not answered for 20"
        with pytest.raises(AssertionError, match=words):
            raise AssertionError(info["error"][lost])
        assert info["error"][1 - lost] is None
        assert len(engines(os.getpid())) == 2, "those of that match"
        for _ in range(3):
            *_, truncated, _ = pool.step(no_action(pool))
            assert not truncated.any()
        assert len(engines(os.getpid())) == 4
    assert not engines(os.getpid())


def test_a_player_who_comes_late(elsewhere: Path) -> None:
    """What the host sends until then does not fill up the player's socket."""
    with make(vzd_path=slow_to_begin(elsewhere, 3, "-join")) as pool, make() as other:
        assert (pool.reset(seed=0)[0] == other.reset(seed=0)[0]).all()


def test_a_player_who_never_comes(elsewhere: Path) -> None:
    with make(vzd_path=slow_to_begin(elsewhere, 1000, "-join"), engine_timeout=SOON) as pool:
        with pytest.raises(
            parallel_pool.EnvError, match=r"multi_duel.cfg: player \d of 2.*not answered for 20"
        ):
            pool.reset(seed=0)
        assert not engines(os.getpid()) and not memory_names()


def test_ports_of_many_processes() -> None:
    """Matches of several processes begin at the same time, and no player is in another's."""
    children = [playing("vizdoom/MultiDuel-v1") for _ in range(3)]
    try:
        for child in children:
            assert child.stdout is not None and child.stdout.readline() == b"ready\n"
            assert len(engines(child.pid)) == 4
    finally:
        for child in children:
            child.kill()
            child.communicate()


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        (
            "engine_network",
            ["bind", "recvfrom", "sendto", "shm_open", "sigaction", "socket", "usleep"],
        ),
        ("engine_tics", ["mmap", "pthread_cond_wait", "shm_open", "sigaction"]),
    ],
)
def test_what_engines_load_takes_the_place_of_few_functions(
    name: str, functions: list[str]
) -> None:
    """Of a runtime of C++ in it the engine would use parts instead of its own."""
    library = find_library("parallel_pool_vizdoom", name)
    names = subprocess.run(
        ["nm", "-D", "--defined-only", "--format=just-symbols", str(library)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert sorted(names) == functions
