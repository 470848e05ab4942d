"""Ids and options of the family."""

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError


@pytest.mark.parametrize(
    "task_id", ["LunarLander-v3", "LunarLanderContinuous-v3", "LunarLander-v2"]
)
@pytest.mark.parametrize("continuous", [False, True])
def test_continuous_chooses_the_actions(task_id: str, continuous: bool) -> None:
    with parallel_pool.make(task_id, num_envs=2, continuous=continuous) as envs:
        assert envs.single_action_space.shape == ((2,) if continuous else ())
        envs.reset(seed=0)
        assert envs.spec.id == f"box2d/{task_id.replace('v2', 'v3')}"
        assert envs.spec.kwargs["continuous"] == continuous


@pytest.mark.parametrize("continuous", [None, 1.0, "yes", [True, False], np.array([True])])
def test_what_chooses_nothing_is_refused(continuous: object) -> None:
    with pytest.raises(OptionError, match=r"'continuous' is .*, expected True or False"):
        parallel_pool.make("LunarLander-v3", num_envs=2, continuous=continuous)


def test_a_pool_has_actions_of_one_kind() -> None:
    for ids, both in (
        ("CarRacing-v3", {"env_options": {"continuous": [True, False]}}),
        (["LunarLander-v3", "LunarLanderContinuous-v3"], {}),
    ):
        with pytest.raises(OptionError, match="differ in their action: "):
            parallel_pool.make(ids, **both)


@pytest.mark.parametrize("gravity", [0.0, -12.0, 3.0, float("nan")])
def test_gravity_is_as_gymnasium_wants_it(gravity: float) -> None:
    with pytest.raises(OptionError, match="gravity"):
        parallel_pool.make("LunarLander-v3", gravity=gravity)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_strongest_wind_makes_numbers(sign: int) -> None:
    names = ("wind_power", "turbulence_power")
    strong = dict.fromkeys(names, sign * 1e20)
    with parallel_pool.make(
        "LunarLander-v3", num_envs=8, seed=0, enable_wind=True, **strong
    ) as envs:
        envs.reset()
        for _ in range(200):
            obs, reward, *_ = envs.step(envs.action_space.sample())
            assert np.isfinite(obs).all()
            assert np.isfinite(reward).all()
    for name in names:
        for beyond in (sign * 1e21, sign * float("inf")):
            with pytest.raises(
                OptionError, match=rf"'{name}' is .*, expected a number in -1e\+20 \.\. 1e\+20"
            ):
                parallel_pool.make("LunarLander-v3", **{name: beyond})


def test_limits_and_thresholds() -> None:
    walkers = ("BipedalWalker", "BipedalWalkerHardcore")
    for name in ("LunarLander", "LunarLanderContinuous", *walkers, "CarRacing"):
        ours, theirs = parallel_pool.make_spec(f"{name}-v3"), gymnasium.spec(f"{name}-v3")
        assert ours.max_episode_steps == theirs.max_episode_steps
        assert ours.reward_threshold == theirs.reward_threshold


def test_colours_stay_where_they_are_wanted_to() -> None:
    def field(picture: np.ndarray) -> list[int]:
        """The most frequent colour that is not black."""
        pixels = picture[:80].reshape(-1, 3)
        colours, counts = np.unique(pixels[pixels.any(axis=1)], axis=0, return_counts=True)
        return list(colours[counts.argmax()])

    with parallel_pool.make("CarRacing-v3", num_envs=1, domain_randomize=True) as envs:
        seen = [
            field(envs.reset(seed=seed, options={"randomize": fresh})[0][0])
            for seed, fresh in ((3, True), (4, False), (4, True))
        ]
    assert seen[0] == seen[1] != seen[2]
