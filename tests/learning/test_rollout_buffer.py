"""A rollout has what the pool gave, step for step, and advantages that end where episodes do."""

import signal
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import parallel_pool
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from learning.test_advantages import GAMMA, LAMBDA, plain
from parallel_pool.errors import OptionError
from parallel_pool_learning import RolloutBuffer

T, N = 50, 6


def critic(obs: Any) -> npt.NDArray[np.float32]:
    return np.asarray(np.asarray(obs).reshape(len(obs), -1).sum(axis=1) * 0.1, np.float32)


def pool(mode: str, **options: Any) -> Any:
    return parallel_pool.make(
        "CartPole-v1", num_envs=N, seed=3, autoreset_mode=mode, max_episode_steps=25, **options
    )


def actions(seed: int, rollouts: int = 1) -> npt.NDArray[np.int64]:
    return np.random.default_rng(seed).integers(0, 2, (rollouts * T, N))


def rolled(buffer: RolloutBuffer, rows: npt.NDArray[np.int64]) -> Any:
    for row in rows:
        value = critic(buffer.obs)
        buffer.step(row, value[:, None], log_prob=value * 2)
    return buffer.finish(critic)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_two_rollouts_equal_the_steps_of_a_vector_env_of_gymnasium(mode: str) -> None:
    theirs = SyncVectorEnv(
        [lambda: gymnasium.make("CartPole-v1", max_episode_steps=25)] * N,
        autoreset_mode=AutoresetMode(mode),
    )
    obs, _ = theirs.reset(seed=5)
    with pool(mode) as envs:
        buffer = RolloutBuffer(envs, T, gamma=GAMMA, gae_lambda=LAMBDA)
        buffer.reset(seed=5)
        before = np.zeros(N, bool)
        lengths: list[int] = []
        running = np.zeros(N, int)
        for rows in np.split(actions(0, 2), 2):
            rollout = rolled(buffer, rows)
            kept: list[tuple[Any, ...]] = []
            for row in rows:
                following, reward, terminated, truncated, info = theirs.step(row)
                ended = terminated | truncated
                last = following.copy()
                for env in np.flatnonzero(ended) if mode == "SameStep" else ():
                    last[env] = info["final_obs"][env]
                valid = ~before if mode == "NextStep" else np.ones(N, bool)
                kept.append((obs, row, reward, terminated, truncated, valid, critic(last)))
                obs, before = following, ended
                running += valid
                lengths += running[ended].tolist()
                running[ended] = 0
            columns = [np.stack(each) for each in zip(*kept, strict=True)]
            names = ("obs", "actions", "rewards", "terminated", "truncated", "valid")
            for name, column in zip(names, columns[:-1], strict=True):
                assert (getattr(rollout, name) == column).all(), name
            _, _, rewards, terminated, truncated, valid, next_values = columns
            values = np.stack([critic(each) for each in columns[0]])
            assert (rollout.values == values).all()
            assert (rollout.extras["log_prob"] == values * 2).all()
            expected = plain(rewards, values, next_values, terminated, truncated, valid)
            np.testing.assert_allclose(rollout.advantages, expected, rtol=1e-5, atol=1e-5)
            np.testing.assert_array_equal(rollout.returns, rollout.advantages + rollout.values)
            count = len(rollout.episodes["length"])
            assert count > 5
            assert rollout.episodes["length"].tolist() == lengths[:count]
            assert rollout.episodes["return"].tolist() == lengths[:count]  # 1 a step
            del lengths[:count]
        assert not lengths
    theirs.close()


def test_minibatches_have_every_valid_step_once() -> None:
    with pool("NextStep") as envs:
        buffer = RolloutBuffer(envs, T)
        buffer.reset()
        rollout = rolled(buffer, actions(1))
        batches = list(rollout.minibatches(64, np.random.default_rng(0)))
        assert [len(each["obs"]) for each in batches[:-1]] == [64] * (len(batches) - 1)
        together = np.concatenate([each["obs"] for each in batches])
        expected = rollout.obs[rollout.valid]
        assert len(together) == rollout.valid.sum() < T * N
        assert (np.sort(together, axis=0) == np.sort(expected, axis=0)).all()
        assert {"obs", "actions", "values", "advantages", "returns", "log_prob"} == set(batches[0])
        assert (batches[0]["log_prob"] == critic(batches[0]["obs"]) * 2).all()
        with pytest.raises(ValueError, match="size is 0"):
            next(rollout.minibatches(0, np.random.default_rng(0)))


@pytest.mark.parametrize("name", ["obs", "actions", "values", "advantages", "returns"])
def test_extras_replace_no_column_of_the_learner(name: str) -> None:
    with pool("NextStep") as envs:
        buffer = RolloutBuffer(envs, T)
        buffer.reset()
        with pytest.raises(OptionError, match=f"'{name}' would replace the rollout's own {name}"):
            buffer.step(np.zeros(N, int), np.zeros(N), **{name: np.full(N, 777)})
        rollout = rolled(buffer, actions(1))
        with pytest.raises(OptionError, match=f"'{name}' would replace"):
            next(
                replace(rollout, extras={name: rollout.obs}).minibatches(4, np.random.default_rng())
            )


def test_observations_that_are_dicts_and_wrappers_around_the_pool() -> None:
    with parallel_pool.make("dmc/cartpole-swingup", num_envs=3, seed=1) as envs:
        wrapped = gymnasium.wrappers.vector.ClipReward(envs, 0.0, 0.01)
        buffer = RolloutBuffer(wrapped, 4)
        first = buffer.reset(seed=2)
        assert {key: each.shape[0] for key, each in first.items()} == dict.fromkeys(first, 3)
        for _ in range(4):
            buffer.step(np.ones((3, 1)), np.zeros(3))
        rollout = buffer.finish(lambda obs: np.zeros(len(next(iter(obs.values())))))
        assert rollout.rewards.max() <= np.float32(0.01)
        again, _ = envs.reset(seed=2)
        for step in range(4):
            for key, each in again.items():
                assert (rollout.obs[key][step] == each).all()
            again, *_ = envs.step(np.ones((3, 1)))


@pytest.mark.parametrize("output", ["numpy", "jax"])
def test_the_next_rollout_overwrites_the_last_one_but_no_arrays_of_jax(output: Any) -> None:
    zeros = np.zeros if output == "numpy" else pytest.importorskip("jax.numpy").zeros
    with pool("SameStep") as envs:
        buffer = RolloutBuffer(envs, T, output=output)
        buffer.reset(seed=0)
        rollout = rolled(buffer, actions(2))
        first, last = np.array(rollout.obs[0]), np.array(buffer.obs)
        assert (first != last).any()
        buffer.step(zeros(N, int), zeros(N))
        np.testing.assert_array_equal(rollout.obs[0], last if output == "numpy" else first)


def test_a_signal_loses_no_step() -> None:
    """Interrupted while the pool steps, and while the answer is taken in."""

    class Slow(RolloutBuffer):
        interrupt = False

        def _keep(self) -> None:
            if self.interrupt:
                self.interrupt = False
                signal.raise_signal(signal.SIGINT)
            super()._keep()

    def run(*, interrupt: bool) -> Any:
        with pool("SameStep") as envs:
            buffer = Slow(envs, T)
            buffer.reset(seed=0)
            for number, row in enumerate(actions(3)):
                buffer.interrupt = interrupt and number % 7 == 0
                if buffer.interrupt:
                    with pytest.raises(KeyboardInterrupt):
                        buffer.step(row, np.zeros(N))
                    with pytest.raises(OptionError, match="call recv"):
                        buffer.step(row, np.zeros(N))
                    buffer.recv()
                else:
                    buffer.step(row, np.zeros(N))
            return buffer.finish(critic).obs.copy()

    assert (run(interrupt=True) == run(interrupt=False)).all()


def test_arguments_that_do_not_fit_are_named() -> None:
    with pool("NextStep") as envs:
        buffer = RolloutBuffer(envs, 2)
        buffer.reset(seed=1)
        with pytest.raises(
            ValueError, match=r"value has shape \(5,\), expected one row for each of 6"
        ):
            buffer.step(np.zeros(N, int), np.zeros(5))
        with pytest.raises(ValueError, match=r"action has shape \(6, 1\), expected \(6,\)"):
            buffer.step(np.zeros((N, 1), int), np.zeros(N))
        with pytest.raises(TypeError, match="Cannot cast"):
            buffer.step(np.zeros(N), np.zeros(N))
        with pytest.raises(TypeError, match=r"masked array.*\.filled"):
            buffer.step(np.ma.masked_array(np.zeros(N, int), mask=True), np.zeros(N))
        buffer.step(np.zeros(N, int), np.zeros(N), log_prob=np.zeros(N))
        with pytest.raises(OptionError, match=r"\['entropy'\].*\['log_prob'\]"):
            buffer.step(np.zeros(N, int), np.zeros(N), entropy=np.zeros(N))
        buffer.step(np.zeros(N, int), np.zeros(N), log_prob=np.zeros(N))
        with pytest.raises(OptionError, match=r"call finish\(\)"):
            buffer.step(np.zeros(N, int), np.zeros(N), log_prob=np.zeros(N))
        with pytest.raises(ValueError, match=r"critic\(\) gives has shape \(2,\)"):
            buffer.finish(lambda obs: np.zeros(2))
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"num_steps": 0}, "num_steps is 0"),
            ({"num_steps": True}, "num_steps is True, expected an integer"),
            ({"num_steps": 2**40}, f"num_steps is {2**40}, and there is no memory"),
            ({"gamma": "1"}, "gamma is '1'"),
            ({"gamma": 1.5}, r"gamma is 1\.5"),
        ]
        for arguments, message in wrong:
            with pytest.raises(OptionError, match=message):
                RolloutBuffer(envs, **{"num_steps": 1, **arguments})
        with pytest.raises(ValueError, match="output is 'tensor'"):
            RolloutBuffer(envs, 1, output="tensor")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="numpy has none"):
            RolloutBuffer(envs, 1, device="cuda")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"autoreset_mode": "Disabled"}, "SameStep"),
        ({"num_envs": 4, "batch_size": 2}, "leave batch_size out"),
        ({"env_type": "gym"}, "env_type='gymnasium'"),
    ],
)
def test_pools_that_do_not_fit_are_refused(arguments: dict[str, Any], message: str) -> None:
    with (
        parallel_pool.make("CartPole-v1", **arguments) as envs,
        pytest.raises(OptionError, match=message),
    ):
        RolloutBuffer(envs, 8)


def test_tensors_share_the_memory_of_the_buffer() -> None:
    torch = pytest.importorskip("torch")
    with pool("SameStep") as envs:
        buffer = RolloutBuffer(envs, T, output="torch")
        obs = buffer.reset(seed=0)
        assert isinstance(obs, torch.Tensor)
        for row in actions(4):
            value = torch.tensor(critic(buffer.obs), requires_grad=True)
            buffer.step(torch.tensor(row), value, log_prob=value.to(torch.bfloat16))
        rollout = buffer.finish(lambda obs: torch.zeros(len(obs), 1))
        assert rollout.obs.data_ptr() == obs.data_ptr()
        assert rollout.advantages.dtype == torch.float32
        assert not rollout.values.requires_grad
        batch = next(rollout.minibatches(32, np.random.default_rng(0)))
        assert batch["obs"].shape == (32, 4)
        assert batch["log_prob"].dtype == torch.float32
