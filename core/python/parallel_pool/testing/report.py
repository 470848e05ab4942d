"""Running checks and telling what came out."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from parallel_pool.errors import ParallelPoolError
from parallel_pool.registry import registry
from parallel_pool.testing.checks import ENV_CHECKS, NEEDS, PLUGIN_CHECKS
from parallel_pool.testing.env_under_test import EnvUnderTest
from parallel_pool.testing.findings import Finding, Inapplicable


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
        """What did not pass."""
        return [each for each in self.results if each.outcome == "failed"]

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return not self.failures


def check_plugin(
    family: str,
    *,
    env_ids: Iterable[str] | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    references: Mapping[str, Any] | None = None,
    steps: int = 150,
    only: Iterable[str] | None = None,
    each: Callable[[Result], None] | None = None,
) -> Report:
    """Every check of every environment of a plugin.

    env_ids: None: one per native environment (presets of one environment share its code).
    options, references: by id, as for `EnvUnderTest`. only: names of checks. each: called with every result.
    """
    report = Report()
    for result in _results(family, env_ids, options or {}, references or {}, steps, only):
        report.results.append(result)
        if each is not None:
            each(result)
    return report


def check_env(
    env_id: str,
    *,
    options: Mapping[str, Any] | None = None,
    reference: Any = None,
    steps: int = 150,
) -> Report:
    """Every check of one environment."""
    spec = registry().resolve(env_id).spec
    examination = Examination(EnvUnderTest(spec.id, options, steps=steps, reference=reference))
    return Report([examination.result(name) for name in ENV_CHECKS])


def ids_to_check(family: str) -> list[str]:
    """One environment for each that the library has: presets of one share its code."""
    registry().plugin(family)  # raises where there is none
    chosen: dict[str, str] = {}
    for spec in registry().specs(family):
        if spec.backend == "native" and not spec.removed:
            chosen.setdefault(spec.native_id, spec.id)
    return sorted(chosen.values())


def _results(
    family: str,
    env_ids: Iterable[str] | None,
    options: Mapping[str, Mapping[str, Any]],
    references: Mapping[str, Any],
    steps: int,
    only: Iterable[str] | None,
) -> Iterator[Result]:
    wanted = set(ENV_CHECKS) | set(PLUGIN_CHECKS) if only is None else set(only)
    unknown = wanted - set(ENV_CHECKS) - set(PLUGIN_CHECKS)
    if unknown:
        raise ValueError(
            f"there is no check {sorted(unknown)[0]!r}; there are: "
            f"{', '.join([*PLUGIN_CHECKS, *ENV_CHECKS])}"
        )
    for name, of_plugin in PLUGIN_CHECKS.items():
        if name in wanted:
            yield run(family, name, of_plugin, family)
    for env_id in ids_to_check(family) if env_ids is None else env_ids:
        tested = EnvUnderTest(
            env_id, options.get(env_id), steps=steps, reference=references.get(env_id)
        )
        examination = Examination(tested)
        yield from (examination.result(name) for name in ENV_CHECKS if name in wanted)


class Examination:
    """The checks of one environment, each run once, and only where what it takes for granted holds."""

    def __init__(self, tested: EnvUnderTest) -> None:
        self._tested = tested
        self._done: dict[str, Result] = {}

    def result(self, check: str) -> Result:
        """What came out of this check."""
        if check not in self._done:
            self._done[check] = self._run(check)
        return self._done[check]

    def _run(self, check: str) -> Result:
        for needed in NEEDS.get(check, ()):
            before = self.result(needed)
            if before.outcome == "failed":
                reason = f"{needed} comes first"
                return Result(self._tested.env_id, check, "inapplicable", reason)
            if before.text.endswith(" comes first"):
                return Result(self._tested.env_id, check, "inapplicable", before.text)
        return run(self._tested.env_id, check, ENV_CHECKS[check], self._tested)


def run(label: str, name: str, check: Callable[[Any], str | None], argument: Any) -> Result:
    """One check, whatever it ends with."""
    try:
        remark = check(argument)
    except Inapplicable as reason:
        return Result(label, name, "inapplicable", str(reason))
    except Finding as finding:
        return Result(label, name, "failed", str(finding))
    except ParallelPoolError as error:
        return Result(label, name, "failed", f"{type(error).__name__}: {error}")
    except Exception:
        return Result(label, name, "failed", traceback.format_exc())
    return Result(label, name, "passed", remark or "")
