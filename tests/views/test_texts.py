"""Observations and infos that are texts: bytes in the batch, `str` where a text is looked at."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import parallel_pool.envpool
import pytest
from gymnasium.vector import SyncVectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate
from test_envs.checks import refused
from test_envs.pools import begun
from test_envs.texts import ALONE, BOTH, TELLER

pytestmark = pytest.mark.usefixtures("told")

NOTHING, BEGUN = ("nothing",) * 3, ("step 0",) * 3


make: Any = parallel_pool.make


@pytest.mark.parametrize("task", BOTH)
def test_rows_are_str(task: str) -> None:
    with make(task, num_envs=3, seed=0) as pool:
        obs, info = pool.reset()
        assert isinstance(obs["said"], parallel_pool.Texts)
        assert obs["said"] == BEGUN
        assert tuple(obs["said"]) == BEGUN
        assert info["heard"].dtype == object
        assert tuple(info["heard"]) == NOTHING
        for step in range(1, 5):
            obs, _, _, _, info = pool.step(np.array([0, 1, 0]))
            assert obs["said"] == [f"step {step}" if step != 3 else ""] * 3
            assert obs["number"].tolist() == [step] * 3
            assert info["heard"].tolist() == ["no", "yes", "no"]
            assert obs in pool.observation_space


class Told(gymnasium.Env[Any, Any]):
    """The same with Gymnasium's means."""

    def __init__(self, space: gymnasium.Space[Any]) -> None:
        self.observation_space = gymnasium.spaces.Dict({"said": space})
        self.action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        return {"said": "step 0"}, {"heard": "nothing"}

    def step(self, action: Any) -> Any:
        return {"said": "step 1"}, 1.0, False, False, {"heard": "yes" if action else "no"}


def test_as_in_gymnasiums_vector_env() -> None:
    with make(TELLER, num_envs=3) as pool:
        space = pool.single_observation_space["said"]
        assert space == gymnasium.spaces.Text(24, min_length=0, charset=space.character_set)
        theirs: Any = SyncVectorEnv([lambda: Told(space)] * 3)
        assert pool.observation_space["said"] == theirs.observation_space["said"]
        for (mine, my_info), (obs, info) in zip(
            (pool.reset(), pool.step(np.array([0, 1, 0]))[::4]),
            (theirs.reset(), theirs.step(np.array([0, 1, 0]))[::4]),
            strict=True,
        ):
            assert isinstance(obs["said"], tuple)
            assert mine["said"] == obs["said"]
            assert my_info["heard"].dtype == info["heard"].dtype
            assert my_info["heard"].tolist() == info["heard"].tolist()
            assert tuple(mine["said"]) in theirs.observation_space["said"]
            assert list(iterate(pool.observation_space["said"], mine["said"])) == list(obs["said"])
        assert concatenate(space, iter(mine["said"]), ()) == obs["said"]
        assert create_empty_array(space, 2) == ("", "")


def test_the_space_holds_texts_that_fit() -> None:
    with make(TELLER, num_envs=2) as pool:
        space = pool.single_observation_space["said"]
        assert "" in space
        assert "a\nb~" in space
        for other in ("x" * 25, "é", "\t", b"step 0", 3):
            assert other not in space
        space.seed(0)
        assert space.sample() in space
        rows: Any = batch_space(space, 2)
        assert len(rows) == 2
        assert ("a", "b") in rows
        assert ("a",) not in rows
        assert pool.observation_space.sample() in pool.observation_space
        assert pickle.loads(pickle.dumps(pool.observation_space)) == pool.observation_space


def test_letters_beyond_ascii() -> None:
    with make(TELLER, env_options={"letters": ["é", "ß!", ""]}) as pool:
        obs, _ = pool.reset()
        assert obs["said"] == ("step 0é", "step 0ß!", "step 0")
        assert obs in pool.observation_space
        space = pool.single_observation_space["said"]
        assert "é" * 12 in space
        assert "é" * 13 not in space
        assert space.sample() in space


def test_what_texts_can_do() -> None:
    with make(TELLER, env_options={"letters": ["a", "b", "c"]}) as pool:
        texts = pool.reset()[0]["said"]
        assert texts[0] == texts[-3] == "step 0a"
        assert texts[1:] == ("step 0b", "step 0c")
        assert texts[np.array([2, 0])] == ("step 0c", "step 0a")
        assert texts[np.array([False, True, False])] == ["step 0b"]
        assert texts[[]] == ()
        assert np.asarray(texts).tolist() == list(texts)
        assert np.asarray(texts).dtype.kind == "U"
        assert "step 0b" in texts
        assert texts.index("step 0c") == 2
        assert texts != ("step 0a",)
        assert texts != "step 0a"
        assert repr(texts) == "Texts(['step 0a', 'step 0b', 'step 0c'])"
        assert texts.bytes.shape == (3, 24)
        assert texts.bytes[1].tobytes() == b"step 0b".ljust(24, b"\0")
        for other in (pickle.loads(pickle.dumps(texts)), copy.deepcopy(texts)):
            assert other == texts
            assert not np.shares_memory(other.bytes, texts.bytes)
        with refused(IndexError, "3"):
            texts[3]
        with refused(TypeError, "unhashable"):
            hash(texts)


def test_nothing_is_made_before_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    import parallel_pool.schema.texts as module

    def never(_: bytes) -> str:
        raise AssertionError("a text was made")

    monkeypatch.setattr(module, "text_of", never)
    with make(TELLER, num_envs=2, autoreset_mode="SameStep") as pool:
        obs, _ = pool.reset()
        for _ in range(4):
            obs, *_ = pool.step(np.zeros(2, np.int32))
        with refused(AssertionError, "was made"):
            obs["said"][0]


def test_last_observations() -> None:
    with begun(make(TELLER, num_envs=2, autoreset_mode="SameStep")) as pool:
        for _ in range(5):
            obs, _, terminated, _, info = pool.step(np.ones(2, np.int32))
        assert terminated.all()
        assert obs["said"] == ("step 0", "step 0")
        assert info["final_obs_dense"]["said"].tolist() == ["step 5", "step 5"]
        assert [each["said"] for each in info["final_obs"]] == ["step 5", "step 5"]
        assert info["final_info"]["heard"].tolist() == ["yes", "yes"]
        assert info["heard"].tolist() == ["nothing", "nothing"]


@pytest.mark.parametrize("env_type", ["gym", "dm"])
def test_last_texts_of_other_views(env_type: str) -> None:
    made: dict[str, Any] = {"num_envs": 2, "autoreset_mode": "SameStep"}
    with begun(make(TELLER, env_type, **made)) as pool:
        for _ in range(5):
            answer = pool.step(np.ones(2, np.int32))
        last = answer[4]["final_obs"] if env_type == "gym" else answer.observation.final_obs
        assert last["said"].tolist() == ["step 5", "step 5"]


def test_rows_that_are_joined_and_kept() -> None:
    with begun(make(TELLER, num_envs=3, autoreset_mode="Disabled")) as pool:
        pool.step(np.ones(3, np.int32))
        obs, info = pool.reset(options={"reset_mask": np.array([True, False, False])})
        assert obs["said"] == ("step 0", "step 1", "step 1")
        assert info["heard"][0] == "nothing"
    with make(TELLER, num_envs=4, batch_size=2, seed=0) as pool:
        pool.async_reset()
        obs, *_ = pool.recv(min_batch=4, max_batch=4)
        assert obs["said"] == ("step 0",) * 4


def test_bytes_if_asked_for() -> None:
    with make(TELLER, num_envs=2, texts="bytes") as pool:
        assert pool.config["texts"] == "bytes"
        assert pool.single_observation_space["said"] == gymnasium.spaces.Box(
            0, 127, (24,), np.uint8
        )
        obs, info = pool.reset()
        assert obs["said"].dtype == info["heard"].dtype == np.uint8
        assert obs["said"][0].tobytes().rstrip(b"\0") == b"step 0"
        assert obs in pool.observation_space
    with refused(parallel_pool.OptionError, TELLER, "texts is 'letters'", "bytes"):
        make(TELLER, texts="letters")


def test_a_text_alone() -> None:
    with make(ALONE, num_envs=2) as pool:
        obs, _ = pool.reset()
        assert obs == ("begin", "begin")
        assert obs in pool.observation_space
        assert pool.step(np.array([0, 1]))[0] == ("nought", "one")


def test_other_views() -> None:
    with parallel_pool.make_gym(TELLER, num_envs=2, gym_reset_return_info=True) as pool:
        obs, info = pool.reset()
        assert isinstance(pool.observation_space["said"], gymnasium.spaces.Text)
        assert obs["said"] == ("step 0", "step 0")
        assert info["heard"].tolist() == ["nothing", "nothing"]
    with parallel_pool.make_dm(TELLER, num_envs=2) as dm:
        seen = dm.reset().observation
        assert seen.obs["said"] == ("step 0", "step 0")
        assert seen.heard.tolist() == ["nothing", "nothing"]
        for text in seen.obs["said"]:
            dm.observation_spec().obs["said"].validate(text)
    with parallel_pool.SingleEnv(TELLER) as env:
        one, about = env.reset(seed=0)
        assert one["said"] == "step 0"
        assert one in env.observation_space
        assert about["heard"] == "nothing"
        assert env.step(1)[4]["heard"] == "yes"
    alone = parallel_pool.SingleDmEnv(TELLER)
    assert alone.reset().observation["said"] == "step 0"
    alone.close()


def test_envpools_interface_has_bytes() -> None:
    envpool = parallel_pool.envpool
    for env_type in ("gymnasium", "dm"):
        pool: Any = envpool.make(TELLER, env_type, num_envs=2)
        first = pool.reset()
        said = first.observation.said if env_type == "dm" else first[0]["said"]
        assert said[1].tobytes().rstrip(b"\0") == b"step 0"
        assert pool.spec.state_array_spec["obs:said"].shape == [24]
        pool.close()
    with refused(parallel_pool.OptionError, "texts is 'str'", "leave it out"):
        envpool.make(TELLER, "gymnasium", texts="str")


def test_transforms_leave_texts_alone() -> None:
    with make(TELLER, num_envs=2, transform={"frame_stack": 2, "normalize_obs": True}) as pool:
        obs, _ = pool.reset()
        assert obs["said"] == ("step 0", "step 0")
        assert obs["number"].shape == (2, 2)
        assert obs in pool.observation_space
    with refused(parallel_pool.OptionError, TELLER, "'said' is a text", "texts='bytes'"):
        make(TELLER, transform={"flatten_obs": True})
    with make(TELLER, texts="bytes", transform={"flatten_obs": True}) as flat:
        assert flat.reset()[0].shape == (1, 25)


def test_a_rollout_keeps_no_text() -> None:
    from parallel_pool_learning import RolloutBuffer

    with make(TELLER, num_envs=2) as pool:
        with refused(parallel_pool.OptionError, TELLER, "'said' is a text", "a rollout", "'bytes'"):
            RolloutBuffer(pool, 4)
        wrapped = gymnasium.wrappers.vector.FilterObservation(pool, ["number"])
        RolloutBuffer(wrapped, 4)
    with make(TELLER, num_envs=2, texts="bytes") as pool:
        RolloutBuffer(pool, 4)


def test_states_and_workers() -> None:
    with make(TELLER, num_envs=2, isolation="process") as pool:
        obs, info = pool.reset()
        assert obs["said"] == ("step 0", "step 0")
        assert info["heard"].tolist() == ["nothing", "nothing"]
        states = pool.get_state()
        assert pool.step(np.ones(2, np.int32))[0]["said"] == ("step 1", "step 1")
        pool.set_state(None, states)
        assert pool.step(np.ones(2, np.int32))[0]["said"] == ("step 1", "step 1")
