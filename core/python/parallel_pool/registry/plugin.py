"""One plugin as the registry sees it: where it comes from and how it fared."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pluggy

from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry.plugin_index import Index

SLOW_SECONDS = 1.0
DISABLE_VARIABLE = "PARALLEL_POOL_DISABLE_PLUGINS"
BY_PROGRAM = "registered by the program"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a plugin; `cause` is what it raised, if anything."""

    plugin: str
    """The plugin's label: family, distribution and version."""
    reason: str
    cause: BaseException | None = None

    def __str__(self) -> str:
        return f"plugin {self.plugin}: {self.reason}"


@dataclass(slots=True)
class Plugin:
    """A claim to a family by a distribution, kept even when refused, broken or disabled."""

    family: str
    distribution: str
    version: str
    module: str
    """The entry point's value."""
    status: Literal["ok", "failed", "disabled"] = "ok"
    seconds: float = 0.0
    """Time taken to import the module, without an index, and to list its environments."""
    specs: dict[str, EnvSpec] = field(default_factory=dict)
    """Accepted environments by canonical id, tombstones included."""
    problems: list[Problem] = field(default_factory=list)
    """What was refused or broken; shown in a warning."""
    notes: list[str] = field(default_factory=list)
    """Harmless oddities; shown by `doctor` only."""
    hook: pluggy.HookRelay | None = None
    """The plugin's own hooks; call them through `registry.hooks`, which connects those of an indexed plugin."""
    index: Index | None = None
    """None: its environments are those that its module lists."""
    compared: Path | None = None
    """The library that was seen to be that of the index."""
    library: Path | None = None
    """A library in place of the one that the plugin names: another build of it."""

    @property
    def label(self) -> str:
        """The family, and the package and version that it comes from."""
        origin = f"{self.distribution} {self.version}".strip()
        return f"{self.family} ({origin})"

    @property
    def reason(self) -> str:
        """Why the status is not ok, in one line; empty when it is."""
        if self.status == "disabled":
            return f"disabled by {DISABLE_VARIABLE}"
        return self.problems[0].reason if self.status == "failed" else ""

    @property
    def env_count(self) -> int:
        """How many environments can be made and are in lists."""
        return sum(spec.removed is None and not spec.hidden for spec in self.specs.values())

    @property
    def by_program(self) -> bool:
        """Whether it is no distribution, but what `parallel_pool.register` was called with."""
        return self.distribution == BY_PROGRAM

    @property
    def reinstall(self) -> str:
        """The command that most often fixes a broken plugin."""
        return f"pip install --force-reinstall {self.distribution}"

    @property
    def fix(self) -> str:
        """What most often fixes a broken plugin, as a sentence."""
        if self.by_program:
            return "Mend what was given to parallel_pool.register"
        return f"Try `{self.reinstall}`"

    @property
    def hiding(self) -> str:
        """How to do without it."""
        return f"To hide it: {DISABLE_VARIABLE}={self.distribution}"

    def report(self, reason: str, cause: BaseException | None = None) -> None:
        """Record a problem that costs the plugin some environment or alias."""
        self.problems.append(Problem(self.label, " ".join(reason.split()), cause))

    def fail(self, reason: str, cause: BaseException | None = None) -> None:
        """Record a problem that costs the plugin everything."""
        self.status = "failed"
        self.specs.clear()
        self.hook = None
        self.report(reason, cause)

    def warning(self) -> str:
        """The one warning this plugin deserves, or an empty string."""
        if self.problems:
            others = len(self.problems) - 1
            more = f" (and {others} more)" if others else ""
            lost = "skipped" if self.status == "failed" else "partly skipped"
            return (
                f"plugin {self.label} is {lost}: {self.problems[0].reason}{more}. "
                f"Details: `parallel-pool doctor`. {self.hiding}"
            )
        if self.seconds > SLOW_SECONDS:
            return (
                f"plugin {self.label} took {self.seconds:.1f} CPU s to import and list its "
                f"environments; expected under {SLOW_SECONDS:.0f} s. Its author should import "
                f"less in {self.module}; hide it with {DISABLE_VARIABLE}={self.distribution}"
            )
        return ""
