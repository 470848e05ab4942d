"""What each id means, canonical, short or alias."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from parallel_pool import ids
from parallel_pool.caller import warn_caller
from parallel_pool.errors import AmbiguousEnvError, UnknownEnvError
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry.plugin import Plugin
from parallel_pool.registry.unknown_ids import unknown


@dataclass(frozen=True, slots=True)
class ResolvedEnv:
    """An environment that may be made, and the plugin that provides it."""

    spec: EnvSpec
    plugin: Plugin

    def warn_if_deprecated(self) -> None:
        """For `make` to call: the warning is of the line that calls `make`."""
        if self.spec.deprecated:
            message = f"{self.spec.id} is deprecated: {self.spec.deprecated}"
            warn_caller(message, DeprecationWarning)


class Catalogue:
    """The ids of a list of plugins. Built once; `_add` takes what a program registers later.

    Plugins may be appended to the list. Threads may ask while one adds, so what grows is copied before it is
    gone through.
    """

    def __init__(self, plugins: list[Plugin]) -> None:
        self.plugins = plugins
        """Every plugin found, refused, broken and disabled ones too, sorted by family."""
        self._envs: dict[str, ResolvedEnv] = {}
        """By canonical id; tombstones too."""
        self._names: dict[str, dict[str, None]] = defaultdict(dict)
        """Bare ids and aliases to the canonical ids they may mean, as ordered sets."""
        for plugin in plugins:
            for spec in plugin.specs.values():
                self._add(plugin, spec)
        self._note_shared_aliases()

    def _add(self, plugin: Plugin, spec: EnvSpec) -> None:
        """Enter an accepted spec of `plugin`."""
        self._envs[spec.id] = ResolvedEnv(spec, plugin)
        for name in (spec.id.partition("/")[2], *spec.aliases):
            self._names[name][spec.id] = None

    def _taken(self, plugin: Plugin, spec: EnvSpec) -> list[str]:
        """Why aliases of `spec`, which `plugin` is to have, cannot be: they are in another's family."""
        families = {each.family for each in self.plugins if each.status == "ok"} - {plugin.family}
        return [
            f"alias {alias} lies in the family {alias.rpartition('/')[0]} of another plugin"
            for alias in spec.aliases
            if alias.rpartition("/")[0] in families
        ]

    def specs(self, family: str | None = None, *, hidden: bool = False) -> list[EnvSpec]:
        """The environments that can be made, sorted by id; with `hidden` those too that are in no list."""
        live = (each.spec for each in list(self._envs.values()) if each.spec.removed is None)
        shown = (spec for spec in live if hidden or not spec.hidden)
        listed = (spec for spec in shown if family in (None, spec.family))
        return sorted(listed, key=lambda spec: spec.id)

    def short_ids(self, family: str | None = None) -> list[str]:
        """Bare ids and aliases that mean exactly one environment, sorted."""
        return sorted(
            name
            for name, meanings in list(self._names.items())
            if len(found := self._live(list(meanings))) == 1
            and name not in self._envs
            and not found[0].spec.hidden
            and family in (None, found[0].spec.family)
        )

    def resolve(self, task_id: str) -> ResolvedEnv:
        """What `task_id` means.

        In this order: a canonical id; a bare id or alias that one environment has; an id without
        version, of which the highest is taken. Raises UnknownEnvError with the nearest ids or the command that
        installs what is missing; AmbiguousEnvError with the candidates.
        """
        if task_id in self._envs:
            matches = [task_id]
        else:
            matches = list(self._names.get(task_id, ())) or list(self._latest(task_id))
        live = self._live(matches)
        if len(live) == 1:
            return live[0]
        if live:
            candidates = sorted(each.spec.id for each in live)
            raise AmbiguousEnvError(
                f"{task_id!r} may mean {' or '.join(candidates)}; use the full id", candidates
            )
        if matches:
            removed = self._envs[matches[0]].spec
            raise UnknownEnvError(f"{removed.id} was removed: {removed.removed}")
        raise unknown(task_id, self.plugins, self.specs(), self._meanings())

    def _live(self, matches: Iterable[str]) -> list[ResolvedEnv]:
        return [env for id in matches if (env := self._envs[id]).spec.removed is None]

    def _latest(self, task_id: str) -> Iterator[str]:
        """The highest version in each family of an id without version."""
        task = ids.parse(task_id)
        if task is None or task.version is not None:
            return
        highest: dict[str, tuple[int, str]] = {}
        for spec in self.specs(task.namespace, hidden=True):
            family, name, version = ids.parse_canonical(spec.id)
            if name == task.name:
                highest[family] = max(highest.get(family, (-1, "")), (version, spec.id))
        for _, id in highest.values():
            yield id

    def _meanings(self) -> dict[str, list[str]]:
        """Each canonical id, bare id and alias that means something, and what."""
        names = {name: list(meanings) for name, meanings in list(self._names.items())}
        names |= {id: [id] for id in list(self._envs)}
        live = {name: [env.spec.id for env in self._live(each)] for name, each in names.items()}
        return {name: meanings for name, meanings in live.items() if meanings}

    def _note_shared_aliases(self) -> None:
        """Tell `doctor` of aliases that another plugin claims too; using one is an ambiguity."""
        families = {plugin.family for plugin in self.plugins if plugin.status == "ok"}
        for env in list(self._envs.values()):
            for alias in env.spec.aliases:
                others = set(self._names[alias]) - {env.spec.id}
                namespace = alias.rpartition("/")[0]
                if namespace in families - {env.plugin.family}:
                    env.plugin.notes.append(
                        f"alias {alias} of {env.spec.id} is ignored: another plugin has the family"
                    )
                    del self._names[alias][env.spec.id]
                elif others:
                    env.plugin.notes.append(
                        f"alias {alias} of {env.spec.id} also means {', '.join(sorted(others))}"
                    )
