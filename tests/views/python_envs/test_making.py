"""From an id, a factory, a spec or a pickle to a pool of Python environments, or to the reason why not."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium import spaces
from parallel_pool import EnvBuildError, OptionError, PluginError, ThreadPool, UnknownEnvError
from test_envs.checks import refused
from test_envs.programs import python
from test_envs.python_envs import Make, Rich


@pytest.mark.parametrize("kind", ["process", "thread"])
def test_as_many_workers_as_are_of_use(kind: str) -> None:
    from parallel_pool.threads.cpu_budget import share_of_cpus
    from parallel_pool.workers.python_envs.choose_workers import WORKERS_PER_CPU

    def workers(**arguments: Any) -> Any:
        spec = parallel_pool.make_spec("gym:CartPole-v1", isolation=kind, **arguments)
        return spec.config.num_threads

    most = WORKERS_PER_CPU[kind] * share_of_cpus()
    assert workers(num_envs=2) == 2
    assert workers(num_envs=4096, batch_size=1) == most
    assert workers(num_envs=4096, num_threads=3) == 3
    assert workers(num_envs=4096, num_threads=0) == most


class Slashed(Rich):
    observation_space = spaces.Dict({"a/b": spaces.Discrete(2)})  # type: ignore[assignment]


class Half(Rich):
    observation_space = spaces.Box(0, 1, (2,), np.float16)  # type: ignore[assignment]


@pytest.mark.parametrize(("kind", "message"), [(Slashed, r"key 'a/b'"), (Half, r"dtype float16")])
def test_spaces_that_no_pool_can_hold(kind: type[Rich], message: str) -> None:
    gymnasium.register(f"Unfit{kind.__name__}-v0", kind)
    with pytest.raises(OptionError, match=message):
        parallel_pool.make(f"gym:Unfit{kind.__name__}-v0")


class Alone(Rich):
    """One in each process, as some emulators are."""

    alive = 0

    def __init__(self) -> None:
        super().__init__()
        if Alone.alive:
            raise RuntimeError("cannot create multiple instances per process")
        Alone.alive = 1

    def close(self) -> None:
        Alone.alive = 0


gymnasium.register("Alone-v0", Alone)


def test_libraries_with_one_environment_per_process() -> None:
    ways = {
        "process": "process: num_threads=num_envs",
        "thread": "isolation='process', num_threads",
    }
    for isolation, way in ways.items():
        with pytest.raises(EnvBuildError, match=rf"(?s)multiple instances.*made 1 before.*{way}"):
            parallel_pool.make("gym:Alone-v0", num_envs=2, num_threads=1, isolation=isolation)
    with parallel_pool.make("gym:Alone-v0", num_envs=2, num_threads=2, isolation="process") as pool:
        pool.reset()


FORKING = """
import os, warnings, gymnasium, parallel_pool
warnings.simplefilter("ignore", DeprecationWarning)  # of forks with threads
class Forking(gymnasium.Env):
    observation_space = action_space = gymnasium.spaces.Discrete(2)
    def __init__(self, when):
        if when == "made": os.fork()
        self.when = when
    def close(self):
        if self.when == "closed": os.fork()
gymnasium.register("Forking-v0", Forking)
for when in ("made", "closed"):
    parallel_pool.make_spec("gym:Forking-v0", when=when)
    print(when, "goes on", flush=True)
"""


def test_children_that_environments_fork_are_not_the_program() -> None:
    assert python("-c", FORKING).splitlines() == ["made goes on", "closed goes on"]


def test_a_factory_of_the_program_is_not_reinstalled() -> None:
    spec = parallel_pool.EnvSpec("python/NoFactory-v0", backend="python")
    parallel_pool.register(spec, factory=lambda spec, options: {}["fuel"])
    with pytest.raises(PluginError, match=r"'fuel'\. Mend what was given to parallel_pool\.regis"):
        parallel_pool.make(spec.id)


def test_what_cannot_be_made_says_why() -> None:
    with pytest.raises(UnknownEnvError, match="gym:CartPool-v1"):
        parallel_pool.make("gym:CartPool-v1")
    with pytest.raises(OptionError, match=r"gym:CartPole-v1 cannot be made.*gravity"):
        parallel_pool.make("gym:CartPole-v1", gravity=9.8)
    with pytest.raises(OptionError, match="num_threads"):
        parallel_pool.make("gym:CartPole-v1", num_threads=-1)
    with refused(OptionError, "5 entries of env_options", "num_envs is 3"):
        parallel_pool.make("gym:Pendulum-v1", num_envs=3, env_options={"g": [1, 2, 3, 4, 5]})
    with ThreadPool(1) as threads, refused(OptionError, "Python environment", "thread_pool"):
        parallel_pool.make("gym:Pendulum-v1", thread_pool=threads)


@pytest.mark.parametrize("task_id", ["OnlyThere-v3", "onlythere-v3", "OnlyThere-v2", "OnlyThere"])
def test_an_id_of_gymnasium_alone_names_its_prefix(
    task_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(gymnasium.registry, "OnlyThere-v3", gymnasium.spec("CartPole-v1"))
    with pytest.raises(UnknownEnvError, match=r"make\('gym:OnlyThere-v3'\)") as caught:
        parallel_pool.make(task_id)
    assert caught.value.suggestions == ("gym:OnlyThere-v3",)


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
