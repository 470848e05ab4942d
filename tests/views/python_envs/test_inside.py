"""Looking into Python environments: pictures, options of resets, methods, attributes, states."""

import pickle
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import EnvError, OptionError, WorkerCrashWarning
from test_envs.pools import begun
from test_envs.python_envs import LEAVE, Drawn, Make, same


def test_pictures_of_python_environments(make: Make, drawn: str) -> None:
    with make(drawn, num_envs=3, render_mode="rgb_array") as pool:
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
    with begun(make(drawn, "gym", num_envs=2, render_mode="ansi")) as pool:
        assert pool.render([0, 1]) == ["at 1.0", "at 1.0"]
    with (
        begun(make(drawn)) as pool,
        pytest.raises(OptionError, match="make it with render_mode='rgb_array'"),
    ):
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
    with begun(make(spec.id, num_envs=1, render_mode="rgb_array")) as pool:
        assert pool.render()[0].shape == (2, 3, 3)
        assert pool.get_attr("render_mode") == ("rgb_array",)
    assert given == [{}, {"render_mode": "rgb_array"}]


def test_options_of_a_reset_reach_python_environments(make: Make, drawn: str) -> None:
    with make(drawn, num_envs=4, seed=1) as pool:
        obs, info = pool.reset(options={"at": 3, "way": ["any", {"thing"}]})
        assert obs[:, 0].tolist() == [3, 3, 3, 3]
        assert info["options"]["at"].tolist() == [3, 3, 3, 3]
        assert info["options"]["way"][2] == ["any", {"thing"}]
        mask = np.array([False, True, False, True])
        obs, info = pool.reset(options={"at": 5, "reset_mask": mask})
        assert obs[:, 0].tolist() == [3, 5, 3, 5]
        obs, info = pool.reset(options={"at": 6, "reset_mask": np.ones(4, bool)}, seed=2)
        assert obs[:, 0].tolist() == [6, 6, 6, 6]
        assert info["options"]["at"].tolist() == [6, 6, 6, 6]
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
            with pytest.raises(parallel_pool.EnvAccessError, match=r"lock is a .*lock"):
                pool.call("lock")
        else:
            assert [each.locked() for each in pool.call("lock")] == [False] * 3
            assert [type(each) for each in pool.get_attr("unwrapped")] == [Drawn] * 3
        with pytest.raises(ValueError, match="bypass the pool"):
            pool.call("step", 0)
        with pytest.raises(ValueError, match=r"2 values of 'friction' for 3"):
            pool.set_attr("friction", [1, 2])
        pool.step([0, 0, 0])


def test_states_of_python_environments(make: Make, drawn: str) -> None:
    with begun(make(drawn, num_envs=3, num_threads=2, seed=4)) as pool:
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
    with begun(make("gym:Pickled-v0", num_envs=1)) as pool:
        with pytest.raises(parallel_pool.StateError, match="as it was made and not as it is now"):
            pool.get_state()
        pool.step([0])
