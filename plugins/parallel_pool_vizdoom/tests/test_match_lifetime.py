"""The engines of a match end together, whatever ends one. What holds of a game too: test_lifetime.py."""

import os
import subprocess
from pathlib import Path
from typing import Any

import parallel_pool
import pytest
from doom_originals import memory_names
from engine_processes import SOON, engines, playing, slow_to_begin
from parallel_pool.plugin_api import find_library

SMALL: dict[str, Any] = {"screen_resolution": "160x120"}


def make(num_envs: int = 1, **options: Any) -> Any:
    return parallel_pool.make("vizdoom/MultiDuel-v1", num_envs=num_envs, **{**SMALL, **options})


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
    children = [playing("vizdoom/MultiDuel-v1") for _ in range(2)]
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
    command = ["nm", "-D", "--defined-only", "--format=just-symbols", library]
    assert sorted(subprocess.check_output(command, text=True).split()) == functions
