"""What the host keeps in a state has ranges: a forged one disables no pool."""

import struct
from typing import Any

import numpy as np
import pytest
from parallel_pool import ResetNeededError, StateError
from test_envs.checks import refused
from test_envs.forged_states import HEAD, HOST, PLUGIN_SIZE, SIZES, plugin_start, sealed
from test_envs.pools import begun, make

LAYOUT = "ddQiBBBBiiQQ"
NAMES = (
    *("episode_return", "episode_seconds", "seed", "elapsed", "started", "ended", "seed_pending"),
    *("whole_games", "game_steps", "continues", "episode", "episode_seed"),
)
"""Of HostState (host/state/host_state.hpp): the formats and names of its fields."""


def forged(state: bytes, place: int, layout: str, value: Any) -> bytes:
    altered = bytearray(state)
    struct.pack_into(layout, altered, place, value)
    return sealed(altered, sized=False)


def of_host(state: bytes, field: str, value: float) -> bytes:
    number = NAMES.index(field)
    place = HOST.start + struct.calcsize("<" + LAYOUT[:number])
    return forged(state, place, "<" + LAYOUT[number], value)


def test_the_fields_are_all_there_are() -> None:
    assert HOST.start + struct.calcsize("<" + LAYOUT) == HOST.stop


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("started", 0, "its started is 0, expected 1 .. 1"),
        ("started", 2, "its started is 2"),
        ("started", 255, "its started is 255"),
        ("ended", 2, "its ended is 2, expected 0 .. 1"),
        ("seed_pending", 128, "its seed_pending is 128, expected 0 .. 6"),
        ("whole_games", 2, "its whole_games is 2, expected 0 .. 1"),
        ("game_steps", -1, "its game_steps is -1, expected 0 .. 2147483647"),
        ("continues", 2, "its continues is 2, expected 0 .. 1"),
        ("elapsed", -1, "its elapsed is -1, expected 0 .. 2147483647"),
        ("elapsed", -(2**31), "its elapsed is -2147483648"),
        ("episode_seconds", -1.0, "its episode_seconds is -1, expected 0 .. 1.79769e+308"),
        ("episode_seconds", float("inf"), "its episode_seconds is inf"),
    ],
)
def test_a_number_out_of_its_range_is_refused(field: str, value: float, words: str) -> None:
    with make("Walk", num_envs=3) as pool:
        pool.reset(seed=1)  # with which no episode ends as early as this
        old = pool.get_state()[0]
        pool.step([0, 0, 0])
        before = pool.get_state()
        with refused(StateError, "does not fit environment 1", words):
            pool.set_state(None, [old, of_host(before[1], field, value), before[2]])
        assert pool.get_state() == before
        assert pool.step([0, 0, 0])[4]["elapsed_step"].tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("elapsed", 2**31 - 1),
        ("seed", 2**64 - 1),
        ("episode_return", float("nan")),
        ("episode_return", float("-inf")),
        ("episode_seconds", float("nan")),
        ("episode_seconds", 1e300),
        ("whole_games", 1),
        ("game_steps", 2**31 - 1),
        ("seed_pending", 1),
        ("ended", 1),
    ],
)
@pytest.mark.parametrize("statistics", [False, True])
def test_a_number_at_the_end_of_its_range_is_taken(
    field: str, value: float, statistics: bool
) -> None:
    with begun(make("Walk", num_envs=2, episode_statistics=statistics)) as pool:
        states = [of_host(state, field, value) for state in pool.get_state()]
        pool.set_state(None, states)
        for _ in range(20):
            assert (pool.step([0, 0])[4]["elapsed_step"] >= 0).all()
        pool.set_state(None, pool.get_state())


@pytest.mark.parametrize("pending", range(7))
def test_no_pending_seed_takes_an_environment_out_of_its_list(pending: int) -> None:
    how = {"episode_seeds": range(100, 110), "episode_order": "turns"}
    with begun(make("Walk", num_envs=1, **how)) as pool:
        state = of_host(of_host(pool.get_state()[0], "seed", 777), "seed_pending", pending)
        pool.set_state(None, [state])
        seeds = [pool.reset()[1]["episode_seed"].item() for _ in range(2)]
        assert seeds == ([101, 102] if pending % 4 == 0 else [777, 101 + pending // 4])


@pytest.mark.parametrize("size", [0, 1, 2, 3])
@pytest.mark.parametrize("value", [2**32 - 1, 2**31, 10**6, 0])
def test_sizes_that_do_not_add_up_are_refused(size: int, value: int) -> None:
    """Also where the last of them, of 64 bits, makes the sum right by running over."""
    with begun(make("Walk", num_envs=1)) as pool:
        (state,) = pool.get_state()
        altered = bytearray(state)
        struct.pack_into("<I", altered, SIZES + 4 * size, value)
        rest = (len(state) - plugin_start(altered)) % 2**64
        struct.pack_into("<Q", altered, PLUGIN_SIZE, rest)
        if bytes(altered) == state:
            return
        with pytest.raises(StateError):
            pool.set_state(None, [sealed(altered, sized=False)])
        assert pool.get_state() == [state]


def test_a_made_up_name_is_quoted_as_text() -> None:
    """Also where it is not UTF-8."""
    with begun(make("Walk", num_envs=1)) as pool:
        (state,) = pool.get_state()
        (options,) = struct.unpack_from("<I", state, SIZES)
        bad = forged(state, HEAD + 8 * options, "<B", 0xFF)
        with refused(StateError, "of the environment '\ufffdest/Walk-v0', not of 'test/Walk-v0'"):
            pool.set_state(None, [bad])
        assert pool.get_state() == [state]


def test_flags_of_players_are_zero_or_one() -> None:
    with begun(make("Team", players=2, num_envs=2)) as pool:
        before = pool.get_state()
        (options, id_bytes, version, players) = struct.unpack_from("<4I", before[0], SIZES)
        shown = HEAD + 8 * options + id_bytes + version
        capacity = players // 10
        for place, value, words in (
            (shown, 2, "of player 0, shown is 2, expected 0 .. 1"),
            (shown + capacity, 7, "acting is 7, expected no more than shown"),
        ):
            with refused(StateError, "does not fit environment 0", words):
                pool.set_state([0], [forged(before[0], place, "<B", value)])
            assert pool.get_state() == before


@pytest.mark.parametrize(
    ("place", "value"),
    [(24, 0), (36, 2), (36, 2**32 - 1)],
    ids=["even increment", "half words", "many half words"],
)
def test_a_generator_that_no_seed_leads_to_is_refused(place: int, value: int) -> None:
    """Its draws may repeat a few words for ever: what rejects these never returns."""
    with begun(make("Walk", num_envs=2)) as pool:
        state = pool.get_state([0])[0]
        bad = forged(state, plugin_start(state) + place, "<I", value)
        with refused(StateError, "environment 0 refused its state", "random generator"):
            pool.set_state([0], [bad])
        with pytest.raises(ResetNeededError):
            pool.step([0, 0])
        pool.set_state([0], [state])
        pool.step(np.zeros(2, int))
