"""Adapters of pools whose results are tensors on a device, by a stand-in that numpy cannot read."""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_envs.checks import refused
from test_envs.libraries import needed

torch = needed("torch")

import parallel_pool  # noqa: E402
from learners.tensors.late_device import Late  # noqa: E402
from parallel_pool.errors import OptionError  # noqa: E402
from parallel_pool.tensors import output  # noqa: E402
from parallel_pool_learning import BatchLog, PlayerRows, ReplayedPool  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


class Away(torch.Tensor):  # type: ignore[misc, name-defined]
    """A tensor that says it is on a GPU. So is what is computed from it; only `cpu` brings it back."""

    device = property(lambda _: torch.device("cuda", 0))

    def cpu(self) -> Any:
        return self.as_subclass(torch.Tensor)

    def numpy(self, **_: Any) -> Any:
        raise TypeError("it is on a GPU")

    __array__ = numpy


class Far(Late):
    """Results there are `Away`."""

    def start(self, sources: list[Any]) -> tuple[list[Any], Any]:
        moved, done = super().start(sources)
        return [each.as_subclass(Away) for each in moved], done


@pytest.fixture(autouse=True)
def _device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "Cuda", lambda _: Far(at_once=True))


THERE: dict[str, Any] = {"output": "torch", "device": "cuda"}
ACTIONS = torch.tensor([[0, 1, 1], [1, 1, 0]] * 10)


def of_torchrl(pool: Any) -> list[Any]:
    env = importlib.import_module("parallel_pool_learning.torchrl").TorchRLEnv(
        pool, categorical_action_encoding=True, device="cpu"
    )
    actions = iter(ACTIONS)
    rollout = env.rollout(20, lambda td: td.set("action", next(actions)), break_when_any_done=False)
    return [rollout["observation"], *rollout["next"].values()]


def of_skrl(pool: Any) -> list[Any]:
    module = importlib.import_module("parallel_pool_learning.skrl")
    env, rows, seen = module.wrap_env(pool), [], []
    env._seed = 3  # skrl's own of the first reset, if there is none
    agent = type("Agent", (), {"record_transition": lambda _, **given: seen.append(given)})()
    module.bootstrap_from_final_obs(agent, env)
    rows.append(env.reset()[0])
    for action in ACTIONS:
        obs, reward, terminated, truncated, infos = env.step(action[:, None])
        rows += [obs, reward, terminated, truncated]
        agent.record_transition(next_observations=obs, truncated=truncated, infos=infos)
    return rows + [given["next_observations"] for given in seen] + [env.reset()[0]]


def of_rl_games(pool: Any) -> list[Any]:
    module = importlib.import_module("parallel_pool_learning.rl_games")
    env = module.RLGamesVecEnv(pool)
    rows = [env.reset()]
    for action in ACTIONS:
        *columns, infos = env.step(action if pool.definition.arguments.device else action.numpy())
        rows += [*columns, infos["time_outs"]]
    return rows


@pytest.mark.parametrize(
    ("played", "mode"),
    [(of_torchrl, "Disabled"), (of_skrl, "SameStep"), (of_rl_games, "SameStep")],
)
@pytest.mark.parametrize("task_id", ["CartPole-v1", "Pong-v5"])
def test_results_stay_on_the_device(played: Callable[[Any], Any], mode: str, task_id: str) -> None:
    """They are those of arrays, with the same dtypes."""
    needed(played.__name__.removeprefix("of_"))
    made = [
        parallel_pool.make(
            task_id, num_envs=3, autoreset_mode=mode, seed=3, max_episode_steps=8, **options
        )
        for options in (THERE, {})
    ]
    for there, here in zip(*map(played, made), strict=True):
        assert type(there) is Away
        assert there.cpu().dtype == torch.as_tensor(here).dtype
        assert torch.equal(there.cpu(), torch.as_tensor(here))
    for pool in made:
        pool.close()


@pytest.mark.parametrize(
    ("name", "make"),
    [("sb3", "make_vec_env"), ("tianshou", "make_vector_env"), ("cleanrl", "make_vec_env")],
)
def test_who_keeps_arrays_refuses_tensors(name: str, make: str) -> None:
    module = importlib.import_module(f"parallel_pool_learning.{name}")
    with refused(
        OptionError, "keeps arrays of numpy", "leave out output='torch' and device='cuda'"
    ):
        getattr(module, make)("CartPole-v1", 2, **THERE)


def test_players_and_replays_refuse_tensors_too() -> None:
    modes = {"autoreset_mode": "SameStep", "output": "torch"}
    with (
        parallel_pool.make("TwoPlayerPong-v0", num_envs=2, **modes) as players,
        refused(OptionError, "a pool of rows keeps arrays", "leave out output='torch'"),
    ):
        PlayerRows(players)
    log = BatchLog()
    with parallel_pool.make("CartPole-v1", num_envs=2, output="torch") as pool:
        pool.async_reset()
        log.note(pool.recv())
        assert isinstance(log.batches[0], np.ndarray)
        with refused(OptionError, "a replay keeps arrays"):
            ReplayedPool(pool, log)
