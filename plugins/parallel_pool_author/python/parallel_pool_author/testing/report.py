"""Running checks and telling what came out."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal, Self

from parallel_pool.author_api import registry
from parallel_pool.errors import ParallelPoolError

from parallel_pool_author.testing import deep
from parallel_pool_author.testing.checks import ENV_CHECKS, NEEDS, PLUGIN_CHECKS
from parallel_pool_author.testing.checks.original import made_in_python
from parallel_pool_author.testing.env_under_test import EnvUnderTest
from parallel_pool_author.testing.examiner import (
    AVAILABLE,
    LIMIT,
    SANITIZER,
    EndedError,
    Examiner,
    TimeLimitError,
)
from parallel_pool_author.testing.findings import Finding, Inapplicable


@dataclass(frozen=True)
class Result:
    """One check of one environment, or of the plugin."""

    subject: str
    """The environment's id, or the family."""
    check: str
    outcome: Literal["passed", "failed", "inapplicable"]
    text: str = ""
    """The finding, the reason why it does not apply, or a remark."""


@dataclass
class Report:
    """Results in the order in which they came."""

    results: list[Result] = field(default_factory=list)

    @property
    def failures(self) -> list[Result]:
        """The results that did not pass."""
        return [each for each in self.results if each.outcome == "failed"]

    @property
    def ok(self) -> bool:
        """True if nothing failed."""
        return not self.failures


def check_plugin(
    family: str,
    *,
    env_ids: Iterable[str] | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    references: Mapping[str, Any] | None = None,
    steps: int = 150,
    only: Iterable[str] | None = None,
    first: Iterable[str] = (),
    begins: Callable[[str, str], None] | None = None,
    each: Callable[[Result], None] | None = None,
    limit: float = LIMIT,
    in_process: bool = False,
) -> Report:
    """Every check of every environment of a plugin.

    env_ids: None: one per native environment (presets of one environment share its code).
    options, references: by id, as for `EnvUnderTest`. only: names of checks. first: those that all environments
    go through before the other checks begin. begins: called with the environment (or the family) and the check
    before it begins; each: with every result.
    limit, in_process: as for `Examination`.
    Raises ValueError for a check that does not exist, and for options or references of an environment that is
    not checked.
    """
    early = set(first)
    wanted = set(ENV_CHECKS) | set(PLUGIN_CHECKS) if only is None else set(only)
    if unknown := (wanted | early) - set(ENV_CHECKS) - set(PLUGIN_CHECKS):
        raise ValueError(
            f"there is no check {sorted(unknown)[0]!r}; there are: "
            f"{', '.join([*PLUGIN_CHECKS, *ENV_CHECKS])}"
        )
    found = examinations(
        family,
        env_ids=env_ids,
        options=options,
        references=references,
        steps=steps,
        limit=limit,
        in_process=in_process,
    )
    report = Report()
    for now in (wanted & early, wanted - early):
        for examination in found.values():
            with examination:
                for name in examination.checks:
                    if name not in now:
                        continue
                    if begins is not None:
                        begins(examination.subject, name)
                    report.results.append(examination.result(name))
                    if each is not None:
                        each(report.results[-1])
    return report


def examinations(
    family: str,
    *,
    env_ids: Iterable[str] | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    references: Mapping[str, Any] | None = None,
    steps: int = 150,
    limit: float = LIMIT,
    in_process: bool = False,
) -> dict[str, Examination]:
    """Returns those of the plugin and of each environment, by subject, not run. Arguments: `check_plugin`'s."""
    ids = ids_to_check(family) if env_ids is None else list(env_ids)
    options, references = options or {}, references or {}
    _only_checked(ids, options=options, references=references)
    how: Any = {"limit": limit, "in_process": in_process}
    found = {family: Examination(PLUGIN_CHECKS, family, family, **how)}
    for env_id in ids:
        tested = EnvUnderTest(
            env_id, options.get(env_id), steps=steps, reference=references.get(env_id)
        )
        found[env_id] = Examination(ENV_CHECKS, env_id, tested, **how)
    return found


def check_env(
    env_id: str,
    *,
    options: Mapping[str, Any] | None = None,
    reference: Any = None,
    steps: int = 150,
    limit: float = LIMIT,
    in_process: bool = False,
) -> Report:
    """Every check of one environment. limit, in_process: as for `Examination`."""
    spec = registry().resolve(env_id).spec
    tested = EnvUnderTest(spec.id, options, steps=steps, reference=reference)
    with Examination(
        ENV_CHECKS, spec.id, tested, limit=limit, in_process=in_process
    ) as examination:
        return Report([examination.result(name) for name in ENV_CHECKS])


def _only_checked(ids: Iterable[str], **given: Mapping[str, Any]) -> None:
    """Raises ValueError where something is said of an environment that is not checked: its id may be wrong."""
    known = list(ids)
    for what, by_id in given.items():
        for env_id in by_id:
            if env_id not in known:
                meant = get_close_matches(env_id, known, 1)
                raise ValueError(
                    f"{what} name {env_id!r}, which is not checked"
                    + (f": did you mean {meant[0]!r}?" if meant else f"; {', '.join(known)} are")
                )


def ids_to_check(family: str) -> list[str]:
    """One environment for each that the library has: presets of one share its code. And each that the plugin
    makes in Python too: their code is there."""
    registry().plugin(family)  # raises where there is none
    chosen: dict[str, str] = {}
    for spec in registry().specs(family, hidden=True):
        if spec.backend == "native" and not spec.removed:
            own = made_in_python(spec, spec.options) is not None
            chosen.setdefault(spec.id if own else spec.native_id, spec.id)
    return sorted(chosen.values())


class Examination:
    """The checks of one environment (or plugin), each run once, and only where what it takes for granted holds.

    They run in a process of their own, one after the other: a crash, a call of exit() and an endless loop are
    findings of the check in which they happen, and the next ones run in another process.

    limit: seconds that one check may take. in_process: in this process instead, without a limit; for debuggers.
    """

    def __init__(
        self,
        checks: Mapping[str, Callable[[Any], str | None]],
        subject: str,
        argument: Any,
        *,
        limit: float = LIMIT,
        in_process: bool = False,
    ) -> None:
        self.subject = subject
        self.checks = checks
        self._argument = argument
        self._limit = limit
        self._in_process = in_process or not AVAILABLE
        self._examiner: Examiner[Result] | None = None
        self._ran: list[str] = []
        self._done: dict[str, Result] = {}
        self._endless: str | None = None
        """The check that ran into the limit. The loop that it met would cost others the same again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends its process. Another one begins if another check is asked for."""
        if self._examiner is not None:
            self._examiner.close()
        self._examiner = None
        self._ran = []

    def result(self, check: str) -> Result:
        """Returns what came out of this check."""
        if check not in self._done:
            self._done[check] = self._result(check)
        return self._done[check]

    def _result(self, check: str) -> Result:
        for needed in NEEDS.get(check, ()):
            before = self.result(needed)
            if before.outcome == "failed":
                reason = f"{needed} comes first"
                return Result(self.subject, check, "inapplicable", reason)
            if before.text.endswith(" comes first"):
                return Result(self.subject, check, "inapplicable", before.text)
        if self._in_process:
            return self._run(check)
        if self._endless is not None:
            reason = f"{self._endless} did not end, and comes first"
            return Result(self.subject, check, "inapplicable", reason)
        earlier = [*self._ran]
        try:
            return self._asked(check)
        except EndedError as ended:
            how, late = str(ended), isinstance(ended, TimeLimitError)
        self.close()
        if late:
            self._endless = check
            how += ". A loop in step, reset, load, draw or a destructor has no end, or the limit is too short"
            if check == "render":
                how += ", as for pictures with large shadows where no GPU draws"
            if self._limit < LIMIT:
                how += f"; `parallel-pool check` gives it {LIMIT:g} seconds"
        elif earlier:
            # Memory that one check has spoilt may kill another.
            try:
                alone = self._asked(check)
            except EndedError as ended:
                how = str(ended)
                self.close()
            else:
                if alone.outcome != "passed":
                    return alone
                how += f". Alone in its process it passes, so it was {' or '.join(earlier)} that spoilt memory"
        return Result(self.subject, check, "failed", f"{check} {how}. {self._advice(check, how)}")

    def _asked(self, check: str) -> Result:
        if self._examiner is None:
            self._examiner = Examiner(self._run, self._limit)
        result = self._examiner.ask(check)
        self._ran.append(check)
        return result

    def _run(self, check: str) -> Result:
        return run(self.subject, check, self.checks[check], self._argument)

    def _advice(self, check: str, how: str) -> str:
        family, slash, _ = self.subject.partition("/")
        env = f" --env {self.subject}" if slash else ""
        if SANITIZER.search(how):
            return f"The whole report: add --only {check}{env} --in-process"
        cause = ""
        if "terminate called" in how:
            cause = "An exception left a function that must not throw, a destructor say. "
        elif check == "damaged_states":
            cause = "load() has to refuse what step() cannot go on from, say with in.between(...). "
        return (
            f"{cause}To see where: gdb -ex run --args python -m parallel_pool.cli "
            f"check {family}{env} --only {check} --in-process"
        )


def run(label: str, name: str, check: Callable[[Any], str | None], argument: Any) -> Result:
    """One check, whatever it ends with."""
    try:
        remark = check(argument)
    except Inapplicable as reason:
        return Result(label, name, "inapplicable", str(reason))
    except Finding as finding:
        return Result(label, name, "failed", _cause(name, finding, argument))
    except ParallelPoolError as error:
        return Result(label, name, "failed", f"{type(error).__name__}: {error}")
    except Exception:
        return Result(label, name, "failed", traceback.format_exc())
    return Result(label, name, "passed", remark or "")


COMPARE = {"leftovers", "fresh_start", "autoreset", "independence", "options", "per_env_options"}
COMPARE |= {"chunks", "state", "render"}
"""Checks that play twice, and compare."""


def _cause(check: str, finding: Finding, argument: Any) -> str:
    """The finding, or that the environment is not even like itself: with a clock every comparison may fail."""
    if check in COMPARE and isinstance(argument, EnvUnderTest) and argument.deep is not None:
        try:
            deep.like_itself(argument)
        except Finding as cause:
            return str(cause)
        except Exception:
            pass  # the environment is broken in another way
    return str(finding)
