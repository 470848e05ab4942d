"""`envs.episodes`: one whole episode of each seed, and nothing beside them."""

import signal
from typing import Any

import numpy as np
import parallel_pool
import pytest
from learning.paced import DONE, paced, played_alone, widest
from parallel_pool import AlreadyPendingError, OptionError, ResetNeededError
from parallel_pool_learning.evaluating import Episodes
from parallel_pool_learning.evaluating.episodes import LostEpisodesError
from test_envs.pools import begun, register_python
from test_envs.python_envs import Lives

SEEDS = range(100, 123)
ALONE = {seed: played_alone(seed) for seed in SEEDS}


def numbers(episodes: Any) -> dict[int, tuple[float, int, int]]:
    """Return, length and fingerprint by seed, in the order in which episodes came."""
    return {each.seed: (each.return_, each.length, each.fingerprint) for each in episodes}


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize(
    ("num_envs", "batch_size", "count"),
    [(1, None, 5), (4, None, 23), (4, None, 2), (7, 3, 23), (8, 5, 3), (5, 1, 23), (9, 4, 9)],
)
def test_every_seed_is_played_once_and_nothing_else(
    mode: str, num_envs: int, batch_size: int | None, count: int
) -> None:
    seeds = SEEDS[:count]
    with paced(num_envs, batch_size=batch_size, autoreset_mode=mode, num_threads=2) as envs:
        found = list(envs.episodes(widest, seeds, rows=6))
        lengths = sum(each.length for each in found)
        assert (DONE["resets"], DONE["steps"]) == (count, lengths)
        assert all(DONE[f"seed {seed}"] == 1 for seed in seeds)
        assert [(each.seed, each.return_, each.length) for each in found] == [
            (seed, *ALONE[seed]) for seed in seeds
        ]
        assert all(each.terminated and not each.truncated for each in found)
        for call in (lambda: envs.step([0] * num_envs, range(num_envs)), envs.get_state):
            with pytest.raises(ResetNeededError, match=r"played by episodes\(\), which has ended"):
                call()
        # The pool is itself again, with its mode and its batches.
        envs.async_reset()
        result = envs.recv()
        assert len(result[0]) == (batch_size or num_envs)


def test_equal_for_any_pool() -> None:
    """Also in the order of ends, with stacked frames, in processes: to the last bit, by fingerprints."""
    pytest.importorskip("parallel_pool_classic")
    # Ends come after 33 to 99 steps, or at the limit: a better policy only plays longer.
    weights = np.random.default_rng(3).normal(size=(12, 2)).astype(np.float32)

    def policy(obs: np.ndarray) -> np.ndarray:
        assert len(obs) == 16
        return obs.reshape(16, 12) @ weights  # what each of the two actions is worth

    kinds: list[dict[str, Any]] = [
        {"num_envs": 16},
        {"num_envs": 40, "num_threads": 3, "autoreset_mode": "SameStep"},
        {"num_envs": 3, "autoreset_mode": "Disabled"},
        {"num_envs": 12, "batch_size": 5, "batch_order": "oldest"},
        {"num_envs": 9, "isolation": "process", "num_threads": 2},
    ]
    found = []
    for kind in kinds:
        how: dict[str, Any] = {"transform": {"frame_stack": 3}, "max_episode_steps": 100}
        with parallel_pool.make("CartPole-v1", **how, **kind) as envs:
            by_end = numbers(envs.episodes(policy, range(50), rows=16, order="ends"))
            assert numbers(envs.episodes(policy, range(50), rows=16)) == by_end
            found.append(by_end)
    assert all(each == found[0] for each in found)
    assert len({each[2] for each in found[0].values()}) == 50


class Remembering:
    """Acts by the number of its calls in the episode, which is its state."""

    def initial_state(self, rows: int) -> dict[str, np.ndarray]:
        return {"calls": np.zeros((rows, 1), np.int64)}

    def __call__(self, obs: np.ndarray, state: Any, begins: np.ndarray) -> Any:
        assert ((state["calls"][:, 0] == 0) == begins).all()
        return state["calls"][:, 0] % 3, {"calls": state["calls"] + 1}


class Predicting:
    """The same with the `predict` and the layout of states of Stable-Baselines3's recurrent models."""

    def predict(self, obs: Any, state: Any, episode_start: Any, deterministic: bool) -> Any:
        assert deterministic
        calls = np.zeros((1, len(obs), 2), np.int64) if state is None else state[0]
        calls = np.where(episode_start[None, :, None], 0, calls)
        return calls[0, :, 0] % 3, (calls + 1,)


@pytest.mark.parametrize("batch_size", [None, 2])
def test_states_of_policies_belong_to_environments(batch_size: int | None) -> None:
    expected = {}
    for seed in SEEDS:
        with paced(1) as envs:
            (alone,) = envs.episodes(Remembering(), [seed], record=["actions"])
        assert alone.actions.tolist() == [step % 3 for step in range(alone.length)]
        expected[seed] = alone.return_
    for policy in (Remembering(), Predicting()):
        with paced(5, batch_size=batch_size) as envs:
            found = list(envs.episodes(policy, SEEDS, rows=2))
        assert {each.seed: each.return_ for each in found} == expected


def test_a_recurrent_module_is_asked_as_other_modules() -> None:
    torch = pytest.importorskip("torch")

    class Module(torch.nn.Module, Remembering):  # type: ignore[misc,name-defined]
        def forward(self, *given: Any) -> Any:
            assert all(map(torch.is_tensor, (given[0], given[1]["calls"], given[2])))
            assert not (self.training or torch.is_grad_enabled())
            return Remembering.__call__(self, *given)

    with paced(5) as envs:
        for each in envs.episodes(Module(), SEEDS, record=["actions"]):
            assert each.actions.tolist() == [step % 3 for step in range(each.length)]


def test_what_is_recorded() -> None:
    with paced(3, render_mode="rgb_array") as envs:
        record = ["obs", "actions", "rewards", "frames"]
        found = list(envs.episodes(widest, SEEDS[:7], record=record, infos=["won", "none"]))
    for each in found:
        assert each.obs.shape == (each.length + 1, 3)
        assert (each.actions == each.obs[:-1].argmax(1)).all()
        assert each.rewards.sum() == pytest.approx(each.return_)
        # The pictures have the number of steps that are left.
        assert [frame[0, 0, 0] for frame in each.frames] == list(range(each.length, -1, -1))
        assert each.infos == {"won": bool(each.actions[-1] == 1), "none": None}


def test_states_are_those_of_the_observations() -> None:
    pytest.importorskip("parallel_pool_classic")
    policy = np.zeros
    with parallel_pool.make("CartPole-v1", num_envs=2) as envs:
        (first, _) = envs.episodes(
            lambda obs: policy(len(obs), int), [3, 4], record=["states", "obs"]
        )
        envs.set_state([1], [(first.states or [])[4]])
        obs, *_ = envs.step([0], [1])
        assert (obs[0] == first.obs[5]).all()


def test_whole_games(test_envs: None) -> None:
    """Episodes of options are lives; resets within a game have no seed, and there are no others."""

    def policy(obs: np.ndarray) -> np.ndarray:
        return np.full(len(obs), 1.0)

    for env_id in ("test/Lives-v0", "own/Lives-v0"):
        how: dict[str, Any] = {"num_envs": 3}
        if env_id == "own/Lives-v0":
            how["isolation"] = "thread"
            register_python(env_id, Lives)
        envs = parallel_pool.make(env_id, **how)
        with envs, pytest.raises(OptionError, match="episode_statistics=True"):
            envs.episodes(policy, range(4))
        for mode in ("NextStep", "SameStep", "Disabled"):
            kind = {"autoreset_mode": mode, "episode_statistics": True}
            with parallel_pool.make(env_id, **how, **kind) as envs:
                found = list(envs.episodes(policy, range(7), record=["rewards"]))
            # Two lives of three steps with 3 points, and a point for each reset.
            assert [(each.length, each.return_, each.score) for each in found] == [
                (6, 6.0, 20.0)
            ] * 7
            assert all(each.rewards.tolist() == [1.0] * 6 for each in found)
        with parallel_pool.make(env_id, **how, episode_statistics="life") as envs:
            found = list(envs.episodes(policy, range(7)))
            assert [(each.length, each.score) for each in found] == [(3, None)] * 7


def test_pools_of_several_environments_and_players() -> None:
    pytest.importorskip("parallel_pool_classic")
    tasks = ["CartPole-v1", "classic/CartPole-v0", "CartPole-v1"]

    def policy(obs: np.ndarray) -> np.ndarray:
        return (obs[:, 2] > 0).astype(np.int64)

    with parallel_pool.make(tasks, num_envs=3, max_episode_steps=60) as envs:
        found = [(each.seed, each.task, each.length) for each in envs.episodes(policy, range(6))]
    ids = ("classic/CartPole-v1", "classic/CartPole-v0")
    assert [each[:2] for each in found] == [(seed, task) for seed in range(6) for task in ids]
    for task in ids:
        with parallel_pool.make(task, num_envs=2, max_episode_steps=60) as envs:
            alone = [(each.seed, task, each.length) for each in envs.episodes(policy, range(6))]
        assert alone == [each for each in found if each[1] == task]
    options = {"g": [9.8, 1.6, 9.8]}
    with parallel_pool.make("Pendulum-v1", num_envs=3, env_options=options) as envs:
        still = list(envs.episodes(lambda obs: np.zeros((len(obs), 1)), range(3)))
        assert [each.options["g"] for each in still] == [9.8, 1.6] * 3
        assert all(each.truncated for each in still)
    with parallel_pool.make("TwoPlayerPong-v0", num_envs=4) as envs:
        for each in envs.episodes(lambda obs: np.zeros(obs.shape[:2], np.int64), range(5)):
            assert isinstance(each.return_, np.ndarray) and each.return_.shape == (2,)
            assert each.return_.sum() == 0


def test_statistics_are_frozen_or_refused() -> None:
    transform = {"normalize_obs": True, "normalize_reward": True}
    with begun(paced(2, transform=transform)) as envs:
        envs.step([0, 1])
        before = envs.obs_statistics.count, envs.reward_statistics.count
        with pytest.raises(OptionError, match="freeze=True"):
            envs.episodes(widest, SEEDS)
        first = numbers(envs.episodes(widest, SEEDS, freeze=True))
        assert numbers(envs.episodes(widest, SEEDS, freeze=True)) == first
        assert (envs.obs_statistics.count, envs.reward_statistics.count) == before
        assert not envs.obs_statistics.frozen and not envs.reward_statistics.frozen


@pytest.mark.parametrize("batch_size", [None, 2])
def test_breaking_off(batch_size: int | None) -> None:
    with paced(4, batch_size=batch_size) as envs:
        envs.async_reset()
        with pytest.raises(AlreadyPendingError):
            envs.episodes(widest, SEEDS)
        envs.recv()
        if batch_size:
            envs.recv()
        for episode in envs.episodes(widest, SEEDS):
            assert episode.seed == SEEDS[0]
            break
        with pytest.raises(ResetNeededError, match="environment 2 was played"):
            envs.step([0], [2])
        # One that is kept goes on after a break; another one ends it.
        kept = envs.episodes(widest, SEEDS, rows=3)
        assert [next(kept).seed for _ in range(3)] == [*SEEDS[:3]]
        assert len(kept) == len(SEEDS)
        assert len(list(kept)) == len(SEEDS) - 3
        first, second = (envs.episodes(widest, SEEDS) for _ in range(2))
        assert list(first) == [] and len(list(second)) == len(SEEDS)


def test_batches_of_two_sizes_and_what_others_sent() -> None:
    with paced(4, batch_size=3) as envs:
        envs.play_apart(True)
        envs.async_reset()  # batches of 3 and 1
        first = envs.recv()[-1]["env_id"]
        envs.send(np.zeros(1, int), first[:1])
        assert len(envs.recv()[0]) == 1
        with pytest.raises(AlreadyPendingError):
            envs.play_apart(False)
        envs.send(np.zeros(2, int), first[1:])
        assert len(envs.recv()[0]) == 3
        envs.play_apart(False)
        playing = envs.episodes(widest, SEEDS)
        envs.async_reset([0, 1, 2])
        playing.close()
        with pytest.raises(ResetNeededError):
            envs.send([0], [2])


@pytest.mark.parametrize("batch_size", [None, 3])
def test_a_policy_that_fails_loses_nothing(batch_size: int | None) -> None:
    """It raises, returns other shapes, is interrupted: each time once more the iteration goes on."""
    calls = 0

    def policy(obs: np.ndarray) -> Any:
        nonlocal calls
        calls += 1
        if calls % 2:
            return widest(obs)
        kind = calls // 2 % 5
        if kind == 0:
            raise RuntimeError("no idea")
        if kind == 1:
            signal.raise_signal(signal.SIGINT)
        return [widest(obs)[:2], 5, np.full(len(obs), 7), np.ones((len(obs), 2))][kind - 1]

    raised: list[str] = []
    with paced(5, batch_size=batch_size) as envs:
        playing = envs.episodes(policy, SEEDS, rows=6)
        found: list[Any] = []
        while len(found) < len(SEEDS):
            try:
                found.append(next(playing))
            except (RuntimeError, ValueError, TypeError, KeyboardInterrupt) as error:
                raised.append(type(error).__name__ + str(getattr(error, "__notes__", "")))
        assert [(each.return_, each.length) for each in found] == list(ALONE.values())
        assert DONE["resets"] == len(SEEDS)
    assert {"RuntimeError", "ValueError", "KeyboardInterrupt"} <= {
        each.split("[")[0] for each in raised
    }
    assert any("of seed 1" in each and "(environment " in each for each in raised)


@pytest.mark.filterwarnings("ignore::parallel_pool.WorkerCrashWarning")
def test_a_worker_that_dies_loses_what_it_played() -> None:
    """The other environments of the same worker with it."""
    with paced(4, isolation="process", num_threads=2, dies=SEEDS[9]) as envs:
        playing, found = envs.episodes(widest, SEEDS), {}
        with pytest.raises(LostEpisodesError, match=f"seed {SEEDS[9]} of .* step_timeout") as lost:
            for each in playing:
                found[each.seed] = (each.return_, each.length)
        assert list(playing) == []
    gone = {each.seed for each in lost.value.lost}
    assert SEEDS[9] in gone and len(gone) <= 2
    assert found == {seed: each for seed, each in ALONE.items() if seed not in gone}


def test_arguments() -> None:
    with paced(2) as envs:
        refused: list[tuple[dict[str, Any], str]] = [
            ({"seeds": [1, 2, 1]}, "seed 1 comes twice"),
            ({"seeds": [-1]}, r"a seed is -1, expected 0 \.\."),
            ({"seeds": [1.5]}, "expected integers"),
            ({"rows": 0}, "rows is 0"),
            ({"order": "random"}, "order is 'random'"),
            ({"infos": "won"}, "infos is 'won'"),
            ({"record": "frames"}, "record is 'frames'"),
            ({"record": ["frames"]}, "render_mode='rgb_array'"),
            ({"policy": 3}, "the policy is 3"),
        ]
        for arguments, said in refused:
            given = {"policy": widest, "seeds": SEEDS, **arguments}
            with pytest.raises(OptionError, match=said):
                Episodes(envs, **given)
        with (
            paced(2, isolation="process", infos="minimal") as minimal,
            pytest.raises(OptionError, match="hides which rows are of a worker that died"),
        ):
            Episodes(minimal, widest, SEEDS)
        envs.reset()  # nothing has begun
        envs.step([0, 0])
