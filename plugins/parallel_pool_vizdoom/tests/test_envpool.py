"""What EnvPool's ids have: its rewards, its combined actions, its length of an episode.

EnvPool 1.2.5 is not needed: the rules are written down here again and fed by vizdoom's own DoomGame. Its
figures, that six of its environments were compared with by hand, are in docs/vizdoom.md.
"""

import itertools
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import parallel_pool.envpool as envpool
import pytest
import vizdoom
from doom_originals import Held, begin, silent_game
from parallel_pool.testing import play_beside
from parallel_pool_vizdoom._package import package_folder

SMALL: dict[str, Any] = {"screen_resolution": "160x120"}
WEIGHTS = {
    "FRAGCOUNT": (1, -1.5),
    "KILLCOUNT": (1, 0),
    "DEATHCOUNT": (-0.75, 0.75),
    "HITCOUNT": (0.01, -0.01),
    "DAMAGECOUNT": (0.003, -0.003),
    "HEALTH": (0.005, -0.003),
    "ARMOR": (0.005, -0.001),
    "AMMO2": (0.0002, -0.0001),
    **{f"AMMO{i}": (0.001, -0.0005) for i in (3, 4, 5)},
    **{f"AMMO{i}": (0.002, -0.001) for i in (6, 7)},
}
"""EnvPool's, of the variables that its infos have."""
IN_HAND = [0.0002] * 3 + [0.001] * 3 + [0.002] * 2 + [0.0] * 2
INFOS = [
    *(f"AMMO{i}" for i in range(2, 8)),
    *("ARMOR", "DAMAGECOUNT", "DEATHCOUNT", "FRAGCOUNT", "HEALTH", "HITCOUNT", "KILLCOUNT"),
    *("SELECTED_WEAPON", "SELECTED_WEAPON_AMMO", "USER2"),
]


class Shaped(gymnasium.Env[Any, Any]):
    """A DoomGame as EnvPool sets it up, with EnvPool's reward in plain Python. Observations are left out."""

    def __init__(self, cfg: str) -> None:
        path = str(package_folder() / "scenarios" / cfg)
        self.game = silent_game(path, {"episode_timeout": 0})
        listed = [each.name for each in self.game.get_available_game_variables()]
        self.names = list(dict.fromkeys([*listed, *INFOS]))
        self.paid: set[tuple[float, bool]] = set()

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        begin(self.game, seed)
        self.last = self.values()
        self.weapon, self.steps = self.last["SELECTED_WEAPON"], 1
        return {}, {}

    def step(self, action: Any) -> Any:
        self.game.make_action(list(action), 4)
        over, reward = self.game.is_episode_finished(), self.reward()
        self.paid.add((reward, over))
        return {}, reward, over, False, {}

    def close(self) -> None:
        self.game.close()

    def values(self) -> dict[str, float]:
        return {
            name: self.game.get_game_variable(getattr(vizdoom.GameVariable, name))
            for name in self.names
        }

    def reward(self) -> float:
        now = self.values()
        reward = np.float32(0)
        if self.last["HEALTH"] >= 0 > now["HEALTH"]:
            now["HEALTH"] = self.last["HEALTH"]
        for name in self.names:
            up, down = (float(np.float32(each)) for each in WEIGHTS.get(name, (0, 0)))
            change = now[name] - self.last[name]
            if name == "DAMAGECOUNT":
                change = min(change, 200)
            if name == "HITCOUNT":
                change = min(change, 5)
            reward += np.float32(change * up if change >= 0 else -change * down)
        self.steps = self.steps + 1 if now["SELECTED_WEAPON"] == self.weapon else 1
        self.weapon, self.last = now["SELECTED_WEAPON"], now
        if self.weapon >= 0 and self.steps >= 5 and now["SELECTED_WEAPON_AMMO"] > 0:
            reward = np.float32(float(reward) + float(np.float32(IN_HAND[int(self.weapon)])))
        return float(reward)


@pytest.mark.parametrize(
    ("name", "cfg"),
    [("DefendTheCenter-v1", "defend_the_center.cfg"), ("Deathmatch-v1", "deathmatch.cfg")],
)
def test_rewards_are_envpools(name: str, cfg: str) -> None:
    with parallel_pool.make(name, **SMALL) as pool:
        (original,) = play_beside(pool, partial(Shaped, cfg), Held(), seed=3, steps=400).originals
    assert len({reward for reward, _ in original.paid}) > 5
    assert any(over and reward for reward, over in original.paid), "the last step has its reward"


def test_weights_of_ones_own() -> None:
    with parallel_pool.make(
        "DefendTheCenter-v1",
        reward_config={"AMMO2": (0, 1)},
        selected_weapon_reward_config={2: 0.25},
        weapon_duration=3,
        **SMALL,
    ) as pool:
        _, info = pool.reset(seed=0)
        ammo = info["AMMO2"][0]
        for step in range(2, 12):
            _, reward, _, _, info = pool.step(np.array([[0.0, 0, 1]]))
            assert reward[0] == ammo - info["AMMO2"][0] + (0.25 if step >= 3 else 0)
            ammo = info["AMMO2"][0]
    with parallel_pool.make(
        "Basic-v1", reward_config={}, selected_weapon_reward_config={}, **SMALL
    ) as pool:
        pool.reset(seed=0)
        assert not any(pool.step(np.array([[0.0, 0, 1]]))[1][0] for _ in range(10))


def test_an_episode_has_525_steps_unless_the_scenario_is_asked() -> None:
    nothing = np.zeros((1, 3))
    with parallel_pool.make("Basic-v1", **SMALL) as pool:
        assert pool.config["max_episode_steps"] == 525
        pool.reset(seed=0)
        steps = next(step for step in itertools.count(1) if pool.step(nothing)[3][0])
        assert steps == 525
    own = {"reward_config": None, "episode_timeout": -1}
    with parallel_pool.make("Basic-v1", **own, **SMALL) as pool:
        pool.reset(seed=0)
        steps = next(step for step in itertools.count(1) if pool.step(nothing)[3][0])
        assert steps == 75, "the timeout of basic.cfg, 300 tics"
        assert pool.config["reward_config"] == "scenario"


COMBINED = {"Basic": 6, "DeadlyCorridor": 54, "Deathmatch": 4536, "MyWayHome": 18, "TakeCover": 3}


@pytest.mark.parametrize(("name", "count"), COMBINED.items())
def test_so_many_combined_actions(name: str, count: int) -> None:
    with parallel_pool.make(f"{name}-v1", use_combined_action=True, **SMALL) as pool:
        assert pool.single_action_space.n == count


def test_combined_actions_are_in_envpools_order() -> None:
    """All of them, in a scenario with a pair, SPEED, weapons and numbers; the first button varies least."""
    buttons = ["TURN_LEFT_RIGHT_DELTA", "MOVE_LEFT", "ATTACK", "SPEED", "MOVE_RIGHT"]
    buttons += ["SELECT_WEAPON2", "SELECT_WEAPON1"]
    groups: list[list[dict[str, float]]] = [
        [{}, {"ATTACK": 1}],
        [{"SPEED": 1}],
        [{}, {"MOVE_RIGHT": 1}, {"MOVE_LEFT": 1}],
        [{}, {"SELECT_WEAPON1": 1}, {"SELECT_WEAPON2": 1}],
        [{"TURN_LEFT_RIGHT_DELTA": value} for value in (-6.0, -1.0, 4.0)],
    ]
    config = {"available_buttons": buttons}
    options: dict[str, Any] = {"config": config, "frame_skip": 1, "reward_config": None, **SMALL}
    with (
        parallel_pool.make(
            "Basic-v1",
            use_combined_action=True,
            force_speed=True,
            delta_button_config={"TURN_LEFT_RIGHT_DELTA": (3, -6, 4)},
            **options,
        ) as combined,
        parallel_pool.make("Basic-v1", **options) as plain,
    ):
        combinations = list(itertools.product(*groups))
        assert combined.single_action_space.n == len(combinations) == 54
        combined.reset(seed=4)
        plain.reset(seed=4)
        for number, choices in enumerate(combinations):
            pressed = {name: value for choice in choices for name, value in choice.items()}
            values = np.array([[pressed.get(name, 0.0) for name in buttons]])
            seen = [combined.step(np.array([number])), plain.step(values)]
            assert seen[0][0].tobytes() == seen[1][0].tobytes(), pressed


def test_pictures_in_the_size_that_envpools_scripts_ask_for() -> None:
    """Its own one, or any other."""
    shapes = {}
    for width, height in ((0, 0), (320, 240), (160, 120)):
        options = {"render_width": width, "render_height": height} if width else {}
        with envpool.make_gym("Basic-v1", num_envs=1, render_mode="rgb_array", **options) as env:
            env.reset()
            shapes[width] = env.render()
    assert np.array_equal(shapes[0], shapes[320])
    assert shapes[160].shape == (1, 120, 160, 3)
    blocks = shapes[320].reshape(1, 120, 2, 160, 2, 3).mean((2, 4))
    assert np.array_equal(shapes[160], np.rint(blocks))
