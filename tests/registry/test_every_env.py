"""What holds in every family: environments go on from saved states, and play beside others as alone."""

from contextlib import ExitStack
from typing import Any

import numpy as np
import parallel_pool
import pytest
from families import families
from gymnasium import spaces
from parallel_pool.registry import registry
from test_envs.checks import leaves
from test_envs.pools import begun
from test_envs.programs import python

NUM_ENVS = {"classic": 300}
"""Kernels of vector instructions take that many in parts; of others 2 are enough."""
OPTIONS = {"dmc": {"frame_stack": 2}, "mujoco": {"frame_stack": 3, "obs_dtype": "float32"}}
"""None for version 4, which has the code of 5."""
SAVED = [
    spec.id
    for known in [families().keys() - {"atari", "vizdoom"}]
    for spec in registry().specs()
    if spec.family in known and not spec.removed
    if spec.id == spec.native_id or spec.family == "dmc"
]
"""Atari, whose states have more to them, has tests of its own; ViZDoom has none."""
ALWAYS = {id.partition("-")[0]: id for id in SAVED if id.startswith("dmc/")}.values()
"""A task of each domain of the Control Suite, whose tasks share the code of states."""
CASES: list[Any] = [
    pytest.param(
        id,
        {} if id.endswith("-v4") else OPTIONS.get(id.partition("/")[0], {}),
        marks=[pytest.mark.slow] * (id.startswith("dmc/") and id not in ALWAYS),
    )
    for id in SAVED
]
CASES += [("classic/Taxi-v4", {"is_rainy": True, "fickle_passenger": True})]
LIMIT = 15


def same(got: Any, wanted: Any) -> None:
    """All of two results, or of some rows of theirs."""
    np.testing.assert_equal(leaves(got), leaves(wanted))


def sampled(space: Any) -> Any:
    """Actions; of boxes that are wide, or have no bounds, the middle."""
    drawn = space.sample()
    return np.clip(drawn, -3, 3) if isinstance(space, spaces.Box) else drawn


@pytest.mark.parametrize(("env_id", "options"), CASES, ids=lambda each: str(each) if each else "")
def test_a_restored_pool_goes_on_as_its_twin(env_id: str, options: dict[str, Any]) -> None:
    """To the last bit; also where an episode is about to end, or has just ended."""
    count = NUM_ENVS.get(env_id.partition("/")[0], 2)
    arguments = {"num_envs": count, "max_episode_steps": LIMIT, "texts": "bytes", **options}
    with begun(
        parallel_pool.make(env_id, seed=1, **arguments),
        parallel_pool.make(env_id, seed=500, num_threads=2, **arguments),
    ) as (twin, pool):
        twin.action_space.seed(0)
        for step in range(34):
            if step % 13 == 0 or step in (LIMIT - 1, LIMIT, LIMIT + 1):
                state = twin.get_state()
                for _ in range(1 + step % 3):
                    pool.step(sampled(twin.action_space))
                pool.set_state(None, state)
                assert pool.get_state() == state
            actions = sampled(twin.action_space)
            same(pool.step(actions), twin.step(actions))


LEVELS = ["BabyAI-GoToLocal-v0", "BabyAI-Open-v0", "BabyAI-PutNextLocal-v0", "BabyAI-BossLevel-v0"]
DRAWN = {"render_mode": "rgb_array"}
GAMES = ["pong", "breakout", "seaquest", "qbert"]
ALIKE = {"full_action_space": True}
BESIDE: list[tuple[Any, list[dict[str, Any]], dict[str, Any]]] = [
    ("Pendulum-v1", [{"g": 9.81}, {"g": 1.62}, {"g": 24.8}], {}),
    ("MountainCar-v0", [{"goal_velocity": each} for each in (0.0, 0.03, 0.06)], {}),
    ("MountainCarContinuous-v0", [{"goal_velocity": each} for each in (0.0, 0.03, 0.06)], {}),
    ("FrozenLake-v1", [{"success_rate": 0.2}, {"success_rate": 0.9}, {"is_slippery": False}], {}),
    ("Taxi-v4", [{"is_rainy": True}, {}, {"is_rainy": True, "rainy_probability": 0.9}], {}),
    ("CliffWalking-v1", [{"is_slippery": True}, {"is_slippery": False}], {}),
    ("Blackjack-v1", [{"sab": True}, {"natural": True}, {}], {}),
    ("NChain-v0", [{"slip": 0.0}, {"slip": 0.3, "large": 2.0}, {"slip": 0.5, "large": 3.0}], {}),
    ("dmc/hopper-stand", [{"model_overrides": {"opt.gravity": [0, 0, g]}} for g in (-9, -1)], {}),
    (["dmc/walker-stand", "dmc/walker-run"], [{}, {}], {}),
    (
        "MiniGrid-LavaGapS7-v0",
        [{}, {"no_death": "lava"}, {"action_bonus": True}, {"position_bonus": 0.5}],
        {},
    ),
    ("Pong-v5", [{"game": each} for each in GAMES], ALIKE),
    ([f"{each.capitalize()}-v5" for each in GAMES], [{}] * 4, ALIKE),
    (LEVELS * 4, [{}] * 16, DRAWN),
    (sorted(LEVELS * 4), [{}] * 16, DRAWN),
]
"""Environments of one pool: ids, options of each, and what they have in common."""


@pytest.mark.parametrize(("ids", "each", "common"), BESIDE, ids=str)
def test_each_plays_as_in_a_pool_of_its_own(
    ids: str | list[str], each: list[dict[str, Any]], common: dict[str, Any]
) -> None:
    common = {"texts": "bytes", **common}
    given = {} if isinstance(ids, list) else {"env_options": each}
    with ExitStack() as stack:
        together = stack.enter_context(
            parallel_pool.make(ids, seed=4, num_threads=2, **given, **common)
        )
        alone = [
            stack.enter_context(parallel_pool.make(env_id, seed=4 + env, **options, **common))
            for env, (env_id, options) in enumerate(
                zip(ids if isinstance(ids, list) else [ids] * len(each), each, strict=True)
            )
        ]
        together.action_space.seed(0)
        results = [pool.reset()[:1] for pool in (together, *alone)]
        for _ in range(60):
            for env, result in enumerate(results[1:]):
                same([leaf[env : env + 1] for leaf in leaves(results[0])], result)
            actions = together.action_space.sample()
            results = [together.step(actions)[:4]]
            results += [pool.step(actions[env : env + 1])[:4] for env, pool in enumerate(alone)]
        if "render_mode" in common:
            same(list(together.render()), [pool.render()[0] for pool in alone])


# The module is what remains of pygame-ce where pygame was on top of it and was uninstalled: an empty package.
@pytest.mark.parametrize("there", ["None", "importlib.util.module_from_spec(REMNANT)"])
def test_without_pygame_the_error_says_what_to_install(there: str) -> None:
    """When a picture is drawn; and when an environment is made that observes pictures."""
    script = f"""
import importlib.machinery, importlib.util, sys
REMNANT = importlib.machinery.ModuleSpec("pygame", None, is_package=True)
sys.modules["pygame"] = {there}
import parallel_pool
try:
    parallel_pool.make("CarRacing-v3")
except parallel_pool.OptionError as error:
    print(error)
with parallel_pool.make("CartPole-v1", render_mode="rgb_array") as envs:
    envs.reset()
    envs.step([0])
    try:
        envs.render()
    except parallel_pool.OptionError as error:
        print(error)
"""
    of_cars, of_carts = python("-c", script).splitlines()
    for line, env_id in ((of_cars, "box2d/CarRacing-v3"), (of_carts, "classic/CartPole-v1")):
        assert env_id in line
        assert "pip install --force-reinstall pygame-ce" in line
