"""Matches: what players see of them, and how they end and begin again."""

from typing import Any

import numpy as np
import parallel_pool
from parallel_pool_vizdoom._package import package_folder
from parallel_pool_vizdoom._starts import Starts, starts

SMALL: dict[str, Any] = {"screen_resolution": "160x120"}
DUEL = "vizdoom/MultiDuel-v1"


def make(name: str = DUEL, **options: Any) -> Any:
    return parallel_pool.make(name, **{"num_envs": 1, **SMALL, **options})


def actions(pool: Any, draw: np.random.Generator) -> Any:
    return draw.integers(0, 2, (pool.num_envs, *pool.single_action_space.shape)).astype(float)


def play(pool: Any, steps: int, seed: int | None = 3) -> list[bytes]:
    draw = np.random.default_rng(0)
    obs, _ = pool.reset(seed=seed)
    seen = [obs.tobytes()]
    for _ in range(steps):
        obs, reward, *_ = pool.step(actions(pool, draw))
        seen.append(obs.tobytes() + reward.tobytes())
    return seen


def test_to_the_end() -> None:
    """Players die on the way, and come back while the others go on."""
    players, tics = 4, 1050
    with make("vizdoom/Cig-v1", num_players=players, game_args="+timelimit 0.5") as pool:
        assert pool.single_observation_space.shape == (players, 12, 84, 84)
        pool.reset(seed=3)
        draw = np.random.default_rng(0)
        dead, came_back = np.zeros(players, bool), np.zeros(players, bool)
        steps = 0
        while steps < tics:
            steps += 1
            obs, reward, terminated, truncated, info = pool.step(actions(pool, draw))
            assert obs.shape == (1, players, 12, 84, 84) and reward.shape == (1, players)
            assert info["players"]["present"].all()
            alive = info["players"]["HEALTH"][0] > 0
            came_back |= dead & alive
            dead = ~alive
            if truncated[0]:
                break
        assert abs(4 * steps - tics) <= 8
        assert came_back.all() and (info["players"]["DEATHCOUNT"][0] > 0).all()
        *_, terminated, truncated, info = pool.step(actions(pool, draw))
        assert not terminated[0] and not truncated[0]
        assert not info["players"]["DEATHCOUNT"].any() and not info["players"]["FRAGCOUNT"].any()


def test_a_match_follows_from_its_seed() -> None:
    with make(num_envs=2) as pool, make() as other:
        play(other, 5)
        draw = np.random.default_rng(0)
        obs, _ = pool.reset(seed=3)
        alone, _ = other.reset(seed=4)
        for _ in range(40):
            assert (obs[1] == alone[0]).all(), "environment 1 has the next seed, in other engines"
            action = actions(pool, draw)[:1].repeat(2, 0)
            obs, *_ = pool.step(action)
            alone, *_ = other.step(action[1:])
        assert (obs[0] != obs[1]).any(), "another seed, the same actions"


def test_new_engines_for_every_match() -> None:
    """What a match shows does not depend on how the one before was played."""
    shown = []
    for steps in (5, 9):
        with make(new_match="engines", autoreset_mode="Disabled") as pool:
            play(pool, steps)
            shown.append(play(pool, 20, seed=None))
    assert shown[0] == shown[1]


def test_every_player_has_its_own_arguments() -> None:
    """The second is red, which the first one sees."""
    with make(player_args=["", "+name Red +color 8f0000"]) as pool, make() as plain:
        obs, _ = pool.reset(seed=1)
        same, _ = plain.reset(seed=1)
        assert (obs[0, 0] != same[0, 0]).any() and (obs[0, 1] == same[0, 1]).all()


def test_bots_come_and_play() -> None:
    with make(
        "vizdoom/Cig-v1",
        num_players=2,
        bots=3,
        game_variables="PLAYER_COUNT",
        dict_observation=True,
    ) as pool:
        pool.reset(seed=0)
        for _ in range(3):
            obs, *_ = pool.step(np.zeros((1, 2, 10)))
        assert (obs["gamevariables"] == 5).all()


def test_those_who_cooperate() -> None:
    with make("vizdoom/Cooperative-v1", num_players=4) as pool:
        obs, _ = pool.reset(seed=0)
        assert len({obs["screen"][0, k].tobytes() for k in range(4)}) == 4
        *_, info = pool.step(np.zeros((1, 4, 19)))
        assert (info["players"]["HEALTH"] == 100).all()


def test_shaped_rewards_are_each_players() -> None:
    with make(reward_config={"HEALTH": (0.0, -1.0)}, weapon_duration=1000) as pool:
        pool.reset(seed=3)
        draw = np.random.default_rng(0)
        before = np.full((1, 2), 100.0)
        hurt = 0.0
        for _ in range(100):
            _, reward, _, _, info = pool.step(actions(pool, draw))
            health = info["players"]["HEALTH"]
            lost = np.where((health > 0) & (before > 0), np.minimum(health - before, 0), 0)
            judged = (health > 0) & (before > 0)
            assert (reward[judged] == lost[judged]).all()
            hurt -= lost.sum()
            before = health.copy()
        assert hurt > 0


def test_pictures_are_beside_each_other() -> None:
    with make(
        render_mode="rgb_array", img_height=0, img_width=0, stack_num=1, channels_last=True
    ) as pool:
        obs, _ = pool.reset(seed=1)
        picture = np.asarray(pool.render()).reshape(120, 320, 3)
        assert (picture == np.concatenate([obs[0, 0], obs[0, 1]], axis=1)).all()


def test_starts_of_maps() -> None:
    folder = package_folder()
    assert starts(folder / "scenarios" / "multi_duel.wad", "map01") == Starts(2, 0)
    assert starts(folder / "scenarios" / "basic.wad", "map01") == Starts(0, 1)
    assert starts(folder / "scenarios" / "cig.wad", "MAP01") == Starts(25, 0)
    assert starts(folder / "freedoom2.wad", "map01") == Starts(10, 4)
    assert starts(folder / "freedoom2.wad", "map99") is None
    assert starts(folder / "vizdoom.pk3", "map01") is None
