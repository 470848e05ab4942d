"""Saving and restoring, where the environment offers it."""

from __future__ import annotations

from parallel_pool import NotOfferedError, StateError, native_checks

from parallel_pool_author.testing import deep
from parallel_pool_author.testing.checks.statics import untouched
from parallel_pool_author.testing.env_under_test import EnvUnderTest, Row, first_difference, flatten
from parallel_pool_author.testing.findings import Finding, Inapplicable

ENVS = 5
CUT = 20
"""Steps before the state is saved."""
LATE = 97
"""Steps of deep play from one saving to the next."""
TIMES = 1000
"""Damaged states that are tried, ..."""
SECONDS = 1.0
"""... or as many as can be in this time."""


def state(tested: EnvUnderTest) -> str | None:
    """An environment restored elsewhere goes on as the saved one does; saving changes nothing.

    Once within an episode, into a pool that plays something else; and once where episodes are short, so that
    they end before and after the moment of saving, into a pool that has not begun.
    """
    size = _saved_and_restored(tested, limit=None, begun=True)
    for cut in (CUT - 1, CUT):  # in the middle of an episode, and when one has just ended
        _saved_and_restored(tested, limit=5, begun=False, cut=cut)
    often = max(7, min(LATE, deep.steps(tested) // 10))
    deep.compare(
        tested,
        f"play that is saved every {often} steps, and restored in another environment that goes on, parts",
        "save() and load() have to name every member that the future depends on, also what only late steps "
        "use, in one order; pointers mean nothing elsewhere",
        cut=often,
    )
    untouched(tested, "save() or load()", cut=often)
    return f"{size:,} bytes"


def damaged_states(tested: EnvUnderTest) -> str | None:
    """A forged state is refused, or the environment goes on from it within its own memory:
    an error is fine, a crash or an endless loop is not. Play comes to some of these late, or never.
    """
    actions = tested.actions(2, 40).arrays(tested.config)
    taken, findings = native_checks.check_damaged(*tested.native, actions, TIMES, 20, SECONDS)
    if taken < 0:
        raise Inapplicable("it cannot be saved")
    if findings:
        raise Finding(
            f"from a damaged state: {'; '.join(findings)}. If play can come to such a state, late or seldom, "
            "step() has to bound its indices; if it cannot, load() has to refuse what step() cannot go on "
            'from: in.between(cell_, 0, 63, "cell") takes a number that memory is found by'
        )
    return f"{taken} taken"


def _saved_and_restored(
    tested: EnvUnderTest, *, limit: int | None, begun: bool, cut: int = CUT
) -> int:
    """The size of the largest state."""
    after = min(tested.steps, 60)
    table = tested.actions(ENVS, cut + after)
    arguments = {"num_envs": ENVS} | ({} if limit is None else {"max_episode_steps": limit})
    with (
        tested.pool(seed=6, **arguments) as pool,
        tested.pool(seed=600, **arguments) as twin,
        tested.pool(seed=6, **arguments) as untouched,
    ):
        for each in (pool, untouched, *([twin] if begun else [])):
            each.reset()
        for step in range(cut):
            rows = table.at(step)
            pool.step(rows)
            untouched.step(rows)
            if begun and step % 2:
                twin.step(rows)
        try:
            states = pool.get_state()
        except NotOfferedError as error:
            raise Inapplicable("it cannot be saved, and says why") from error
        except StateError as error:
            if "does not offer" in str(error):
                raise Inapplicable("it cannot be saved") from None
            raise
        twin.set_state(None, states)
        saved: list[Row] = []
        restored: list[Row] = []
        plain: list[Row] = []
        for step in range(cut, cut + after):
            rows = table.at(step)
            saved.append(flatten(pool.step(rows)))
            restored.append(flatten(twin.step(rows)))
            plain.append(flatten(untouched.step(rows)))
        seeded = [table.play(each, 20, seed=list(range(1, ENVS + 1))) for each in (pool, twin)]
        pool.clone(0, range(1, ENVS))
        twin.set_state(range(1, ENVS), twin.get_state([0]) * (ENVS - 1))
        cloned = [
            [flatten(each.step(table.at(step))) for step in range(after)] for each in (pool, twin)
        ]
    if difference := first_difference(saved, plain, begin=1):
        raise Finding(
            f"saving changes what follows: {difference}. save() has to be without effects"
        )
    if difference := first_difference(saved, restored, begin=1):
        raise Finding(
            f"a restored environment goes on differently: {difference} (counted from the moment of "
            "saving). save() and load() have to name every member that the future depends on"
        )
    if difference := first_difference(*seeded):
        raise Finding(
            f"a restored environment differs after its next reset with a seed: {difference}. reset() has to "
            "set every member that save() and load() do not name"
        )
    if difference := first_difference(*cloned):
        raise Finding(
            f"clones go on differently than restored environments: {difference}. copy_from() has to take "
            "what load() of the other's save() takes"
        )
    return max(map(len, states))
