"""A trajectory is decided by the seed, the options and the actions; by nothing else."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parallel_pool_author.testing import deep
from parallel_pool_author.testing.env_under_test import EnvUnderTest, Row, first_difference, flatten
from parallel_pool_author.testing.findings import Finding, Inapplicable

NOTHING = (0x00, 0x3F)
"""Members that are not set begin as no, nought, NULL; or as something, a positive number, nowhere."""


def determinism(tested: EnvUnderTest) -> str | None:
    """Two pools of the same shape give the same trajectory for the same seeds and actions, whatever was in
    the memory that they are built in.
    """
    one, other = (tested.trajectories(3, seed=5, num_threads=1) for _ in range(2))
    for env in range(3):
        if difference := first_difference(one[env], other[env]):
            raise Finding(
                f"two pools with the same seed part in environment {env}: {difference}. Take random "
                "numbers from the pp::Rng that reset and step are given (never std::rand, the clock or "
                "std::random_device), initialise every member, and keep nothing in static, global or "
                "thread_local variables"
            )
    _every_member_is_set(tested)
    return None


def _every_member_is_set(tested: EnvUnderTest) -> None:
    nothing, something = NOTHING
    if not (difference := deep.parts(tested, memory=something, stack=something)):
        return
    deep.like_itself(tested)
    if deep.parts(tested, memory=nothing, stack=something):
        raise Finding(
            f"an environment that is called with other bytes left on the stack parts: {difference}. It reads "
            "what is no longer there, or has never been set: a reference or pointer to what lived during the "
            "constructor or one call only (a member `const Options& options_`, which has to be a copy, "
            "`Options options_`; obs.data() or action.data() of an earlier call), or a member or a local "
            "variable that is not initialised"
        )
    raise Finding(
        f"an environment that is built in memory full of zeros and one in other memory part: {difference}. "
        "A member is read before anybody has set it. Initialise every member, where it is declared "
        "(double speed_ = 0;) or in the constructor; an index beyond the end of an array reads such memory too"
    )


def seeding(tested: EnvUnderTest) -> str | None:
    """Different seeds give different trajectories."""
    if "deterministic" in tested.spec.tags:
        raise Inapplicable("tagged as deterministic")
    records = tested.trajectories(6, seed=[1, 2, 3, 4, 5, 6])
    again = tested.trajectories(6, seed=[11] * 6)
    # The actions differ between environments, so it is one environment with several seeds that counts.
    if all(first_difference(records[env], again[env]) is None for env in range(6)):
        raise Finding(
            "the seed changes nothing: six environments play the same with other seeds. Take random numbers "
            "from the pp::Rng that reset and step are given; a generator of your own (std::mt19937) is seeded "
            "in `void seed(uint64_t)`. If nothing in it is random: EnvSpec(..., tags=('deterministic',))"
        )
    return None


ENVS = 8
"""Environments of the pool that others are compared with."""
FULL = 512
"""The most environments that are made to fill whole shards."""
MANY = 256
"""Cheap environments have to be some before the host gives a thread its share of them."""
SECONDS = 2.0
"""The time that many environments may take."""
THREADS = 4
"""Deep play is played at once in this many threads, ..."""
ROUNDS = 40
"""... this many times, ..."""
RACING = 0.5
"""... or as often as can be in this time."""
A_SECOND = 1.05
"""After this time a clock of whole seconds shows another number."""
SHARED = (
    "Environments share something (a static, global or thread_local variable, a buffer of the shard), or what "
    "they do depends on their lane or on how many lanes there are. Make it a member, or, where a library keeps "
    "it, say `static constexpr bool exclusive = true`"
)
RACE = (
    "Threads write the same memory: a static or global variable, what a static pointer or container (a "
    "static std::vector) holds, or an object that several environments point to. Make it a member"
)


@dataclass(frozen=True)
class Cast:
    """A pool whose environment i has the seed and the actions of environment roles[i] of the usual pool."""

    words: str
    roles: Sequence[int]
    threads: int = 1
    looked_at: Sequence[int] = ()
    """Environments that are compared; none: all of them."""
    steps: int = 10**9
    """The most steps that are played."""
    every: int = 1
    """One step in this many is compared."""


def independence(tested: EnvUnderTest) -> str | None:
    """Environments know nothing of each other, nor of their place: other sizes, threads, shards and orders
    change nothing.
    """
    start = time.monotonic()
    usual = tested.trajectories(ENVS, seed=3, num_threads=1)
    each = (time.monotonic() - start) / (ENVS * len(usual[0]))
    shapes: list[tuple[str, dict[str, Any]]] = [
        ("with 3 threads", {"num_threads": 3}),
        ("asynchronously, 4 at a time", {"batch_size": 4, "num_threads": 2}),
        ("asynchronously, 3 at a time", {"batch_size": 3, "num_threads": 1}),
        ("asynchronously, one at a time", {"batch_size": 1, "num_threads": 1}),
        ("with copy=False, in rows that are `kept()`,", {"copy": False, "num_threads": 1}),
    ]
    for words, arguments in shapes:
        _compare(usual, tested.trajectories(ENVS, seed=3, **arguments), words)
    for cast in _casts(tested, each):
        looked_at = cast.looked_at or range(len(cast.roles))
        roles = [cast.roles[i] for i in looked_at]
        played = _played(tested, cast, looked_at)
        _compare(
            [usual[role][:: cast.every] for role in roles], played, cast.words, roles, cast.every
        )
    _late(tested)
    return None


def _late(tested: EnvUnderTest) -> None:
    """Compares what parts late: in one call with others, alone, in many threads at once, and a while later."""
    deep.compare(tested, "environments that are stepped in one call part", SHARED, one_by_one=False)
    for role in range(deep.ROLES):
        words = f"environment {role}, alone in its shard, plays differently"
        deep.compare(tested, words, SHARED, roles=[[role]])
    config = tested.config
    declaration = config.plugin.declaration(config.env.native_id)
    start = time.monotonic()
    each = 2 if declaration["preferred_lanes"] == 1 else deep.ROLES
    for first in range(0 if declaration["exclusive"] else ROUNDS):
        threads = [[(first + t * 3 + i) % deep.ROLES for i in range(each)] for t in range(THREADS)]
        words = f"in {THREADS} threads at once environments play differently than in one"
        deep.compare(tested, words, RACE, roles=threads, one_by_one=False, memory=-1, stack=-1)
        if time.monotonic() - start > RACING:
            break
    time.sleep(max(0.0, deep.usual(tested).at + A_SECOND - time.monotonic()))
    deep.like_itself(tested, "with the same seeds and actions, a second later,")


def _casts(tested: EnvUnderTest, seconds: float) -> Iterator[Cast]:
    """seconds: what a step of one environment takes."""
    yield Cast("alone in its pool", [0])
    yield Cast("alone in its pool", [ENVS - 1])
    yield Cast("at another place of its pool", list(reversed(range(ENVS))))
    yield Cast("in a pool of 7", [5, 2, 7, 0, 4, 1, 6])
    config = tested.config
    shard = min(config.plugin.declaration(config.env.native_id)["preferred_lanes"], FULL // 2)
    roles = [i * 3 % ENVS for i in range(max(2 * shard + 3, MANY))]
    if shard > 1:
        last = 2 * shard + 2
        edges = (0, 1, shard - 1, shard, 2 * shard - 1, 2 * shard, last - 1, last)
        words = "in a pool of two full shards and a rest"
        yield Cast(words, roles[: last + 1], looked_at=edges, steps=30)
    # The state keeps what threads do to each other, and it may be seen later. The threads of environments
    # that take long have met already.
    steps = min(int(SECONDS / (len(roles) * seconds)), tested.steps)
    if steps >= 15:
        yield Cast("in a pool of many, with 4 threads", roles, threads=4, steps=steps, every=15)


def _played(tested: EnvUnderTest, cast: Cast, looked_at: Sequence[int]) -> list[list[Row]]:
    """Returns what the environments at looked_at answer to the reset and to one step in `every`."""
    table = tested.actions(ENVS)
    roles = np.array(cast.roles)
    records: list[list[Row]] = [[] for _ in looked_at]

    def record(result: Any) -> None:
        flat = flatten(result)
        for rows, env in zip(records, looked_at, strict=True):
            rows.append({path: np.array(values[env]) for path, values in flat.items()})

    with tested.pool(num_envs=len(roles), seed=list(3 + roles), num_threads=cast.threads) as pool:
        record(pool.reset())
        for step in range(min(table.steps, cast.steps)):
            result = pool.step(table.rows(np.full(len(roles), step), roles))
            if (step + 1) % cast.every == 0:
                record(result)
    return records


def _compare(
    usual: list[list[Row]],
    other: list[list[Row]],
    words: str,
    numbers: Sequence[int] = range(ENVS),
    every: int = 1,
) -> None:
    for env, mine, theirs in zip(numbers, usual, other, strict=True):
        common = min(len(mine), len(theirs))
        if difference := first_difference(mine[:common], theirs[:common], every=every):
            raise Finding(f"environment {env} plays differently {words}: {difference}. {SHARED}")
