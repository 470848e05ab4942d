"""Text, Sequence, Graph, OneOf and own spaces, as in Gymnasium, in workers of both kinds."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList
from parallel_pool import EnvError, OptionError, WorkerCrashWarning, envpool
from parallel_pool_learning import RolloutBuffer
from test_envs.checks import refused
from test_envs.odd_spaces import KINDS, ODD, Odd, texts
from test_envs.pools import begun, register_python
from test_envs.python_envs import Make, same

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


@pytest.mark.parametrize(
    ("isolation", "kind", "mode"),
    [
        *(("thread", kind, mode) for kind in KINDS for mode in MODES),
        *(("process", kind, MODES[number % 2]) for number, kind in enumerate(KINDS)),
    ],
)
def test_every_space_as_in_gymnasium(isolation: str, kind: str, mode: AutoresetMode) -> None:
    def factory(length: int) -> Callable[[], Odd]:
        return lambda: Odd(kind, kind, length)

    lengths = [2, 3, 4]
    theirs = SyncVectorEnv([factory(each) for each in lengths], autoreset_mode=mode)
    how: dict[str, Any] = {"num_envs": 3, "isolation": isolation}
    how["num_threads"] = 2 if isolation == "thread" else 1
    how |= {"autoreset_mode": mode, "env_options": {"length": lengths}}
    with parallel_pool.make(ODD, kind=kind, acts=kind, **how) as mine:
        assert mine.single_observation_space == theirs.single_observation_space
        assert mine.observation_space == theirs.observation_space
        assert mine.action_space == theirs.action_space
        same(mine.reset(seed=7), theirs.reset(seed=7))
        theirs.action_space.seed(1)
        for step in range(9):
            actions = theirs.action_space.sample()
            ours, wanted = mine.step(actions), theirs.step(actions)
            same(ours, wanted)
            assert type(ours[0]) is type(wanted[0]) or isinstance(ours[0], tuple)
            assert mine.observation_space.contains(ours[0])
            if step == 5:
                same(mine.reset(seed=[3, None, 5]), theirs.reset(seed=[3, None, 5]))
    theirs.close()


def test_asynchronous_batches_and_masks(make: Make) -> None:
    with (
        make(ODD, num_envs=4, seed=1) as whole,
        make(ODD, num_envs=4, batch_size=2, seed=1) as pool,
    ):
        wanted = [whole.reset()[0]["text"], whole.step(texts(whole))[0]["text"]]
        pool.async_reset()
        seen: list[dict[int, str]] = [{}, {}]
        for turn in range(2):
            parts = [pool.recv(min_batch=4, max_batch=4)] if turn else [pool.recv(), pool.recv()]
            for obs, *_, info in parts:
                seen[turn] |= dict(zip(info["env_id"].tolist(), obs["text"], strict=True))
                pool.send(("go",) * len(info["env_id"]), info["env_id"])
        assert [tuple(each[env] for env in range(4)) for each in seen] == wanted
        mask = np.array([True, False, True, False])
        before = whole.step(texts(whole))[0]
        after, info = whole.reset(seed=9, options={"reset_mask": mask})
        again, _ = whole.reset(seed=9)
        for env in range(4):
            other = again if mask[env] else before
            assert after["text"][env] == other["text"][env]
            same(after["pair"][0][env], other["pair"][0][env])
        assert info["_begun"].tolist() == mask.tolist()


def test_the_other_views_and_single_environments(make: Make) -> None:
    with make(ODD, num_envs=2, seed=3) as pool:
        first, after = pool.reset()[0], pool.step(texts(pool))[0]
    with make(ODD, env_type="gym", num_envs=2, seed=3, autoreset_mode="SameStep", length=1) as gym:
        same(gym.reset(), first)
        *_, info = gym.step(("go", "go"))
        same(info["final_obs"], after)
    with make(ODD, env_type="dm", num_envs=2, seed=3, infos="minimal") as dm:
        same(dm.reset().observation.obs, first)
        assert dm.observation_spec().obs["text"].dtype == object
        same(dm.step(("go", "go")).observation.obs, after)
    with parallel_pool.SingleEnv(ODD, seed=3) as single:
        obs, _ = single.reset()
        assert obs in single.observation_space
        assert obs["text"] == first["text"][0]
        assert single.step("go")[0]["text"] == after["text"][0]
    with parallel_pool.SingleDmEnv(ODD, seed=3) as single_dm:
        assert single_dm.reset().observation["text"] == first["text"][0]
        assert single_dm.step("go").observation["text"] == after["text"][0]


def test_last_objects_are_arrays_in_infos(make: Make) -> None:
    """As Gymnasium's wrappers look for them, which give each environment its own."""
    rows = {"length": [1, 3]}
    with make(ODD, num_envs=2, kind="text", autoreset_mode="SameStep", env_options=rows) as pool:
        envs = DictInfoToList(pool)
        envs.reset()
        *_, infos = envs.step(texts(pool))
        assert isinstance(infos[0]["final_obs_dense"], str)
        assert infos[0]["final_obs_dense"] == infos[0]["final_obs"]
        assert "final_obs_dense" not in infos[1]
    with begun(make(ODD, num_envs=2, autoreset_mode="SameStep", env_options=rows)) as pool:
        dense = pool.step(texts(pool))[-1]["final_obs_dense"]
        for last in (dense["text"], dense["pair"][0], dense["inner"]["numbers"]):
            assert last.dtype == object
            assert last[0] is not None
            assert last[1] is None


def test_an_environment_that_fails_has_nothing(make: Make) -> None:
    with begun(make(ODD, num_envs=3, num_threads=2, seed=1)) as pool:
        with pytest.raises(EnvError, match="it failed") as caught:
            pool.step(("go", "fail", "go"))
        obs = caught.value.result[0]
        assert obs["text"][1] == ""
        assert obs["pair"][0][1] is None
        assert isinstance(obs["pair"][0][0], spaces.GraphInstance)
        pool.reset([1])
        pool.step(texts(pool))


def test_what_processes_lose() -> None:
    made: dict[str, Any] = {"num_envs": 2, "num_threads": 2, "isolation": "process"}
    with begun(parallel_pool.make(ODD, kind="own", **made)) as pool:
        with pytest.warns(WorkerCrashWarning):
            obs = pool.step(("go", "die"))[0]
        assert obs[1] is None
        assert obs[0] is not None
        assert None not in pool.step(texts(pool))[0]
        with pytest.raises(EnvError, match="cannot pickle") as caught:
            pool.step(("lock", "go"))
        assert list(caught.value.failures) == [0]
        assert caught.value.result[0][1] is not None


def test_actions_that_nobody_read_take_no_memory() -> None:
    """After the end of a worker its environments are reset, whatever is sent."""
    with begun(parallel_pool.make(ODD, num_envs=2, num_threads=1, isolation="process")) as pool:
        held = []
        for _ in range(3):
            with pytest.warns(WorkerCrashWarning):
                pool.step(("die", "go"))
            pool.step(texts(pool, "go" * 2**19))
            files = [Path(f"/proc/self/fd/{each}") for each in os.listdir("/proc/self/fd")]
            ours = [each for each in files if "parallel_pool_actions" in str(each.resolve())]
            held.append(max(each.stat().st_blocks for each in ours))
        assert held[0] == held[-1] > 0


def test_texts_are_texts(make: Make) -> None:
    class Number(Odd):
        def reset(self, **_: Any) -> tuple[Any, dict[str, Any]]:
            return 5, {}

    made = make(register_python("odd/Number-v0", Number), kind="text")
    with made as pool, pytest.raises(EnvError, match="is a int, and its space has texts"):
        pool.reset()


def test_texts_as_bytes(make: Make) -> None:
    with make(ODD, num_envs=2, seed=2, kind="text") as plain:
        wanted = [plain.reset()[0], plain.step(texts(plain))[0]]
    with make(ODD, num_envs=2, seed=2, kind="text", texts="bytes") as pool:
        assert pool.single_observation_space == spaces.Box(0, 255, (24,), np.uint8)
        rows = [pool.reset()[0], pool.step(texts(pool))[0]]
    found = [tuple(each.tobytes().rstrip(b"\0").decode() for each in two) for two in rows]
    assert found == wanted


def test_transforms_leave_them_alone(make: Make) -> None:
    with make(ODD, num_envs=2, seed=2, transform={"frame_stack": 2}) as pool:
        assert pool.single_observation_space["box"].shape == (2, 2)
        obs, _ = pool.reset()
        assert pool.observation_space.contains(obs)


def test_what_has_no_place_for_objects_says_so(make: Make) -> None:
    with refused(OptionError, "the observation is a text", "output='torch'", "texts='bytes'"):
        make(ODD, kind="text", output="torch")
    with refused(OptionError, "the observation is of the space Graph", "wrap the environment"):
        make(ODD, kind="graph", output="torch")
    with refused(
        OptionError, "observation 'inner/numbers' is of the space Sequence", "flatten_obs"
    ):
        made = {"texts": "bytes", "transform": {"flatten_obs": True}}
        make(ODD, **made)
    with refused(OptionError, "nan_action='truncate'", "only arrays"):
        make(ODD, nan_action="truncate")
    pool = make(ODD, kind="one", autoreset_mode="SameStep")
    with pool, refused(OptionError, "the observation is of the space OneOf", "a rollout"):
        RolloutBuffer(pool, 4)
    with refused(OptionError, "EnvPool's interface"):
        envpool.make(ODD, env_type="gymnasium")
