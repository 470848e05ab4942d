"""Environments written in Python run in the same pool, in worker processes or in threads."""

import importlib.util
import os
import pickle
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from parallel_pool import (
    EnvBuildError,
    EnvError,
    OptionError,
    UnknownEnvError,
    WaitingEnvsWarning,
    WorkerCrashWarning,
)
from parallel_pool.threads.cpu_budget import gil_is_on
from test_envs.checks import leaves

FINE, THROW, DIE = range(3)
LEAVE = DIE

Make = Callable[..., Any]


@pytest.fixture(params=["process", "thread"])
def make(request: pytest.FixtureRequest) -> Make:
    """`parallel_pool.make`, with workers of either kind."""
    return partial(parallel_pool.make, isolation=request.param)


class Rich(gymnasium.Env[Any, Any]):
    """Every kind of space, every kind of info, and a way to fail."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012
    observation_space = spaces.Dict(
        {
            "zebra": spaces.Box(-1, 1, (2, 3), np.float64),
            "inner": spaces.Dict(
                {"bits": spaces.MultiBinary(4), "die": spaces.Discrete(6, start=1)}
            ),
            "pair": spaces.Tuple((spaces.MultiDiscrete([3, 5]), spaces.Box(0, 255, (), np.uint8))),
        }
    )
    action_space = spaces.Tuple((spaces.Discrete(3), spaces.Box(-2, 2, (2,), np.float32)))

    def __init__(self, length: int = 4) -> None:
        self.length = length

    def observe(self) -> dict[str, Any]:
        rng = self.np_random
        return {
            "zebra": rng.uniform(-1, 1, (2, 3)),
            "inner": {"bits": rng.integers(0, 2, 4, np.int8), "die": rng.integers(1, 7)},
            "pair": (rng.integers(0, [3, 5]), np.uint8(rng.integers(256))),
        }

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.steps = 0
        return self.observe(), {"begun": True}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        deed, force = action
        assert isinstance(deed, np.integer)
        assert force.dtype == np.float32
        if deed == THROW:
            raise ValueError("no fuel")
        if deed == DIE:
            os.abort()
        self.steps += 1
        info: dict[str, Any] = {"steps": self.steps, "nested": {"force": force, "name": "rich"}}
        if self.np_random.random() < 0.5:
            info["seldom"] = 0.5
        over = bool(self.np_random.random() < 1 / self.length)
        return self.observe(), float(force.sum()), over, self.steps >= self.length, info


@pytest.fixture(scope="session")  # the serial tests of this file come later
def task_id() -> str:
    def factory(spec: parallel_pool.EnvSpec, options: Mapping[str, Any]) -> Callable[[], Rich]:
        return lambda: Rich(**options)

    spec = parallel_pool.EnvSpec("python/Rich-v1", backend="python")
    parallel_pool.register(spec, factory=factory)
    return spec.id


def same(mine: Any, theirs: Any) -> None:
    if isinstance(theirs, dict):
        for key in theirs:
            same(mine[key], theirs[key])
    elif isinstance(theirs, (tuple, list)):
        assert len(mine) == len(theirs)
        for a, b in zip(mine, theirs, strict=True):
            same(a, b)
    elif isinstance(theirs, np.ndarray) and theirs.dtype == object:
        same(list(mine), list(theirs))
    else:
        np.testing.assert_array_equal(mine, theirs)
        assert getattr(mine, "dtype", None) == getattr(theirs, "dtype", None)


def in_lockstep(mine: Any, theirs: Any, steps: int) -> None:
    """Both give the same; infos of ours may have more."""
    same(mine.reset(seed=7), theirs.reset(seed=7))
    theirs.action_space.seed(1)
    for step in range(steps):
        actions = theirs.action_space.sample()
        if isinstance(actions, tuple):
            actions = (np.zeros_like(actions[0]), actions[1])
        same(mine.step(actions), theirs.step(actions))
        if step == steps // 2:
            same(mine.reset(seed=[3, None, 5]), theirs.reset(seed=[3, None, 5]))


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_every_space_and_info_as_in_gymnasium(
    make: Make, task_id: str, mode: AutoresetMode
) -> None:
    theirs = gymnasium.vector.SyncVectorEnv([Rich] * 3, autoreset_mode=mode)
    with make(task_id, num_envs=3, num_threads=2, autoreset_mode=mode) as mine:
        assert isinstance(mine, gymnasium.vector.VectorEnv)
        assert mine.single_observation_space == theirs.single_observation_space
        assert mine.observation_space == theirs.observation_space
        assert mine.action_space == theirs.action_space
        in_lockstep(mine, theirs, 40)


class Reusing(Rich):
    """Has one info, and fills it again and again."""

    def __init__(self) -> None:
        super().__init__()
        self.info: dict[str, Any] = {"row": np.zeros(2), "inner": {"row": np.zeros(3), "n": 0}}

    def filled(self) -> dict[str, Any]:
        self.info["row"][:] = self.info["inner"]["row"][:] = self.steps
        self.info["inner"]["n"] = self.steps
        return self.info

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        obs, _ = super().reset(seed=seed, options=options)
        return obs, self.filled()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        *result, _ = super().step(action)
        return (*result, self.filled())  # type: ignore[return-value]


def test_the_last_info_is_not_that_of_the_reset(make: Make) -> None:
    spec = parallel_pool.EnvSpec("reusing/Reusing-v0", backend="python")
    parallel_pool.register(spec, factory=lambda spec, options: Reusing)
    mode = AutoresetMode.SAME_STEP
    theirs = gymnasium.vector.SyncVectorEnv([Reusing] * 3, autoreset_mode=mode)
    with make(spec.id, num_envs=3, num_threads=2, autoreset_mode=mode) as mine:
        in_lockstep(mine, theirs, 20)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(
    "name",
    [
        "CartPole-v1",
        "Acrobot-v1",
        pytest.param(
            "LunarLander-v3",
            marks=[
                pytest.mark.skipif(
                    importlib.util.find_spec("Box2D") is None,
                    reason="Box2D is not there: it has no wheels for free-threaded Pythons",
                ),
                # As an error it would crash the module's own initialization.
                pytest.mark.filterwarnings("ignore:builtin type:DeprecationWarning"),
            ],
        ),
    ],
)
def test_any_id_of_gymnasium(make: Make, name: str, mode: AutoresetMode) -> None:
    theirs = gymnasium.make_vec(
        name,
        num_envs=3,
        vectorization_mode="sync",
        max_episode_steps=30,
        vector_kwargs={"autoreset_mode": mode},
    )
    with make(
        f"gym:{name}", num_envs=3, num_threads=2, autoreset_mode=mode, max_episode_steps=30
    ) as mine:
        in_lockstep(mine, theirs, 100)
        assert mine.spec.max_episode_steps == 30
        assert f"gym:{name}" in repr(mine)


def test_the_time_limit_is_there_once(make: Make) -> None:
    with make("gym:CartPole-v1", num_envs=1, max_episode_steps=3) as pool:
        pool.reset()
        assert [bool(pool.step([step % 2])[3][0]) for step in range(8)] == [
            False, False, True, False, False, False, True, False
        ]  # fmt: skip
        assert pool.step([0])[4]["elapsed_step"].tolist() == [1]


def test_the_pool_has_a_limit_for_what_a_factory_makes(make: Make, task_id: str) -> None:
    with make(task_id, num_envs=2, max_episode_steps=1) as pool:
        pool.reset()
        zeros = (np.zeros(2, int), np.zeros((2, 2), np.float32))
        assert pool.step(zeros)[3].all()


def test_asynchronous_answers_are_those_of_lockstep(make: Make, task_id: str) -> None:
    def rows(**arguments: Any) -> list[list[Any]]:
        seen: list[list[Any]] = [[] for _ in range(4)]
        with make(task_id, num_envs=4, seed=3, **arguments) as pool:
            pool.async_reset()
            while min(map(len, seen)) < 12:
                obs, reward, terminated, truncated, info = pool.recv()
                for row, env in enumerate(info["env_id"]):
                    steps = info.get("steps", np.zeros(len(reward), int))[row]
                    parts = [leaf[row].tolist() for leaf in leaves(obs)]
                    seen[env].append(
                        (parts, reward[row], terminated[row], truncated[row], int(steps))
                    )
                n = len(reward)
                pool.send((np.zeros(n, int), np.ones((n, 2), np.float32)), info["env_id"])
        return [each[:12] for each in seen]

    assert rows(batch_size=2, num_threads=2) == rows(num_threads=1)


def test_the_other_views(make: Make, task_id: str) -> None:
    zeros = (np.zeros(2, int), np.zeros((2, 2), np.float32))
    with make(task_id, env_type="gym", num_envs=2, seed=0) as gym:
        gym.reset()
        obs, reward, *_, info = gym.step(zeros)
        assert reward.dtype == np.float32
        assert obs["zebra"].shape == (2, 2, 3)
        assert info["elapsed_step"].tolist() == [1, 1]
    with make(task_id, env_type="dm", num_envs=2, seed=0) as dm:
        dm.reset()
        same(dm.step(zeros).observation.obs, obs)


def test_an_exception_has_its_traceback(make: Make, task_id: str) -> None:
    with make(task_id, num_envs=3, num_threads=2) as pool:
        pool.reset()
        force = np.zeros((3, 2), np.float32)
        with pytest.raises(EnvError) as caught:
            pool.step((np.array([FINE, THROW, FINE]), force))
        (text,) = caught.value.failures.values()
        assert "ValueError: no fuel" in text
        assert "in step" in text
        assert caught.value.result[3].tolist() == [False, True, False]
        pool.reset([1])
        pool.step((np.zeros(3, int), force))


def test_a_crash_loses_its_process_only(task_id: str) -> None:
    with parallel_pool.make(
        task_id, num_envs=2, num_threads=2, seed=1, length=99, isolation="process"
    ) as pool:
        pool.reset()
        force = np.zeros((2, 2), np.float32)
        with pytest.warns(WorkerCrashWarning, match=r"SIGABRT.*environments \(1\)"):
            *_, truncated, info = pool.step((np.array([FINE, DIE]), force))
        assert truncated.tolist() == [False, True]
        assert info["worker_crashed"].tolist() == [False, True]
        *_, info = pool.step((np.zeros(2, int), force))
        assert info["begun"].tolist() == [False, True]
        assert info["_steps"].tolist() == [True, False]


def test_what_ends_a_worker_loses_its_environments_only(make: Make, drawn: str) -> None:
    with make(drawn, num_envs=2, num_threads=2, seed=1) as pool:
        pool.reset(options={"at": 3})
        with pytest.warns(WorkerCrashWarning, match=r"(SystemExit: enough|status 1).*ments \(1\)"):
            obs, *_, truncated, info = pool.step([0, LEAVE])
        assert truncated.tolist() == [False, True]
        assert info["worker_crashed"].tolist() == [False, True]
        assert obs[1].tolist() == [0, 0]
        obs, *_ = pool.step([0, 0])
        assert obs[0, 0] > 3
        assert obs[1].tolist() == [1, 1]


def test_a_spec_and_a_pickle_make_it_again(make: Make) -> None:
    with make("gym:CartPole-v1", num_envs=2, seed=5, sutton_barto_reward=True) as pool:
        first, _ = pool.reset()
        with pickle.loads(pickle.dumps(pool)) as copy:
            same(copy.reset()[0], first)
            assert copy.step([0, 0])[1].tolist() == [0, 0]
        assert pickle.loads(pickle.dumps(pool.spec)).action_space == spaces.Discrete(2)


@pytest.mark.parametrize("kind", ["process", "thread"])
def test_as_many_workers_as_are_of_use(kind: str) -> None:
    from parallel_pool.threads.cpu_budget import share_of_cpus
    from parallel_pool.workers.python_envs.configure import WORKERS_PER_CPU

    def workers(**arguments: Any) -> Any:
        spec = parallel_pool.make_spec("gym:CartPole-v1", isolation=kind, **arguments)
        return spec.config.num_threads

    most = WORKERS_PER_CPU[kind] * share_of_cpus()
    assert workers(num_envs=2) == 2
    assert workers(num_envs=4096, batch_size=1) == most
    assert workers(num_envs=4096, num_threads=3) == 3
    assert workers(num_envs=4096, num_threads=0) == most


def test_seeds_nobody_chose_fit_every_environment() -> None:
    with parallel_pool.make("gym:CartPole-v1", num_envs=8) as pool:
        seeds = pool._config.seeds
    assert len(set(seeds)) == 8
    assert max(seeds) < 2**31


class Odd(Rich):
    observation_space = spaces.Dict({"text": spaces.Text(3)})  # type: ignore[assignment]


class Slashed(Rich):
    observation_space = spaces.Dict({"a/b": spaces.Discrete(2)})  # type: ignore[assignment]


class Half(Rich):
    observation_space = spaces.Box(0, 1, (2,), np.float16)  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Odd, r"obs space has a Text at 'text'"),
        (Slashed, r"key 'a/b'"),
        (Half, r"dtype float16"),
    ],
)
def test_spaces_that_no_pool_can_hold(kind: type[Rich], message: str) -> None:
    gymnasium.register(f"Unfit{kind.__name__}-v0", kind)
    with pytest.raises(OptionError, match=message):
        parallel_pool.make(f"gym:Unfit{kind.__name__}-v0")


def test_what_cannot_be_made_says_why() -> None:
    with pytest.raises(UnknownEnvError, match="gym:CartPool-v1"):
        parallel_pool.make("gym:CartPool-v1")
    with pytest.raises(OptionError, match=r"gym:CartPole-v1 cannot be made.*gravity"):
        parallel_pool.make("gym:CartPole-v1", gravity=9.8)
    with pytest.raises(OptionError, match="num_threads"):
        parallel_pool.make("gym:CartPole-v1", num_threads=-1)


class Sized(gymnasium.Env[Any, Any]):
    """Observes what it was made with."""

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012
    action_space = spaces.Discrete(2)

    def __init__(self, size: int = 1, value: float = 0.0) -> None:
        self.observation_space = spaces.Box(-9, 9, (size,), np.float64)
        self.value = value

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        return np.full(self.observation_space.shape, self.value), {}


gymnasium.register("Sized-v0", Sized)


def test_environments_differ_in_options_and_not_in_spaces(make: Make) -> None:
    options = {"value": [1.0, 2.0, 3.0]}
    with make("gym:Sized-v0", env_options=options, num_threads=2) as pool:
        assert pool.reset()[0].tolist() == [[1], [2], [3]]
        with pickle.loads(pickle.dumps(pool)) as copy:
            assert copy.reset()[0].tolist() == [[1], [2], [3]]
        assert pool.spec.kwargs["env_options"] == [{"value": each} for each in options["value"]]
    with make(["gym:Sized-v0"] * 2, size=3) as pool:
        assert pool.reset()[0].shape == (2, 3)
    with pytest.raises(
        EnvBuildError, match=r"environment 1 has the observation_space .*Make a pool"
    ):
        make("gym:Sized-v0", env_options={"size": [1, 2]}, num_threads=1)
    with pytest.raises(OptionError, match=r"environment 1: seed in env_options is an argument"):
        make("gym:Sized-v0", env_options=[{}, {"seed": 1}])
    with pytest.raises(OptionError, match=r"gym:CartPole-v1\) cannot be in one pool"):
        make(["gym:Sized-v0", "gym:CartPole-v1"])


class Drawn(Rich):
    """Can be drawn, starts where it is told, and has methods and attributes."""

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 7}  # noqa: RUF012
    observation_space = spaces.Box(-9, 9, (2,), np.float64)  # type: ignore[assignment]
    action_space = spaces.Discrete(3)  # type: ignore[assignment]

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.friction = 0.5

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        gymnasium.Env.reset(self, seed=seed)
        if options is not None and options.get("at") == "nowhere":
            raise ValueError("nowhere is no place")
        self.at = np.full(2, (options or {}).get("at", 1.0), np.float64)
        return self.at, {"options": options}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if action == LEAVE:
            sys.exit("enough")
        self.at = self.at + self.np_random.random(2) * self.friction
        return self.at, 0.0, False, False, {}

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return f"at {self.at[0]}"
        return np.full((2, 3, 3), int(self.at[0]), np.uint8)

    def shifted(self, by: float, *, times: int = 1) -> float:
        return float(self.at[0] + by * times)

    def lock(self) -> Any:
        return memoryview(b"no pickle")


@pytest.fixture(scope="session")  # the serial tests of this file come later
def drawn() -> str:
    gymnasium.register("Drawn-v0", Drawn, max_episode_steps=50)
    return "gym:Drawn-v0"


def test_pictures_of_python_environments(make: Make, drawn: str) -> None:
    with make(drawn, num_envs=3, num_threads=2, render_mode="rgb_array") as pool:
        assert pool.render_mode == "rgb_array"
        assert pool.metadata["render_modes"] == ["rgb_array", "ansi"]
        assert pool.metadata["render_fps"] == 7
        with pytest.raises(
            parallel_pool.ResetNeededError, match=r"environment 0 was never reset.*cannot be drawn"
        ):
            pool.render()
        pool.reset(options={"at": 4})
        pool.reset([1], options={"at": 8})
        frames = pool.render()
        assert [int(each[0, 0, 0]) for each in frames] == [4, 8, 4]
        assert frames[0].shape == (2, 3, 3)
        assert [int(each[1, 2, 2]) for each in pool.render([1])] == [8]
    with make(drawn, "gym", num_envs=2, render_mode="ansi") as pool:
        pool.reset()
        assert pool.render([0, 1]) == ["at 1.0", "at 1.0"]
    with make(drawn) as pool:
        pool.reset()
        with pytest.raises(OptionError, match="make it with render_mode='rgb_array'"):
            pool.render()
    with pytest.raises(OptionError, match="'human', but for a window"):
        make(drawn, render_mode="human")
    with pytest.raises(OptionError, match="render_width is for environments of libraries"):
        make(drawn, render_mode="rgb_array", render_width=3)


def test_a_factory_is_given_the_render_mode(make: Make) -> None:
    given = []

    def factory(spec: parallel_pool.EnvSpec, options: Mapping[str, Any]) -> Callable[[], Drawn]:
        given.append(dict(options))
        return lambda: Drawn(**options)

    spec = parallel_pool.EnvSpec("python/Drawn-v1", backend="python", render_modes=("rgb_array",))
    parallel_pool.register(spec, factory=factory)
    with make(spec.id, num_envs=1, render_mode="rgb_array") as pool:
        pool.reset()
        assert pool.render()[0].shape == (2, 3, 3)
        assert pool.get_attr("render_mode") == ("rgb_array",)
    assert given == [{}, {"render_mode": "rgb_array"}]


def test_options_of_a_reset_reach_python_environments(make: Make, drawn: str) -> None:
    with make(drawn, num_envs=4, num_threads=2, seed=1) as pool:
        obs, info = pool.reset(options={"at": 3, "way": ["any", {"thing"}]})
        assert obs[:, 0].tolist() == [3, 3, 3, 3]
        assert info["options"]["at"].tolist() == [3, 3, 3, 3]
        assert info["options"]["way"][2] == ["any", {"thing"}]
        mask = np.array([False, True, False, True])
        obs, info = pool.reset(options={"at": 5, "reset_mask": mask})
        assert obs[:, 0].tolist() == [3, 5, 3, 5]
        obs, _ = pool.reset()
        assert obs[:, 0].tolist() == [1, 1, 1, 1]
        with pytest.raises(EnvError, match="nowhere is no place"):
            pool.reset([2], options={"at": "nowhere"})
        pool.reset()
        with pytest.raises(TypeError, match="options of reset cannot be sent"):
            pool.reset(options={"at": (each for each in ())})
    with make(drawn, num_envs=2, batch_size=1) as pool:
        pool.async_reset(options={"at": 6})
        assert [pool.recv()[0][0, 0] for _ in range(2)] == [6, 6]


def test_methods_and_attributes_of_python_environments(make: Make, drawn: str) -> None:
    with make(drawn, num_envs=3, num_threads=2) as pool:
        assert pool.get_attr("friction") == (0.5, 0.5, 0.5)
        pool.set_attr("friction", [1.0, 2.0, 3.0])
        assert pool.get_attr("friction") == (1, 2, 3)
        pool.set_attr("friction", 0.0)
        pool.reset(options={"at": 2})
        assert pool.call("shifted", 1, times=3) == (5.0, 5.0, 5.0)
        with pytest.raises(parallel_pool.EnvAccessError, match=r"(?s)environment 0.*no_such_thing"):
            pool.get_attr("no_such_thing")
        if pool.config["isolation"] == "process":
            with pytest.raises(parallel_pool.EnvAccessError, match="lock is a memoryview"):
                pool.call("lock")
        else:
            assert [bytes(each) for each in pool.call("lock")] == [b"no pickle"] * 3
            assert [type(each) for each in pool.get_attr("unwrapped")] == [Drawn] * 3
        with pytest.raises(ValueError, match="bypass the pool"):
            pool.call("step", 0)
        with pytest.raises(ValueError, match=r"2 values of 'friction' for 3"):
            pool.set_attr("friction", [1, 2])
        pool.step([0, 0, 0])
    with (
        parallel_pool.make("classic/CartPole-v1", num_envs=1) as pool,
        pytest.raises(parallel_pool.NotOfferedError, match="no Python object"),
    ):
        pool.call("shifted")


def test_states_of_python_environments(make: Make, drawn: str) -> None:
    with make(drawn, num_envs=3, num_threads=2, seed=4) as pool:
        pool.reset()
        states = pool.get_state()
        ahead = [pool.step([0, 0, 0])[0] for _ in range(3)]
        pool.set_state(None, states)
        for obs in ahead:
            same(pool.step([0, 0, 0])[0], obs)
        pool.clone(2, [0])
        obs, *_, info = pool.step([0, 0, 0])
        assert obs[0].tolist() == obs[2].tolist()
        assert info["elapsed_step"].tolist() == [4, 4, 4]
        with pytest.warns(WorkerCrashWarning):
            pool.step([0, 0, LEAVE])
        pool.set_state([2], states[2:])
        same(pool.step([0], [2])[0], ahead[0][2:])
        with pickle.loads(pool.pickled(include_state=True)) as copy:
            same(copy.step([0, 0, 0])[0], pool.step([0, 0, 0])[0])


class Pickled(Drawn, gymnasium.utils.EzPickle):
    def __init__(self) -> None:
        Drawn.__init__(self)
        gymnasium.utils.EzPickle.__init__(self)


gymnasium.register("Pickled-v0", Pickled)


def test_states_that_there_are_none_of(make: Make) -> None:
    with make("gym:Pickled-v0", num_envs=1) as pool:
        pool.reset()
        with pytest.raises(parallel_pool.StateError, match="as it was made and not as it is now"):
            pool.get_state()
        pool.step([0])


class Slow(Drawn):
    """Waits, says in which thread it is, and does not always come out."""

    def __init__(self, render_mode: str | None = None, seconds: float = 0.05) -> None:
        super().__init__(render_mode)
        self.seconds = seconds
        self.home = threading.current_thread()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        assert threading.current_thread() is self.home
        time.sleep(30 if action == LEAVE else self.seconds)
        return self.at.copy(), 0.0, False, False, {"home": self.home}

    def render(self) -> Any:
        assert threading.current_thread() is self.home
        time.sleep(self.seconds)
        return super().render()

    def close(self) -> None:
        assert threading.current_thread() is self.home


@pytest.fixture(scope="session")  # the serial tests of this file come later
def slow() -> str:
    gymnasium.register("Slow-v0", Slow)
    return "gym:Slow-v0"


@pytest.mark.serial
def test_environments_stay_in_their_threads_and_wait_together(slow: str) -> None:
    with parallel_pool.make(
        slow, num_envs=6, num_threads=3, isolation="thread", render_mode="rgb_array"
    ) as pool:
        assert pool.config["isolation"] == "thread"
        assert "worker_pids" not in pool.stats()
        pool.reset()
        began = time.monotonic()
        *_, info = pool.step([0] * 6)
        # Two after each other in each of three threads; six would take 0.3 seconds.
        assert time.monotonic() - began < 0.25
        assert len(set(info["home"])) == 3  # what could not be pickled
        assert info["home"].tolist() == list(pool.get_attr("home"))
        assert threading.current_thread() not in info["home"]
        began = time.monotonic()
        assert len(pool.render()) == 6
        assert time.monotonic() - began < 0.25
        homes = set(info["home"])
    for each in homes:
        each.join(5)
        assert not each.is_alive()


@pytest.mark.serial
def test_environments_that_wait_are_pointed_out(make: Make, slow: str) -> None:
    workers = "num_threads=num_envs gives each a worker of its own"
    with make(slow, num_envs=4, num_threads=2, seconds=0.002) as pool:
        quiet = gil_is_on() and pool.config["isolation"] == "thread"
        pool.reset()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(33):
                pool.step([0] * 4)
        said = [each for each in caught if each.category is WaitingEnvsWarning]
        assert len(said) == (0 if quiet else 1)
        assert all(workers in str(each.message) for each in said)
        assert all(each.filename == __file__ for each in said)
    # Of a worker that holds one, and of one whose environments compute, there is nothing to say.
    for arguments in ({"id": slow, "num_envs": 1}, {"id": "gym:CartPole-v1", "num_envs": 4}):
        with make(arguments.pop("id"), num_threads=1, **arguments) as pool:
            pool.reset()
            for _ in range(70 if pool.num_envs > 1 else 3):
                pool.step([0] * pool.num_envs)


def test_who_sends_does_not_wait_for_threads_that_work(slow: str) -> None:
    """They may need the lock of Python that the sender has."""
    with parallel_pool.make(slow, num_envs=2, num_threads=1, isolation="thread") as pool:
        pool.reset()
        pool.send([0], [0])
        receiver = threading.Thread(target=pool.recv)
        receiver.start()
        time.sleep(0.02)
        pool.send([0], [1])
        pool.stats()
        receiver.join()
        assert pool.recv()[-1]["env_id"].tolist() == [1]


def test_threads_that_do_not_come_out_do_not_keep_the_pool(slow: str) -> None:
    pool = parallel_pool.make(slow, num_envs=5, num_threads=5, isolation="thread")
    pool.reset()
    pool.send([0, *[LEAVE] * 4])  # they are given up together, not one after another
    with pytest.raises(TimeoutError):
        pool.recv(timeout=0.2)
    began = time.monotonic()
    pool.close()
    assert time.monotonic() - began < 10


def threads_and_descriptors() -> tuple[int, int]:
    return threading.active_count(), len(os.listdir("/proc/self/fd"))


def test_threads_that_cannot_all_begin_leave_none_behind(
    slow: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from parallel_pool.workers.python_envs import worker_threads

    begun: list[threading.Thread] = []

    class Refused(threading.Thread):
        def start(self) -> None:
            if len(begun) == 2:
                raise RuntimeError("can't start new thread")
            begun.append(self)
            super().start()

    before = threads_and_descriptors()
    monkeypatch.setattr(worker_threads, "threading", SimpleNamespace(Thread=Refused))
    with pytest.raises(EnvBuildError, match=r"cannot start a worker thread: .*can't start new"):
        parallel_pool.make(slow, num_envs=4, num_threads=4, isolation="thread")
    for each in begun:
        each.join(5)
    assert threads_and_descriptors() == before


class Closing(Drawn):
    """Says which are closed."""

    closed: list["Closing"] = []  # noqa: RUF012

    def close(self) -> None:
        self.closed.append(self)


gymnasium.register("Closing-v0", Closing)


def test_a_thread_that_ends_closes_its_environments() -> None:
    with parallel_pool.make(
        "gym:Closing-v0", num_envs=2, num_threads=1, isolation="thread"
    ) as pool:
        pool.reset()
        before = threads_and_descriptors()
        theirs = list(pool.get_attr("unwrapped"))
        Closing.closed.clear()
        with pytest.warns(WorkerCrashWarning, match=r"worker thread .*SystemExit: enough"):
            pool.step([0, LEAVE])
        assert Closing.closed == theirs
        pool.step([0, 0])
        assert threads_and_descriptors() == before


def test_a_thread_that_is_given_up_may_have_much_to_say() -> None:
    """In a process of its own, because it has crashed there."""
    program = """
import threading, time
import gymnasium, parallel_pool
from gymnasium.envs.classic_control import CartPoleEnv

class Heavy(CartPoleEnv):
    def __getstate__(self):
        asked.set()
        time.sleep(2.5)
        return {"much": bytes(64 << 20)}

asked = threading.Event()
gymnasium.register("Heavy-v0", Heavy)
pool = parallel_pool.make("gym:Heavy-v0", num_envs=1, isolation="thread")
pool.reset()
(worker,) = (each for each in threading.enumerate() if each.name == "parallel_pool worker")

def ask():
    try:
        pool.get_state()
    except parallel_pool.StateError as error:
        print(error)

asking = threading.Thread(target=ask)
asking.start()
asked.wait()
pool.close()
asking.join()
worker.join(30)
print("worker:", worker.is_alive())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "was given up" in done.stdout
    assert "worker: False" in done.stdout


def test_threads_that_have_just_begun_are_gone_when_a_pool_is_closed() -> None:
    """Those left would end the process badly where they come out while Python takes itself apart."""
    program = """
import sys, warnings
import gymnasium, parallel_pool
from gymnasium.envs.classic_control import CartPoleEnv

class Leaving(CartPoleEnv):
    def step(self, action):
        sys.exit("enough")

warnings.simplefilter("ignore")
gymnasium.register("Leaving-v0", Leaving)
pool = parallel_pool.make("gym:Leaving-v0", num_envs=16, num_threads=16, isolation="thread")
pool.reset()
pool.step([0] * 16)
pool.close()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_threads_where_they_run_at_the_same_time(slow: str) -> None:
    with parallel_pool.make(slow, num_envs=1) as pool:
        assert pool.config["isolation"] == ("process" if gil_is_on() else "thread")
        # Chosen again by who makes it again.
        assert pickle.loads(pickle.dumps(pool.spec)) is not None
    with parallel_pool.make(slow, num_envs=1, step_timeout=60) as pool:
        assert pool.config["isolation"] == "process"
    with pytest.raises(OptionError, match=r"step_timeout=3 needs a process .*isolation='thread'"):
        parallel_pool.make(slow, isolation="thread", step_timeout=3)
    with pytest.raises(OptionError, match=r"isolation is 'fiber', expected 'process'"):
        parallel_pool.make(slow, isolation="fiber")
    with pytest.raises(OptionError, match=r"isolation='thread' is for environments written in Py"):
        parallel_pool.make("classic/CartPole-v1", isolation="thread")
    with pytest.raises(OptionError, match=r"numa_node is for threads of this process"):
        parallel_pool.make(slow, isolation="thread", numa_node=0)


class Gilded(Drawn):
    """As if its module had an extension that turns the global lock on."""

    gil_is_on = False

    def __init__(self) -> None:
        Gilded.gil_is_on = True
        super().__init__()


gymnasium.register("Gilded-v0", Gilded)


def test_an_import_may_turn_the_lock_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from parallel_pool.workers.python_envs import configure

    monkeypatch.setattr(configure, "gil_is_on", lambda: Gilded.gil_is_on)
    spec = parallel_pool.make_spec("gym:Sized-v0", num_envs=64)
    assert spec.config.isolation == "thread"
    most = configure.WORKERS_PER_CPU["process"] * configure.share_of_cpus()
    spec = parallel_pool.make_spec("gym:Gilded-v0", num_envs=64)
    assert (spec.config.isolation, spec.config.num_threads) == ("process", most)


def test_answers_and_infos_of_threads_leave_nothing_behind(drawn: str) -> None:
    with parallel_pool.make(drawn, num_envs=2, num_threads=1, isolation="thread") as pool:
        store = pool._config.python.serializer
        pool.reset(options={"at": 1})
        pool.call("shifted", 1.0)
        with pytest.raises(parallel_pool.EnvAccessError):
            pool.call("shifted")
        pool.set_attr("friction", [0.0, None])
        with pytest.raises(EnvError):
            pool.step([0, 0])
        assert store._values == {}
        assert store._answers == {}
