"""One pool over several actors answers as a plain pool does, row for row."""

import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError
from parallel_pool.errors import LibraryError
from parallel_pool.imports.libraries import imported
from test_envs.checks import refused
from test_envs.libraries import needed
from test_envs.ray_pools import ID, all_seeds, plain, same

needed("ray")

from parallel_pool_ray import ClusterError, RayPool  # noqa: E402
from parallel_pool_ray.cluster import default_address  # noqa: E402
from parallel_pool_ray.sharding import Sharding  # noqa: E402

POOLS, EACH = 2, 8
ENVS = POOLS * EACH


@pytest.fixture(scope="module")
def pool(cluster: Any) -> Any:
    with RayPool(ID, ENVS, pools=POOLS, seed=3, infos="all") as made:
        yield made


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_trajectories_are_a_plain_pools(cluster: Any, mode: str) -> None:
    options = {"autoreset_mode": mode, "max_episode_steps": 30, "infos": "all"}
    rng = np.random.default_rng(0)
    with (
        RayPool(ID, ENVS, pools=POOLS, seed=3, **options) as ours,
        plain(3, POOLS, EACH, **options) as theirs,
    ):
        assert np.array_equal(ours.reset()[0], theirs.reset()[0])
        for _ in range(60):
            actions = rng.integers(0, 2, ENVS)
            mine, other = ours.step(actions), theirs.step(actions)
            same(mine, other)
            assert np.array_equal(mine[4]["elapsed_step"], other[4]["elapsed_step"])
            if mode == "SameStep":
                ended = other[4]["_final_obs_dense"]
                assert np.array_equal(mine[4]["_final_obs_dense"], ended)
                for each in (mine, other):
                    each[4]["final"] = each[4]["final_obs_dense"][ended]
                assert np.array_equal(mine[4]["final"], other[4]["final"])
            if mode == "Disabled" and (over := np.flatnonzero(mine[2] | mine[3])).size:
                assert np.array_equal(ours.reset(over)[0], theirs.reset(over)[0])


def test_the_definition_is_that_of_an_actors_pool(pool: Any) -> None:
    assert pool.definition.env.id == f"classic/{ID}"
    assert pool.definition.arguments.num_envs == EACH
    assert pool.config["num_envs"] == EACH


def test_some_are_asked_and_answer_in_that_order(pool: Any) -> None:
    with plain(3, POOLS, EACH, infos="all") as theirs:
        given = all_seeds(4, POOLS, EACH)
        assert np.array_equal(pool.reset(seed=4)[0], theirs.reset(seed=given)[0])
        ids = np.array([13, 2, 7, 0])
        actions = np.array([0, 1, 1, 0])
        result = pool.step(actions, ids)
        same(result, theirs.step(actions, ids))
        assert result[4]["env_id"].tolist() == ids.tolist()
        assert result[4]["pool_id"].tolist() == [1, 0, 0, 0]
        obs, info = pool.reset(ids, seed=[1, 2, 3, None])
        assert np.array_equal(obs, theirs.reset(ids, seed=[1, 2, 3, None])[0])
        assert info["env_id"].tolist() == ids.tolist()


def test_calls_overlap_and_answers_come_in_the_order_of_calls(pool: Any) -> None:
    pool.reset()
    low, high = np.arange(ENVS // 2), np.arange(ENVS // 2, ENVS)
    pool.send(np.zeros(len(high), int), high)
    pool.send(np.ones(len(low), int), low)
    with refused(parallel_pool.AlreadyPendingError, "[0]", "recv()"):
        pool.send(np.zeros(1, int), [0])
    assert pool.recv()[4]["env_id"].tolist() == high.tolist()
    assert pool.recv()[4]["env_id"].tolist() == low.tolist()
    with refused(parallel_pool.NothingPendingError, "0 of 1"):
        pool.recv()


def test_batches_of_lanes_that_are_done_first(cluster: Any) -> None:
    steps = np.zeros(ENVS, int)
    with RayPool(ID, ENVS, pools=POOLS, batch_size=8, seed=3) as ours:
        assert ours.is_async
        assert ours.lane_size == 4
        assert ours.action_space.shape == (8,)
        with refused(parallel_pool.NothingPendingError, "0 of 2"):
            ours.recv()
        ours.async_reset()
        seen: dict[int, list[Any]] = {env: [] for env in range(ENVS)}
        for _ in range(80):
            obs, *_, info = ours.recv()
            ids = info["env_id"]
            assert len(ids) == 8
            steps[ids] += 1
            for row, env in enumerate(ids.tolist()):
                seen[env].append(obs[row])
            ours.send(ids % 2, ids)
        some = ours.recv()[4]["env_id"][:1]
        with refused(ValueError, "must be sent together"):
            ours.send(np.zeros(1, int), some)
    assert steps.min() > 10
    with plain(3, POOLS, EACH) as theirs:  # each environment did what it does anywhere
        first = theirs.reset()[0]
        twin = [first, *(theirs.step(np.arange(ENVS) % 2)[0] for _ in range(steps.max()))]
        for env, rows in seen.items():
            assert np.array_equal(rows, [step[env] for step in twin[: len(rows)]])


def test_nothing_within_a_timeout_loses_nothing(pool: Any) -> None:
    pool.reset(seed=1)
    pool.send(np.zeros(ENVS, int))
    for _ in range(3000):  # each call looks again
        with suppress(TimeoutError):
            result = pool.recv(timeout=0)
            break
        time.sleep(0.01)
    with plain(3, POOLS, EACH) as theirs:
        given = all_seeds(1, POOLS, EACH)
        theirs.reset(seed=given)
        same(result, theirs.step(np.zeros(ENVS, int)))


def test_arrays_are_the_callers_own_and_memory_is_used_again(pool: Any) -> None:
    obs, _ = pool.reset(seed=1)
    before = obs.copy()
    for _ in range(20):
        result = pool.step(np.zeros(ENVS, int))
    assert all(array.flags.writeable for array in result[:4])
    result[0][:] = 7
    assert np.array_equal(obs, before)
    assert pool.stats()["ring_batches"] <= 4


def test_it_is_a_vector_environment_of_gymnasium(pool: Any) -> None:
    assert isinstance(pool, gymnasium.vector.VectorEnv)
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(pool)
    wrapped.reset(seed=1)
    returns = 0
    for _ in range(60):
        obs, *_, info = wrapped.step(wrapped.action_space.sample())
        assert obs in wrapped.observation_space
        returns += int(info.get("_episode", np.zeros(1, bool)).sum())
    assert returns > 10


def test_what_it_tells_of_itself(pool: Any) -> None:
    stats = pool.stats()
    assert stats["generations"] == [0, 0]
    assert [place["threads"] for place in stats["places"]] == [1, 1]
    assert stats["batches"] > 0
    assert 0 < stats["seconds_stepped"] < stats["seconds_waited"] + 60
    assert repr(pool) == "RayPool('classic/CartPole-v1', num_envs=16, pools=2)"


def test_environments_in_python_have_no_seed_where_the_user_chose_none() -> None:
    def seeds(task_id: str, given: Any, pool: int, generation: int) -> Any:
        sharding = Sharding("RayPool", task_id, 4, 2, given, {})
        return sharding.shard(pool, generation).arguments["seed"]

    python, some = "gym:CartPole-v1", [1, None, None, 4]
    assert seeds(python, None, 1, 0) == seeds(python, None, 1, 1) == [None] * 2
    assert seeds(python, some, 0, 0) == [1, None]
    again, none = seeds(python, some, 0, 1)
    assert again not in (1, None)
    assert none is None
    assert None not in seeds("CartPole-v1", None, 0, 0)


def test_environments_that_were_never_reset(cluster: Any) -> None:
    made = RayPool(ID, 4, pools=1, seed=3)
    with made, refused(parallel_pool.ResetNeededError, "[0, 1, 2, 3]"):
        made.step(np.zeros(4, int))
    with refused(parallel_pool.ClosedPoolError, "closed"):
        made.reset()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"pools": 3}, "num_envs is 16, and 3 pools are to have as many each"),
        ({"pools": 0}, "pools is 0"),
        ({"in_flight": 3}, "in_flight is 3, and each of 2 pools has 8"),
        ({"batch_size": 3}, "batch_size is 3, expected a multiple of 4"),
        ({"strategy": "FAR"}, "strategy is 'FAR', expected one of SPREAD"),
        ({"on_loss": "cry"}, "on_loss is 'cry'"),
        ({"output": "torch"}, "torch.from_numpy"),
        ({"rank": 0}, "takes no rank"),
        ({"transform": {"normalize_obs": True}}, "normalise where the policy is"),
        ({"resources": {"CPU": 400}}, "need 800, and the cluster has 6: ask for fewer pools="),
        ({"max_episode_step": 3}, "max_episode_steps"),
        ({"max_episode_steps": lambda: 3}, "cannot be pickled"),
        ({"seed": -1}, "seed -1 is not an int"),
        ({"seed": [1, 2]}, "seed has 2 values for 16 environments"),
    ],
)
def test_bad_arguments_are_refused_with_their_fix(
    cluster: Any, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(OptionError) as caught:
        RayPool(ID, ENVS, **{"pools": POOLS, **arguments})
    assert words in str(caught.value)


def test_room_that_others_have(cluster: Any) -> None:
    with (
        RayPool(ID, 4, pools=1, resources={"CPU": 4}),
        refused(ClusterError, "no room for 1 pools", "within 1 seconds", "Free are"),
    ):
        RayPool(ID, 4, pools=1, resources={"CPU": 3}, start_timeout=1)


def test_environments_that_differ_are_shared_out(cluster: Any) -> None:
    lengths = np.arange(10.0, 10.0 + ENVS)
    with RayPool("Pendulum-v1", ENVS, pools=POOLS, seed=3, env_options={"g": lengths}) as ours:
        given = all_seeds(3, POOLS, EACH)
        options = {"seed": given, "env_options": {"g": lengths}}
        with parallel_pool.make("Pendulum-v1", num_envs=ENVS, **options) as theirs:
            ours.reset()
            theirs.reset()
            actions = np.ones((ENVS, 1), np.float32)
            for _ in range(3):
                same(ours.step(actions), theirs.step(actions))


def test_without_ray_and_without_a_cluster() -> None:
    source = "import sys; sys.modules['ray'] = None; import parallel_pool_ray"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert "LibraryError: parallel_pool_ray needs ray, which is missing" in done.stderr
    assert "pip install -U 'parallel-pool[ray]'" in done.stderr
    source = (
        f"from parallel_pool_ray import RayPool\nRayPool({ID!r}, 4, pools=1, address='127.0.0.1:1')"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert "ClusterError: no Ray cluster answers at '127.0.0.1:1'" in done.stderr


def test_a_folder_of_its_name_is_not_ray(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Beside a script in /tmp there is one, where Ray keeps its files."""
    (tmp_path / "rays_own").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    with refused(LibraryError, "it needs rays_own, which is missing: pip install -U"):
        imported("rays_own", "1.0", "it", extra="ray")


def test_another_server_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray asks for two minutes, and ends the program then."""

    def init(**_: Any) -> None:
        sys.exit(15)

    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray.init", init)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with refused(ClusterError, f"no Ray cluster answers at '{address}' (15)", "ray start"):
            RayPool(ID, 4, pools=1, address=address)


def test_a_cluster_that_was_killed_has_left_its_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ray by itself would wait for it without end."""
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert default_address() is None
    note = tmp_path / "ray" / "ray_current_cluster"
    note.parent.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        note.write_text(f"127.0.0.1:{server.getsockname()[1]}")
        assert default_address() is None
    assert default_address() == "local"
