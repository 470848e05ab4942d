"""Tasks in the language equal the C++ plugins' and the originals, and Python's way to run them, bit for bit."""

import pickle
from functools import partial
from typing import Any

import gymnasium
import mujoco
import numpy as np
import parallel_pool
import pytest
from mujoco_originals import Unwarned
from parallel_pool.testing import play_beside
from parallel_pool_tasks import Step, Task, reference
from parallel_pool_tasks.examples import Cheetah, control_suite, gymnasium_v5
from parallel_pool_tasks.examples.control_suite import CheetahRun
from parallel_pool_tasks.examples.gymnasium_v5 import Ant
from task_classes import Blocks, Randomised, Reacher, Senses, crawler
from test_envs.pools import begun

GYMNASIUM: list[tuple[type[Task], str]] = [
    (Cheetah, "HalfCheetah-v5"),
    *((each, f"{each.__name__}-v5") for each in gymnasium_v5.TASKS),
]
SUITE: list[tuple[type[Task], str, dict[str, Any]]] = [
    (control_suite.CheetahRun, "cheetah-run", {}),
    (control_suite.Cartpole, "cartpole-balance", {}),
    (control_suite.Cartpole, "cartpole-swingup", {"swing_up": True}),
    (control_suite.Cartpole, "cartpole-swingup_sparse", {"swing_up": True, "sparse": True}),
    (control_suite.Walker, "walker-stand", {}),
    (control_suite.Walker, "walker-run", {"move_speed": 8.0}),
    (control_suite.Hopper, "hopper-stand", {}),
    (control_suite.Hopper, "hopper-hop", {"hopping": True}),
    (control_suite.BallInCup, "ball_in_cup-catch", {}),
    (control_suite.Reacher, "reacher-easy", {}),
    (control_suite.Reacher, "reacher-hard", {"target_size": 0.015}),
]
CASES = [
    *((task, f"mujoco/{name}", {}) for task, name in GYMNASIUM),
    *((task, f"dmc/{name}-v1", options) for task, name, options in SUITE),
]
ENVS, SEED = 3, 2**32 - 2
"""Seeds of 31 bits and of 32."""


def expect_equal(got: Any, wanted: Any) -> None:
    """Both are results of reset or step, with the same keys and dtypes."""
    if isinstance(wanted, dict):
        assert got.keys() == wanted.keys()
        for name, each in wanted.items():
            expect_equal(got[name], each)
    elif isinstance(wanted, tuple):
        for left, right in zip(got, wanted, strict=True):
            expect_equal(left, right)
    else:
        assert got.dtype == wanted.dtype
        np.testing.assert_array_equal(got, wanted)


def actions(pool: Any, steps: int) -> Any:
    """Random ones, some too large."""
    space, draw = pool.single_action_space, np.random.default_rng(7)
    low, high = 1.2 * space.low, 1.2 * space.high
    for _ in range(steps):
        yield draw.uniform(low, high, (pool.num_envs, *space.shape)).astype(space.dtype)


@pytest.mark.parametrize(
    ("limit", "steps"), [(70, 150), pytest.param(None, 10_000 // ENVS, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("task", "env_id", "options"), CASES, ids=[each[1] for each in CASES])
def test_equals_the_plugin(
    task: type[Task], env_id: str, options: dict[str, Any], limit: int | None, steps: int
) -> None:
    """With infos and time limits; states go back and forth, and a pool with such a state goes on as it did."""
    make = partial(parallel_pool.make, num_envs=ENVS, seed=SEED, max_episode_steps=limit)
    with make(task, **options) as ours, make(env_id) as theirs:
        assert ours.single_action_space == theirs.single_action_space
        assert ours.single_observation_space == theirs.single_observation_space
        expect_equal(ours.reset(), theirs.reset())
        ended = 0
        for action in actions(ours, steps):
            result = ours.step(action)
            expect_equal(result, theirs.step(action))
            ended += int((result[2] | result[3]).sum())
        assert ended >= ENVS
        saved, more = ours.get_state(), list(actions(ours, 25))
        first = [ours.step(each) for each in more]
        ours.set_state(None, saved)
        for wanted, each in zip(first, more, strict=True):
            expect_equal(ours.step(each), wanted)


@pytest.mark.parametrize(
    ("task", "name", "steps"),
    [
        (*GYMNASIUM[0], 400),
        *(pytest.param(*case, 10_000, marks=pytest.mark.slow) for case in GYMNASIUM),
    ],
)
def test_equals_gymnasium(task: type[Task], name: str, steps: int) -> None:
    """Always one: the plugin, which all others equal, equals Gymnasium too."""
    with parallel_pool.make(task, num_envs=1, num_threads=1) as pool:
        original = lambda: Unwarned(gymnasium.make(name))  # noqa: E731
        play_beside(pool, original, seed=3, steps=steps, infos=None)


class Terms(Reacher):
    """The same with terms of the reward, of several dtypes."""

    id = "tests/Terms-v0"
    near: float = 2.0

    def step(self, sim: Any, action: Any, rng: Any, ep: Any) -> Step:
        one = super().step(sim, action, rng, ep)
        effort = np.sum(np.square(action))
        terms = {"reach": (1.0, one.reward), "near": (self.near, one.info["near"])}
        return Step({**terms, "effort": (-0.1, effort)}, one.terminated, one.info)


OPTIONS: list[tuple[type[Task], dict[str, Any]]] = [
    (Cheetah, {"reset_noise_scale": 0.3, "frame_skip": 2}),
    (Ant, {"healthy_z_range": (0.3, 0.8), "contact_cost_weight": 0.1}),
    (CheetahRun, {"speed": 3}),
    (Reacher, {"weight": 0.3, "power": 3}),
    (Reacher, {"shape": "largest"}),
    (Terms, {"near": 0.3}),
    (Blocks, {}),
    (Blocks, {"pushes": False, "frame_skip": 1}),
    (Randomised, {}),
    (Senses, {}),
    (Randomised, {"derives": False}),
]


@pytest.mark.parametrize(("task", "options"), OPTIONS)
def test_equals_itself_in_python(task: type[Task], options: dict[str, Any]) -> None:
    """Two ways to run the same methods."""

    def original() -> Any:
        return gymnasium.wrappers.TimeLimit(reference(task, **options), task.max_episode_steps or 0)

    with parallel_pool.make(task, num_envs=2, **options) as pool:
        drawn = actions(pool, 150)
        how = {"seed": 5, "steps": 150, "infos": None}
        env = play_beside(pool, original, lambda _: next(drawn), **how).originals[0]
        assert pool.single_action_space == env.action_space
        assert pool.single_observation_space == env.observation_space


@pytest.mark.parametrize("isolation", ["thread", "process"])
def test_equals_a_pool_in_python(isolation: str) -> None:
    """By class and by id, with options of each environment and the pool's time limit; config makes it again."""
    arguments = {"num_envs": 2, "num_threads": 1, "seed": 5, "max_episode_steps": 9}
    arguments["env_options"] = {"power": [2, 3]}
    with (
        parallel_pool.make(Reacher, **arguments) as ours,
        parallel_pool.make(Reacher, backend="python", isolation=isolation, **arguments) as first,
        parallel_pool.make(**first.config) as again,
        parallel_pool.make(**ours.config) as native,
    ):
        assert again.config["task_id"] == Reacher.id
        for pool in (first, again, native):
            expect_equal(_bools(pool.reset()[0]), ours.reset(seed=5)[0])
            for action in actions(ours, 30):
                obs, *got, said = pool.step(action)
                seen, *wanted, info = ours.step(action)
                expect_equal(_bools(obs), seen)
                expect_equal(tuple(got), tuple(wanted))
                for name in said.keys() & {"best", "near", "change"}:
                    assert said[name].tolist() == info[name].tolist()


def _bools(obs: Any) -> Any:
    """Gymnasium's MultiBinary is int8."""
    return {**obs, "far": obs["far"].astype(bool)}


def test_terms_of_a_reward_are_infos_and_add_up() -> None:
    with begun(parallel_pool.make(Terms, seed=1, num_envs=3)) as pool:
        _, reward, _, _, info = pool.step(np.full((3, 2), 0.3, np.float32))
    reach, near, effort = (info[f"reward_{name}"] for name in ("reach", "near", "effort"))
    assert effort.dtype == np.float32 and effort.all()
    np.testing.assert_array_equal(reward, reach + near + effort)


def test_simulated_seeds_reach_what_steps_draw() -> None:
    with begun(parallel_pool.make(Reacher, seed=0)) as pool:
        got = pool.simulate(pool.get_state(), np.zeros((3, 5, 2), np.float32), seeds=[1, 1, 2])
        assert (got.rewards[0] == got.rewards[1]).all() and (got.rewards[0] != got.rewards[2]).all()


def test_written_models_are_those_of_overrides() -> None:
    """The same numbers, all of which something follows from, though each episode writes them anew."""
    factors = {"body_mass": 1.3, "geom_friction": 0.4, "geom_size": 1.1, "dof_armature": 0.5}

    class Written(Ant):
        id = "tests/Written-v0"

        def reset(self, sim: Any, rng: Any, ep: Any) -> Any:
            for name, factor in factors.items():
                setattr(sim.model, name, factor * getattr(sim.model, name))
            sim.set_const()
            return super().reset(sim, rng, ep)

    model = mujoco.MjModel.from_xml_path(str(Ant.model))
    numbers = {name: (factor * getattr(model, name)).tolist() for name, factor in factors.items()}
    arguments = {"num_envs": 2, "seed": 3, "max_episode_steps": 40}
    with (
        parallel_pool.make(Written, **arguments) as ours,
        parallel_pool.make(Ant, **arguments, model_overrides=numbers) as theirs,
    ):
        expect_equal(ours.reset(), theirs.reset())
        for action in actions(ours, 150):
            expect_equal(ours.step(action), theirs.step(action))


@pytest.mark.parametrize(
    ("task", "options"),
    [(Randomised, {}), (Randomised, {"derives": False}), (Senses, {}), (Reacher, {})],
)
def test_states_have_what_was_written(task: type[Task], options: dict[str, Any]) -> None:
    """And what is kept: in a clone, and in a pool whose environments have had other models and flags."""
    arguments = {"num_envs": 3, **options}
    with begun(
        parallel_pool.make(task, seed=1, **arguments), parallel_pool.make(task, seed=9, **arguments)
    ) as (first, other):
        for action in actions(first, 20):
            first.step(action)
        first.clone(0, [1])
        other.set_state(None, first.get_state())
        paid = np.zeros(3)
        for action in actions(first, 40):
            action[1] = action[0]
            result = first.step(action)
            expect_equal(other.step(action), result)
            paid += result[1]
        assert paid[0] == paid[1] != paid[2]


def test_forces_are_the_weight() -> None:
    """Of what lies on the floor at last, if it was not tied."""
    weight = 9.81 * np.sum(crawler().body_mass)
    with parallel_pool.make(Senses, num_envs=8, max_episode_steps=1000) as pool:
        tied = pool.reset(seed=0)[0]["tied"][:, 0]
        assert 0 < tied.sum() < 8
        for _ in range(150):
            info = pool.step(np.zeros((8, 2), np.float32))[4]
        np.testing.assert_allclose(info["force"][~tied], weight, rtol=0.02)
        assert info["feet"][~tied].all() and (info["count"][~tied] >= 3).all()


def test_what_an_episode_keeps_is_saved() -> None:
    """In a pickle that goes on, of a pool of two tasks, which are one environment in C++."""

    class Other(Reacher):
        id = "tests/Other-v0"
        weight: float = 0.1
        far: bool = True

    with parallel_pool.make([Reacher, Other], seed=1, env_options=[{}, {"far": False}]) as pool:
        assert pool.config["env_options"] == [{"weight": 0.7}, {"weight": 0.1, "far": False}]
        pool.reset()
        for action in actions(pool, 5):
            pool.step(action)
        with pickle.loads(pool.pickled(include_state=True)) as other:
            for action in actions(pool, 50):
                expect_equal(other.step(action), pool.step(action))
