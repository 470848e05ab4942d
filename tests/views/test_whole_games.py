"""Statistics of environments with a score: of whole games, in points of their own."""

from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool.benchmarking.episodes import EpisodeMeter
from parallel_pool_learning import RolloutBuffer
from test_envs.checks import refused
from test_envs.pools import begun, make, register_python
from test_envs.python_envs import Lives
from views.twins import MODES

Games = list[tuple[int, float, int]]
"""Environment, points and steps of each."""


class ByHand:
    """What the statistics have to be, from the rule of Lives: 1 point a reset, 3 times the action a step."""

    def __init__(self, num_envs: int, lives: int) -> None:
        self.lives = lives
        self.left = np.full(num_envs, lives)
        self.points = np.ones(num_envs)
        self.steps = np.zeros(num_envs, int)

    def step(self, env: int, action: int, died: bool, cut: bool) -> tuple[float, int] | None:
        self.points[env] += 3 * action
        self.steps[env] += 1
        self.left[env] -= died
        if (died and self.left[env] == 0) or (cut and not died):
            return float(self.points[env]), int(self.steps[env])
        return None

    def begin(self, env: int, new: bool) -> None:
        """A reset; new: of another game."""
        if new:
            self.left[env], self.points[env], self.steps[env] = self.lives, 0, 0
        self.points[env] += 1


def shown(info: dict[str, Any]) -> Games:
    if "episode" not in info:
        assert "_episode" not in info
        return []
    episode, mask = info["episode"], info["_episode"]
    assert mask.any(), "the key is there only where a game ends"
    assert (episode["r"][~mask] == 0).all()
    assert (episode["l"][~mask] == 0).all()
    assert ((episode["t"] > 0) == mask).all()
    return [(int(e), float(episode["r"][e]), int(episode["l"][e])) for e in np.flatnonzero(mask)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("limit", "isolation"), [(None, None), (4, None), (4, "process")])
def test_a_game_counts_whole_in_its_own_points(
    mode: str, limit: int | None, isolation: str | None
) -> None:
    """A time limit that cuts a life short ends the game; one that strikes with the life does not."""
    n = 3
    pool = make(
        "Lives",
        num_envs=n,
        life=5 if limit else 4,
        lives=3,
        max_episode_steps=limit,
        autoreset_mode=mode,
        episode_statistics=True,
        isolation=isolation,
    )
    hand = ByHand(n, 3)
    over = [False] * n
    ended = np.zeros(n, bool)
    found: Games = []
    wanted: Games = []
    actions = np.random.default_rng(0)
    with pool:
        _, info = pool.reset(seed=1)
        for _ in range(120):
            action = actions.choice([0, 1, 2], n, p=[0.4, 0.5, 0.1])
            if mode == "Disabled" and ended.any():
                pool.reset(np.flatnonzero(ended))
                for env in np.flatnonzero(ended):
                    hand.begin(int(env), over[env])
                ended[:] = False
            reset_now = ended.copy() if mode == "NextStep" else np.zeros(n, bool)
            _, reward, terminated, truncated, info = pool.step(action)
            for env in range(n):
                if reset_now[env]:
                    hand.begin(env, over[env])
                    continue
                assert reward[env] == (action[env] > 0)
                game = hand.step(env, action[env], bool(terminated[env]), bool(truncated[env]))
                over[env] = game is not None
                wanted += [(env, *game)] if game else []
                if mode == "SameStep" and (terminated[env] or truncated[env]):
                    hand.begin(env, over[env])
            ended = terminated | truncated
            found += shown(info)
            assert found == wanted
    assert len(wanted) > 10
    assert max(steps for _, _, steps in wanted) > 5


def test_a_reset_with_a_seed_or_within_a_life_begins_another_game() -> None:
    with begun(make("Lives", num_envs=3, life=2, lives=2, episode_statistics=True)) as pool:
        pool.step([1, 1, 1])
        pool.reset([0])  # within the first life
        pool.step([1, 2, 2])  # 0 goes on, 1 and 2 lose a life
        pool.reset([1], seed=[7])
        pool.reset([2])  # goes on with the game
        games: Games = []
        for _ in range(5):
            games += shown(pool.step([0, 0, 0])[-1])
        # 0: 1 + 3, a life lost, 1. 1: 1, a life lost, 1. 2: 1 + 3 + 6, a life lost, 1.
        assert sorted(games) == [(0, 5.0, 4), (1, 2.0, 4), (2, 11.0, 4)]


def test_rows_add_up_to_the_score() -> None:
    """In every view that has infos, but with SAME_STEP, where a row would have two calls."""
    for view in ("gymnasium", "gym"):
        with make(
            "Lives", view, num_envs=2, gym_reset_return_info=True, episode_statistics=True
        ) as pool:
            sums = pool.reset()[1]["score"].copy()
            assert sums.tolist() == [1, 1]
            for step in range(40):
                info = pool.step(np.array([step % 2, 1]))[-1]
                sums += info["score"]
                for env, points, _ in shown(info):
                    assert sums[env] == points
                    sums[env] = 0
        with begun(make("Lives", view, episode_statistics=False)) as pool:
            assert "score" not in pool.step(np.array([0]))[-1]
    with make("Lives", autoreset_mode="SameStep", episode_statistics=True) as pool:
        assert "score" not in pool.reset()[1]


@pytest.mark.parametrize("statistics", [False, True, "life"])
def test_the_last_info_has_the_steps_of_what_ended(statistics: Any) -> None:
    """Of the life, and not of the game."""
    made = {"autoreset_mode": "SameStep", "episode_statistics": statistics}
    with begun(make("Lives", num_envs=2, **made)) as pool:
        *_, info = pool.step([0, 2])
        assert info["final_info"]["elapsed_step"].tolist() == [0, 1]
        pool.step([0, 0])
        *_, info = pool.step([0, 0])
        assert info["final_info"]["elapsed_step"].tolist() == [3, 0]
        *_, info = pool.step([0, 0])
        assert info["final_info"]["elapsed_step"].tolist() == [0, 3]
        if statistics:
            assert shown(info) == [(1, *((9.0 - 1, 4) if statistics is True else (0.0, 3)))]


def test_a_refused_step_ends_the_game() -> None:
    """No reset goes on with it."""
    with begun(make("Lives", episode_statistics=True, nan_action="truncate", lives=2)) as pool:
        pool.step([1.0])
        *_, info = pool.step([np.nan])
        assert shown(info) == [(0, 4.0, 1)]
        for action in (0.0, 2.0, 0.0):  # a reset, a life, a reset
            assert not shown(pool.step([action])[-1])
        assert shown(pool.step([2.0])[-1]) == [(0, 14.0, 2)]


def test_a_saved_state_has_the_game_so_far() -> None:
    arguments: dict[str, Any] = {"num_envs": 1, "life": 2, "lives": 2}
    pools = (make("Lives", episode_statistics=each, **arguments) for each in (True, "life"))
    with begun(*pools) as (games, lives):
        for pool in (games, lives):
            for _ in range(4):  # a life of two steps, a reset, a step
                pool.step([1])
        states = [pool.get_state() for pool in (games, lives)]
        assert shown(games.step([1])[-1]) == [(0, 14.0, 4)]
        games.step([1])
        games.set_state(None, states[0])
        assert shown(games.step([1])[-1]) == [(0, 14.0, 4)]
        # What was counted over another stretch is not known here.
        games.set_state(None, states[1])
        episode = games.step([1])[-1]["episode"]
        assert np.isnan([episode["r"][0], episode["t"][0]]).all()
        lives.set_state(None, states[0])
        episode = lives.step([1])[-1]["episode"]
        assert np.isnan([episode["r"][0], episode["t"][0]]).all()
        assert episode["l"].tolist() == [2]


@pytest.mark.parametrize("mode", MODES)
def test_a_python_environment_declares_its_score_in_its_metadata(mode: str) -> None:
    task_id = register_python("python_lives/Lives-v0", Lives)
    arguments: dict[str, Any] = {"num_envs": 3, "autoreset_mode": mode, "max_episode_steps": 4}
    arguments |= {"episode_statistics": True, "life": 5, "lives": 2, "num_threads": 1}
    isolation = "process" if mode == "NextStep" else "thread"
    theirs = parallel_pool.make(task_id, isolation=isolation, **arguments)
    with theirs, make("Lives", **arguments) as ours:
        for pool in (theirs, ours):
            pool.reset(seed=1)
        actions = np.random.default_rng(0)
        games = 0
        for _ in range(60):
            action = actions.choice([0.0, 1.0, 2.0], 3, p=[0.4, 0.4, 0.2])
            infos = [pool.step(action)[-1] for pool in (theirs, ours)]
            assert shown(infos[0]) == shown(infos[1])
            games += len(shown(infos[1]))
            if mode == "Disabled":
                _, ended = (np.asarray(info["elapsed_step"]) for info in infos)
                lost = (action == 2) | (ended == 4)
                for pool in (theirs, ours):
                    if lost.any():
                        pool.reset(np.flatnonzero(lost))
        assert games > 8


@pytest.mark.parametrize("declared", ["points", ("points",), ("points", 3)])
def test_metadata_that_name_no_pair_of_infos_are_refused(declared: Any) -> None:
    class Wrong(Lives):
        metadata: dict[str, Any] = {"score": declared}  # noqa: RUF012

    task_id = register_python("python_lives/Wrong-v0", Wrong)
    with refused(parallel_pool.OptionError, "have the score", "expected the names of two infos"):
        parallel_pool.make(task_id)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_rollout_has_the_games_that_end_in_it(mode: str) -> None:
    arguments: dict[str, Any] = {"num_envs": 2, "life": 2, "lives": 2, "autoreset_mode": mode}
    found = []
    for statistics in (True, "life"):
        with make("Lives", episode_statistics=statistics, **arguments) as pool:
            buffer = RolloutBuffer(pool, 30)
            buffer.reset()
            while not buffer.full:
                buffer.step(np.ones(2), np.zeros(2))
            episodes = buffer.finish(lambda obs: np.zeros(len(obs))).episodes
            found.append([set(episodes[name].tolist()) for name in ("env_id", "return", "length")])
    assert found == [[{0, 1}, {14.0}, {4}], [{0, 1}, {2.0}, {2}]]


def test_a_bench_meters_games() -> None:
    with make("Lives", num_envs=2, life=2, lives=2, episode_statistics=True) as pool:
        meter = EpisodeMeter(2, games=True)
        pool.reset()
        for _ in range(30):
            meter(pool.step(np.ones(2)))
        assert meter.finished >= 8
        assert meter.mean_return == 14.0
