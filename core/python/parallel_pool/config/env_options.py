"""Environments of one pool that differ: in their options, or in the game they are.

One syntax, `env_options`, because a list is also a plain value of an option that is an array. It holds
one dict per environment, or one dict of columns:

    make("Pendulum-v1", env_options=[{"g": 9.8}, {"g": 1.6}])
    make("Pendulum-v1", env_options={"g": np.linspace(1, 20, 64)})

They override the keyword arguments, which all environments have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from parallel_pool import _core
from parallel_pool.computed_once import computed_once
from parallel_pool.config.arguments import COMMON_DEFAULTS
from parallel_pool.config.options import Declaration, check_options, is_internal, python_options
from parallel_pool.errors import OptionError, PluginError
from parallel_pool.registry import ResolvedEnv, hooks
from parallel_pool.registry.plugin_index import Index

if TYPE_CHECKING:
    from parallel_pool.plugin_api import EnvSpec

Row = dict[str, Any]


@dataclass(frozen=True)
class Variant:
    """How some environments of a pool are built: all options that decide it."""

    env: EnvSpec
    options: Row
    """Checked and completed, for the library. Missing options have the library's default."""
    asked: Row
    """The options before the plugin completed them."""
    row: Row
    """The part that env_options gave."""
    description: dict[str, Any]
    """The library's description of an environment with these options."""
    first: int
    """The number of the first environment of this variant."""
    internal: frozenset[str] = frozenset()
    """The options whose values the plugin keeps to itself."""

    @property
    def completed(self) -> bool:
        """Whether the plugin added or changed an option."""
        asked = {name: _key(value) for name, value in self.asked.items()}
        return asked != {name: _key(value) for name, value in self.options.items()}

    def effective(self, declaration: Declaration) -> Any:
        """The value of an option, given or not."""
        return {**self.asked, **self.options}.get(declaration["name"], declaration["default"])

    @property
    def shown(self) -> Row:
        """The options as users see them; what is not here has the library's default."""
        as_given = {name: self.asked[name] for name in self.internal if name in self.asked}
        completed = {name: each for name, each in self.options.items() if name not in self.internal}
        return {**completed, **as_given}


@dataclass(frozen=True)
class EnvVariants:
    """The environments of a pool: the variants, and which of them each one is."""

    load: Callable[[], _core.Plugin]
    declared: Mapping[str, Sequence[Declaration]]
    """By id, the options of each environment that the pool has, in their order."""
    distinct: Sequence[Variant]
    variant_of: Sequence[int]
    """By environment, the number of its variant; of one element where all are alike."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """The options that were given for all, checked."""

    @computed_once
    def plugin(self) -> _core.Plugin:
        """Their library."""
        return self.load()

    @property
    def mixed(self) -> bool:
        """Whether they are of several environments of the library."""
        return len({each.env.native_id for each in self.distinct}) > 1

    @property
    def natives(self) -> str | list[str]:
        """The id in the library, of all environments or of each."""
        if not self.mixed:
            return self.distinct[0].env.native_id
        return [self.distinct[number].env.native_id for number in self.variant_of]

    @property
    def declarations(self) -> list[Declaration]:
        """The options that all environments have, as the first one's are declared."""
        first, *others = self.declared.values()
        kinds = [{each["name"]: each["kind"] for each in other} for other in others]
        return [
            each for each in first if all(each["kind"] == kind.get(each["name"]) for kind in kinds)
        ]

    @property
    def visible(self) -> list[Declaration]:
        """Those of them that users see."""
        return [each for each in self.declarations if not is_internal(each)]

    @property
    def options(self) -> list[Row]:
        """One for all environments, or one each; environments of one variant share a dict."""
        return [self.distinct[number].options for number in self.variant_of]

    def effective(self, env: int) -> Row:
        """Every option of an environment with its value, given or not."""
        variant = self._variant(env)
        return {each["name"]: variant.effective(each) for each in self.declared[variant.env.id]}

    def shown(self, env: int) -> Row:
        """Every visible option of an environment, with its value as users see it."""
        row = self._visible(self._variant(env))
        return {each["name"]: row[each["name"]] for each in self.visible}

    @property
    def shared(self) -> Row:
        """The visible options that are the same for all environments."""
        own, row = self.differing, self.distinct[0].shown
        names = (each["name"] for each in self.visible)
        return {name: row[name] for name in names if name in row and name not in own}

    @property
    def own(self) -> dict[str, list[Any]] | list[Row]:
        """The options of the environments that not all have in common, as env_options."""
        alike = all(len(each) == len(self.declarations) for each in self.declared.values())
        if alike and not self.mixed:
            return self.differing
        rows = [self._row_of(variant) for variant in self.distinct]
        return [rows[number] for number in self.variant_of] if any(rows) else {}

    def _row_of(self, variant: Variant) -> Row:
        """The visible options of a variant, without those that are the same for all."""
        shown, differing = variant.shown, self.differing
        common = {each["name"] for each in self.declarations}
        return {
            each["name"]: shown.get(each["name"], each["default"])
            for each in self.declared[variant.env.id]
            if not is_internal(each)
            and (
                each["name"] in differing or (each["name"] in shown and each["name"] not in common)
            )
        }

    def _variant(self, env: int) -> Variant:
        return self.distinct[self.variant_of[env] if len(self.variant_of) > 1 else 0]

    def _visible(self, variant: Variant) -> Row:
        """Every option that a variant declares, with its value as users see it."""
        defaults = {each["name"]: each["default"] for each in self.declared[variant.env.id]}
        return {**defaults, **variant.shown}

    @property
    def differing(self) -> dict[str, list[Any]]:
        """The visible options that all have and in which they differ, each with one value per environment."""
        rows = [self._visible(variant) for variant in self.distinct]
        columns = {}
        for each in self.visible:
            values = [row[each["name"]] for row in rows]
            if any(_key(value) != _key(values[0]) for value in values):
                columns[each["name"]] = [values[number] for number in self.variant_of]
        return columns


def env_variants(
    known: _core.Plugin | Index,
    load: Callable[[], _core.Plugin],
    envs: Sequence[ResolvedEnv],
    given: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]] | None,
    limit: int | None,
    isolated: bool,
) -> EnvVariants:
    """Checks and completes the options of every environment.

    known: the library, or an index that says all of these environments. load: gives the library.
    envs: one for all, or one per environment. given: the options of all. rows: as `rows_of` returns them.
    limit: the pool's max_episode_steps, which hooks see in the spec; None: not given. isolated: whether they
    are described as they are in worker processes. Raises OptionError naming environment, option and value.
    """
    declared = {}
    for env in {each.spec.id: each.spec for each in envs}.values():
        library = known.declaration(env.native_id)["options"]
        declared[env.id] = [*library, *python_options(env)]
        expect_own_names(env, "library", [option["name"] for option in declared[env.id]])
    first = envs[0].spec
    # Before the plugin's own hook, which then gets no unknown names.
    given = check_options(first.id, declared[first.id], given, COMMON_DEFAULTS)
    alike = len(envs) == 1 and rows is None
    count = 1 if alike else max(len(envs), len(rows or ()))
    variants: list[Variant] = []
    numbers: dict[Any, int] = {}
    variant_of = []
    for number in range(count):
        resolved = envs[number if len(envs) > 1 else 0]
        env = resolved.spec
        owner = env.id if alike else f"{env.id}, environment {number}"
        declarations = declared[env.id]
        row = dict(rows[number]) if rows is not None else {}
        refuse_common(owner, row, COMMON_DEFAULTS)
        if row:
            with _naming(env.id, owner):
                row = hooks.translate_options(resolved.plugin, env, row)
            row = check_options(owner, declarations, row)
        key = (env.id, *sorted((name, _key(value)) for name, value in row.items()))
        if key not in numbers:
            numbers[key] = len(variants)
            asked = {**env.options, **given, **row}
            if limit is not None:
                env = replace(env, max_episode_steps=limit)
            completed, internal = asked, frozenset(env.python_options)
            if isinstance(known, Index):
                options = check_options(owner, declarations, completed)
                description = known.description(env)
            else:
                with _naming(env.id, owner):
                    completed, internal = hooks.complete_options(resolved.plugin, env, asked)
                options = check_options(owner, declarations, completed)
                with _naming(env.native_id, owner, ValueError):
                    description = known.describe(env.native_id, options, isolated)
            variants.append(Variant(env, options, asked, row, description, number, internal))
        variant_of.append(numbers[key])
    return EnvVariants(load, declared, variants, variant_of if len(variants) > 1 else [0], given)


@contextmanager
def _naming(known_as: str, owner: str, refused: type[ValueError] = OptionError) -> Iterator[None]:
    """Errors of a plugin or of its library name its environment: these name the one of the pool."""
    try:
        yield
    except refused as error:
        raise OptionError(str(error).replace(known_as, owner, 1)) from None


def refuse_common(owner: str, row: Mapping[str, Any], common: Iterable[str]) -> None:
    """Raises OptionError if env_options has an argument of the whole pool."""
    if misplaced := sorted(frozenset(common).intersection(row)):
        raise OptionError(
            f"{owner}: {misplaced[0]} in env_options is an argument of the whole pool: "
            f"make(..., {misplaced[0]}=...)"
        )


def expect_own_names(env: EnvSpec, part: str, names: Sequence[str]) -> None:
    """Raises PluginError for an environment's own option that no user could set: another has its name."""
    for name in names:
        argument = name in COMMON_DEFAULTS or name in ("task_id", "env_type")
        if argument or names.count(name) > 1:
            other = "an argument of make" if argument else "one of its library's too"
            raise PluginError(
                f"{env.id}: its {part} has the option {name!r}, which is {other}: the plugin must "
                "give it another name"
            )


def _key(value: Any) -> Any:
    """Equal for equal values of one option."""
    return value.tobytes() if isinstance(value, np.ndarray) else value
