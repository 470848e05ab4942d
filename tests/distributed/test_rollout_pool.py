"""Whole fragments, made by a policy beside each pool, are those of a RolloutBuffer here."""

import os
import signal
import sys
import time
from typing import Any

import numpy as np
import parallel_pool
import pytest
from parallel_pool import OptionError
from parallel_pool_learning import RolloutBuffer
from test_envs.checks import refused
from test_envs.libraries import needed
from test_envs.ray_pools import ID, kill, seeds, stop

ray = needed("ray")

from parallel_pool_ray import LostPoolError, RolloutPool  # noqa: E402

# Actors do not find this module, so what it defines travels as it is.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])

POOLS, EACH, STEPS = 2, 4, 16
LIMIT = 40
"""Some episodes end before it, and some are truncated, so that their last observation has a value."""


def leaning(obs: Any) -> Any:
    return (obs[:, 2] > 0).astype(np.int64), obs[:, 2], {"log_prob": obs[:, 3]}


def weighted(weights: Any, obs: Any, rng: np.random.Generator) -> Any:
    """A function with weights, as those of JAX are."""
    return rng.integers(0, 2, len(obs)), np.full(len(obs), weights["value"], np.float32)


def made(policy: Any = leaning, **arguments: Any) -> RolloutPool:
    given = {"num_steps": STEPS, "pools": POOLS, "seed": 3, "max_episode_steps": LIMIT, **arguments}
    return RolloutPool(ID, policy, POOLS * EACH, **given)


def buffers(generation: int = 0) -> list[RolloutBuffer]:
    """What the actors do, here."""
    result = []
    for pool in range(POOLS):
        options = {"autoreset_mode": "SameStep", "max_episode_steps": LIMIT}
        given = seeds(3, pool, generation, EACH)
        envs = parallel_pool.make(ID, num_envs=EACH, seed=given, **options)
        result.append(RolloutBuffer(envs, STEPS))
        result[-1].reset()
    return result


def rolled(buffer: RolloutBuffer) -> Any:
    while not buffer.full:
        action, value, extras = leaning(buffer.obs)
        buffer.step(action, value, **extras)
    return buffer.finish(lambda obs: leaning(obs)[1])


def expect_same(fragment: Any, rollout: Any) -> None:
    names = ("obs", "actions", "rewards", "terminated", "truncated", "valid", "values")
    for name in (*names, "next_values", "advantages", "returns"):
        mine = getattr(fragment, name)
        assert np.array_equal(mine, getattr(rollout, name)), name
        assert mine.flags.c_contiguous
        assert mine.flags.writeable
    assert np.array_equal(fragment.extras["log_prob"], rollout.extras["log_prob"])
    for name in ("return", "length"):
        assert np.array_equal(fragment.episodes[name], rollout.episodes[name])


def test_fragments_are_those_of_a_rollout_buffer(cluster: Any) -> None:
    kept = []
    with made() as rollouts:
        assert rollouts.definition.arguments.num_envs == rollouts.config["num_envs"] == EACH
        here = buffers()
        for _ in range(3):
            fragments = rollouts.collect()
            assert [each.pool_id for each in fragments] == [0, 1]
            for fragment, buffer in zip(fragments, here, strict=True):
                expect_same(fragment, rolled(buffer))
                first = fragment.pool_id * EACH
                assert fragment.env_id.tolist() == list(range(first, first + EACH))
                assert np.isin(fragment.episodes["env_id"], fragment.env_id).all()
                assert (fragment.policy_version, fragment.generation) == (0, 0)
                kept.append((fragment, fragment.obs.copy()))
        stats = rollouts.stats()
    assert stats["fragments"] == 6
    assert stats["steps"] == 3 * STEPS * POOLS * EACH
    for fragment, before in kept:
        assert np.array_equal(fragment.obs, before)
        cut = (fragment.truncated & ~fragment.terminated)[:-1]
        ended = (fragment.truncated | fragment.terminated)[:-1]
        bootstrap, following = fragment.next_values[:-1], fragment.values[1:]
        assert np.array_equal(bootstrap[~ended], following[~ended])
        assert not (bootstrap[cut] == following[cut]).any()
    for ends in ("terminated", "truncated"):
        assert any(getattr(fragment, ends)[:-1].any() for fragment, _ in kept)


def test_a_stream_gives_each_fragment_once_and_waits_for_who_takes_them(cluster: Any) -> None:
    with made() as rollouts:
        here = buffers()
        stream = rollouts.stream()
        for _ in range(9):
            fragment = next(stream)
            expect_same(fragment, rolled(here[fragment.pool_id]))
        assert all(len(member.waiting) <= 2 for member in rollouts._actors.members)
        time.sleep(0.5)  # enough for more, but they are not taken
        assert max(rollouts._calls(pool) for pool in range(POOLS)) < 200
        for fragment in rollouts.collect():  # goes on where that was
            expect_same(fragment, rolled(here[fragment.pool_id]))


def test_weights_are_pushed_by_version(cluster: Any) -> None:
    with made(weighted, weights={"value": 1.0}) as rollouts:
        first = rollouts.collect()
        assert rollouts.push({"value": 2.0}) == 1
        second = rollouts.collect()
        for version, fragments in enumerate((first, second)):
            for fragment in fragments:
                assert fragment.policy_version == version
                assert (fragment.values == version + 1).all()
    actions = [fragment.actions for fragment in (*first, *second)]
    with made(weighted, weights={"value": 1.0}) as rollouts:  # the same seed
        again = [fragment.actions for fragment in (*rollouts.collect(), *rollouts.collect())]
    assert all(np.array_equal(a, b) for a, b in zip(actions, again, strict=True))
    assert not np.array_equal(actions[0], actions[1])


def test_a_module_of_torch(cluster: Any) -> None:
    torch = needed("torch")

    class Policy(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(4, 3)

        def forward(self, obs: Any) -> Any:
            out = self.layer(obs)
            return out[:, :2].argmax(1), out[:, 2]

    policy = Policy()
    with made(policy, num_steps=4) as rollouts:
        rollouts.collect()
        with torch.no_grad():
            policy.layer.weight.zero_()
            policy.layer.bias.copy_(torch.tensor([0.0, 1.0, 5.0]))
        rollouts.push(policy)
        for fragment in rollouts.collect():
            assert (fragment.actions == 1).all()
            assert (fragment.values == 5).all()


def test_a_lost_actor_takes_its_fragment_with_it(cluster: Any) -> None:
    with made(max_restarts=1) as rollouts:
        here = buffers()
        for fragment in rollouts.collect():
            expect_same(fragment, rolled(here[fragment.pool_id]))
        kill(rollouts, 0)
        successor = buffers(generation=1)[0]
        fragments = rollouts.collect()
        assert [each.generation for each in fragments] == [1, 0]
        expect_same(fragments[0], rolled(successor))
        expect_same(fragments[1], rolled(here[1]))
        assert rollouts.stats()["losses"] == 1


def test_a_stopped_actor_is_given_up_and_raises_if_wanted(cluster: Any) -> None:
    with made(timeout=1.5, on_loss="raise", max_restarts=1) as rollouts:
        here = buffers()
        for fragment in rollouts.collect():
            expect_same(fragment, rolled(here[fragment.pool_id]))
        stop(rollouts, 0)
        with refused(LostPoolError, "pool 0 was lost", "no answer within 1.5 seconds"):
            rollouts.collect()
        fragments = rollouts.collect()
        assert [each.generation for each in fragments] == [1, 0]
        expect_same(fragments[1], rolled(here[1]))  # came once, not lost with the other


def test_restarts_are_exhausted_and_the_others_go_on(cluster: Any) -> None:
    with made(max_restarts=0) as rollouts:
        os.kill(rollouts.places[0]["pid"], signal.SIGKILL)
        with refused(LostPoolError, "pool 0 was lost for good", "stream() goes on"):
            rollouts.collect()
        with refused(LostPoolError, "max_restarts"):
            rollouts.collect()
        stream = rollouts.stream()
        assert {next(stream).pool_id for _ in range(3)} == {1}


def test_progress_is_shown(cluster: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with made(progress=True, pools=1) as rollouts:
        rollouts.collect()
    assert "1 fragments, 128 steps" in capsys.readouterr().err


def wrong(obs: Any) -> Any:
    return np.zeros(len(obs), np.int64)


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ({"autoreset_mode": "Disabled"}, OptionError, "autoreset_mode='SameStep'"),
        ({"num_steps": 0}, OptionError, "num_steps is 0"),
        ({"policy": (each for each in ())}, OptionError, "cannot be pickled"),
        ({"policy": wrong}, TypeError, "expected (action, value)"),
    ],
)
def test_what_is_wrong_is_said(
    cluster: Any, arguments: dict[str, Any], kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind) as caught, made(**arguments) as rollouts:
        try:
            rollouts.collect()
        finally:  # what a policy raises is no loss of its actor
            assert not rollouts.stats()["losses"]
    assert words in str(caught.value)


def test_weights_for_a_policy_without(cluster: Any) -> None:
    with made(pools=1) as rollouts, refused(OptionError, "takes no weights"):
        rollouts.push({})
