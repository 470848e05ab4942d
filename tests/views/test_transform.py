"""Observations and rewards made ready for a learner: equal to Gymnasium's wrappers around the same pool."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import parallel_pool
import pytest
from gymnasium.wrappers import vector as wrappers
from gymnasium.wrappers.utils import RunningMeanStd
from parallel_pool.errors import OptionError
from parallel_pool.pool_errors import REFUSALS
from test_envs.checks import refused
from test_envs.pools import begun
from views.twins import with_and_without

BOTH = {"normalize_obs": True, "normalize_reward": True}


def played(envs: Any, steps: int = 120, seed: int = 4) -> list[npt.NDArray[Any]]:
    """The observations and the rewards of some steps after each of two resets."""
    envs.action_space.seed(0)
    rows = []
    for reset in range(2):
        envs.reset(seed=seed + reset)
        for _ in range(steps):
            obs, reward, *_ = envs.step(envs.action_space.sample())
            rows.append((obs.copy(), reward.copy()))
    return [np.stack(column) for column in zip(*rows, strict=True)]


def as_wrapped(
    task_id: str, transform: dict[str, Any], wrap: Any, tolerance: float = 0.0, **options: Any
) -> list[npt.NDArray[Any]]:
    """What a pool with `transform` gives, and one without gives in Gymnasium's wrappers."""
    arguments = {"seed": 1, "max_episode_steps": 30, **options}
    with parallel_pool.make(task_id, transform=transform, **arguments) as envs:
        ours = played(envs)
    with parallel_pool.make(task_id, **arguments) as envs:
        theirs = played(wrap(envs))
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.dtype == other.dtype
        np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance)
    return ours


@pytest.mark.parametrize("num_envs", [1, 5, 300])
def test_normalized_observations_are_gymnasiums_to_the_last_bit(num_envs: int) -> None:
    """float64 observations, and the batch is summed as numpy does it."""
    transform = {"normalize_obs": True}
    wrap = wrappers.NormalizeObservation
    obs, _ = as_wrapped("InvertedPendulum-v5", transform, wrap, num_envs=num_envs)
    assert obs.dtype == np.float32


def test_of_float32_observations_the_statistics_are_kept_in_float64() -> None:
    """Gymnasium's are float32, so they differ by its rounding."""
    transform = {"normalize_obs": True}
    as_wrapped("CartPole-v1", transform, wrappers.NormalizeObservation, 2e-5, num_envs=7)


@pytest.mark.parametrize("task_id", ["CartPole-v1", "Pendulum-v1"])
@pytest.mark.parametrize("num_envs", [1, 6, 300])
def test_normalized_rewards_are_gymnasiums_to_the_last_bit(num_envs: int, task_id: str) -> None:
    """Where the wrapper begins anew at every end, by a termination or by the limit: with SAME_STEP."""
    transform = {"normalize_reward": True, "gamma": 0.9}
    made: dict[str, Any] = {"num_envs": num_envs, "autoreset_mode": "SameStep"}
    _, reward = as_wrapped(
        task_id, transform, lambda envs: wrappers.NormalizeReward(envs, gamma=0.9), **made
    )
    assert len(np.unique(reward)) > 10


def test_all_of_it_together() -> None:
    def wrap(envs: Any) -> Any:
        envs = wrappers.NormalizeReward(wrappers.NormalizeObservation(envs))
        clipped = wrappers.TransformObservation(envs, lambda obs: np.clip(obs, -1.5, 1.5))
        return wrappers.ClipReward(clipped, -0.4, 0.5)

    transform = {"normalize_obs": True, "clip_obs": 1.5}
    transform |= {"normalize_reward": True, "clip_reward": (-0.4, 0.5)}
    obs, _ = as_wrapped("InvertedPendulum-v5", transform, wrap, num_envs=5)
    assert obs.max() == 1.5


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("task_id", ["CartPole-v1", "Pendulum-v1"])
def test_discounted_sums_begin_anew_at_every_end(task_id: str, mode: str) -> None:
    """Of all modes: each row's divisor is the deviation of the sums of the episodes so far."""
    arguments: dict[str, Any] = {"num_envs": 5, "seed": 3, "autoreset_mode": mode}
    arguments["max_episode_steps"] = 12
    transform = {"normalize_reward": True, "gamma": 0.95}
    sums, counted = np.zeros(5, np.float32), RunningMeanStd(shape=())
    with begun(*with_and_without(task_id, transform, **arguments)) as (ours, plain):
        over, ends = np.zeros(5, np.bool_), 0
        for _ in range(100):
            if mode == "Disabled" and over.any():
                for envs in (ours, plain):
                    envs.reset(options={"reset_mask": over})
                over[:] = False
            action = np.stack([plain.single_action_space.sample() for _ in range(5)])
            reward = ours.step(action)[1]
            _, raw, terminated, truncated, _ = plain.step(action)
            stepped = ~over if mode == "NextStep" else np.ones(5, np.bool_)
            sums[stepped] = (sums * np.float32(0.95) * ~terminated + raw)[stepped]
            if stepped.any():
                counted.update(sums[stepped])
            np.testing.assert_allclose(reward, raw / np.sqrt(counted.var + 1e-8), rtol=1e-6)
            over = terminated | truncated
            sums[over] = 0
            ends += int(over.sum())
        assert ends > 30


@pytest.mark.parametrize(
    ("dtype", "task_id"), [("float16", "Ant-v5"), ("float32", "Ant-v5"), ("uint8", "Pong-v5")]
)
def test_other_dtypes_are_a_cast(dtype: str, task_id: str) -> None:
    ours, theirs = with_and_without(task_id, {"obs_dtype": dtype}, num_envs=2)
    with ours, theirs:
        obs, want = ours.reset()[0], theirs.reset()[0]
        assert obs.dtype == ours.single_observation_space.dtype == dtype
        np.testing.assert_array_equal(obs, want.astype(dtype))


@pytest.mark.parametrize("env_type", ["gym", "gymnasium", "dm"])
def test_every_view_and_its_spaces(env_type: str) -> None:
    transform = {"normalize_obs": True, "clip_obs": 3.0, "scale_reward": -2.0}
    arguments: dict[str, Any] = {"env_type": env_type, "num_envs": 3, "max_episode_steps": 9}
    with begun(*with_and_without("CartPole-v1", transform, **arguments)) as (ours, plain):
        for _ in range(20):
            mine, other = ours.step(np.ones(3, int)), plain.step(np.ones(3, int))
            reward, expected = mine[1], other[1]
            assert reward.dtype == expected.dtype
            np.testing.assert_array_equal(reward, expected * -2)
        if env_type == "dm":
            obs, spec = mine.observation.obs, ours.observation_spec().obs
            assert (spec.minimum.min(), spec.maximum.max()) == (-3, 3)
            spec.validate(obs[0])
        else:
            obs = mine[0]
            space = ours.spec.observation_space
            assert space == gymnasium.spaces.Box(-3, 3, (4,), np.float32)
            assert space.contains(obs[0])
        assert ours.obs_statistics.count == pytest.approx(3 * 21, abs=0.001)
        assert ours.config["transform"]["clip_obs"] == 3.0
        assert ours.reward_statistics is None


@pytest.mark.parametrize("refusal", [-1, 3, 2**63, [0, 0], [0.5], 0])
def test_a_refused_reset_changes_no_sum(refusal: Any) -> None:
    def rewards(*resets: Any) -> Any:
        with parallel_pool.make(
            "Pendulum-v1", num_envs=3, transform={"normalize_reward": True}
        ) as envs:
            envs.reset(seed=1)
            envs.step(np.ones((3, 1), np.float32))
            envs.send(np.ones((3, 1), np.float32))  # environment 0 has a result on its way
            for env_id in resets:
                with pytest.raises(REFUSALS, match="env"):
                    envs.async_reset(env_id)
            return envs.recv()[1].tolist()

    assert rewards(refusal) == rewards()


def test_last_observations_are_normalized_but_not_counted() -> None:
    arguments: dict[str, Any] = {"num_envs": 4, "autoreset_mode": "SameStep"}
    pools = with_and_without("CartPole-v1", {"normalize_obs": True}, **arguments)
    with begun(*pools) as (ours, plain):
        ended = 0
        for step in range(40):
            *_, info = ours.step(np.ones(4, int))
            *_, known = plain.step(np.ones(4, int))
            statistics = ours.obs_statistics
            assert statistics.count == pytest.approx(4 * (step + 2), abs=0.001)
            for env in np.flatnonzero(known["_final_obs_dense"]):
                last = known["final_obs"][env]
                expected = (last - statistics.mean) / np.sqrt(statistics.var + 1e-8)
                np.testing.assert_array_equal(info["final_obs"][env], expected.astype(np.float32))
                np.testing.assert_array_equal(info["final_obs_dense"][env], info["final_obs"][env])
                ended += 1
        assert ended > 5


def test_asynchronous_batches_are_counted_row_by_row() -> None:
    with parallel_pool.make(
        "CartPole-v1",
        num_envs=6,
        batch_size=2,
        seed=0,
        transform=BOTH,
    ) as envs:
        envs.async_reset()
        for _ in range(50):
            obs, _, _, _, info = envs.recv()
            assert obs.shape == (2, 4)
            envs.send(np.zeros(2, int), info["env_id"])
        assert envs.obs_statistics.count == pytest.approx(100, abs=0.001)
        assert 50 < envs.reward_statistics.count < 100  # resets do not count


def test_of_a_dict_every_array_has_statistics_of_its_own() -> None:
    with parallel_pool.make(
        "dmc/cartpole-swingup", num_envs=2, seed=0, transform={"normalize_obs": True}
    ) as envs:
        obs, _ = envs.reset()
        statistics = envs.obs_statistics
        assert statistics.keys() == obs.keys()
        for key, rows in obs.items():
            assert rows.dtype == np.float32
            assert statistics[key].mean.shape == rows.shape[1:]
            np.testing.assert_allclose(rows.mean(axis=0), 0, atol=0.01)


def test_frozen_for_an_evaluation() -> None:
    with begun(parallel_pool.make("Pendulum-v1", num_envs=3, seed=0, transform=BOTH)) as envs:
        for _ in range(10):
            envs.step(np.zeros((3, 1)))
        kept = pickle.loads(pickle.dumps(envs.obs_statistics))
        for statistics in (envs.obs_statistics, envs.reward_statistics):
            statistics.frozen = True
            assert statistics.frozen
        before = envs.reward_statistics.count
        for _ in range(10):
            envs.step(np.zeros((3, 1)))
        assert envs.obs_statistics.count == kept.count
        assert envs.reward_statistics.count == before
        np.testing.assert_array_equal(envs.obs_statistics.mean, kept.mean)
        envs.obs_statistics.frozen = False
        envs.step(np.zeros((3, 1)))
        assert envs.obs_statistics.count == kept.count + 3


def test_saved_with_the_states() -> None:
    with begun(parallel_pool.make("Pendulum-v1", num_envs=3, seed=0, transform=BOTH)) as envs:
        for _ in range(7):
            envs.step(np.ones((3, 1)))
        with pickle.loads(envs.pickled(include_state=True)) as again:
            for _ in range(7):
                ours, theirs = again.step(np.ones((3, 1))), envs.step(np.ones((3, 1)))
                np.testing.assert_array_equal(ours[0], theirs[0])
                np.testing.assert_array_equal(ours[1], theirs[1])
        with pickle.loads(pickle.dumps(envs)) as fresh:
            assert fresh.obs_statistics.count == pytest.approx(0, abs=0.001)


def test_merged_across_pools() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(3, 2, (90, 4))
    known = []
    for part in (rows[:20], rows[20:]):
        each = parallel_pool.RunningStatistics((4,))
        each.mean[...], each.var[...] = part.mean(axis=0), part.var(axis=0)
        each._count[...] = len(part)
        known.append(each)
    known[0].merge(known[1])
    np.testing.assert_allclose(known[0].mean, rows.mean(axis=0))
    np.testing.assert_allclose(known[0].var, rows.var(axis=0))
    assert known[0].count == 90
    with pytest.raises(ValueError, match=r"shape \(2,\), these of \(4,\)"):
        known[0].merge(parallel_pool.RunningStatistics((2,)))
    with pytest.raises(ValueError, match=r"shape \(\)"):
        known[0].assign(parallel_pool.RunningStatistics())
    assert "count=90" in repr(known[0])


@pytest.mark.parametrize(
    ("task_id", "transform", "words"),
    [
        ("CartPole-v1", True, "transform is True, expected a dict"),
        (
            "CartPole-v1",
            {"normalise_obs": True},
            "transform has 'normalise_obs', expected some of flatten_obs, resize",
        ),
        ("CartPole-v1", {"normalize_obs": 2}, "normalize_obs of transform is 2, expected True or"),
        ("CartPole-v1", {"gamma": 1.5}, "gamma of transform is 1.5, expected a number in 0 .. 1"),
        ("CartPole-v1", {"epsilon": 0}, "epsilon of transform is 0, expected a number more than 0"),
        ("CartPole-v1", {"clip_reward": (1, -1)}, "is (1, -1), expected (low, high)"),
        ("CartPole-v1", {"obs_dtype": "float8"}, "is 'float8', expected one of float32"),
        ("CartPole-v1", {"obs_dtype": "uint8"}, "the observation is in -inf .. inf, and"),
        ("CartPole-v1", {"clip_obs": 1.0}, "add normalize_obs=True"),
        ("CartPole-v1", {"channels": "last"}, "has shape (4,), of which no axis"),
        (
            "CartPole-v1",
            {"frame_stack": 0},
            "frame_stack of transform is 0, expected an integer in",
        ),
        ("CartPole-v1", {"resize": (2, 2)}, "no observation is an 8-bit picture"),
        ("CartPole-v1", {"resize": 84}, "expected (height, width) of 1 to 16384"),
        ("CartPole-v1", {"resize": (0, 84)}, "expected (height, width) of 1 to 16384"),
        ("Taxi-v3", {"normalize_obs": True}, "no observation is a Box"),
        ("Taxi-v3", {"flatten_obs": True}, "is of kind discrete, no Box: leave flatten_obs out"),
        ("TwoPlayerPong-v0", {"normalize_obs": True}, "this one has up to 2"),
    ],
)
def test_what_is_not_possible_is_named(task_id: str, transform: Any, words: str) -> None:
    with refused(OptionError, words):
        parallel_pool.make(task_id, transform=transform)


def test_pictures_of_scenes_are_not_to_be_normalized() -> None:
    with refused(
        OptionError, "pictures (from_pixels), of which transform can only choose the axis"
    ):
        parallel_pool.make("Ant-v5", from_pixels=True, transform={"normalize_obs": True})
