"""What to say when an id means nothing: the error that helps most."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from contextlib import suppress

from parallel_pool import ids
from parallel_pool.errors import PluginError, UnknownEnvError
from parallel_pool.imports.undisturbed import import_undisturbed
from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry import hooks
from parallel_pool.registry.envpool_families import without_plugin
from parallel_pool.registry.first_party import families_of, install_command, may_claim
from parallel_pool.registry.plugin import Plugin


def unknown(
    task_id: str,
    plugins: Sequence[Plugin],
    specs: Sequence[EnvSpec],
    names: Mapping[str, Sequence[str]],
) -> UnknownEnvError:
    """The first that applies: wrong case, a plugin's own answer, plugin unusable, extra missing, other version,
    Gymnasium's, EnvPool's, near miss.

    specs: the environments that can be made. names: each id, bare id and alias, to what it may mean of these.
    """
    spellings: dict[str, list[str]] = {}
    for name, meanings in names.items():
        spellings.setdefault(name.lower(), []).extend(meanings)
    if same := [*dict.fromkeys(spellings.get(task_id.lower(), []))]:
        return UnknownEnvError(
            f"unknown environment {task_id!r}. Did you mean {' or '.join(same)}? "
            "Upper and lower case differ in ids",
            same,
        )
    for plugin in plugins:
        if plugin.status == "ok":
            try:
                for old in hooks.old_ids(plugin):
                    if advice := old.advice(task_id):
                        return UnknownEnvError(f"there is no {task_id!r}; {advice}")
            except PluginError as error:
                return UnknownEnvError(f"unknown environment {task_id!r}; and {error}")
    return (
        _unusable(task_id, plugins)
        or _other_version(task_id, specs)
        or _of_gymnasium(task_id)
        or _of_envpool(task_id)
        or _near_miss(task_id, spellings, len(specs))
    )


def _unusable(task_id: str, plugins: Sequence[Plugin]) -> UnknownEnvError | None:
    families = families_of(task_id) or [task_id.partition("/")[0]]
    usable = {plugin.family for plugin in plugins if plugin.status == "ok"}
    if usable.intersection(families):
        return None
    for plugin in plugins:
        if plugin.family in families and may_claim(plugin.distribution, plugin.family):
            return UnknownEnvError(
                f"{task_id!r} cannot be found, because plugin {plugin.label} cannot be "
                f"used: {plugin.reason}. See `parallel-pool doctor`"
            )
    if not families_of(task_id):
        return None
    return UnknownEnvError(
        f"{task_id!r} needs the family {' or '.join(families)}, which is not "
        f"installed: {' or '.join(map(install_command, families))}"
    )


def _other_version(task_id: str, specs: Sequence[EnvSpec]) -> UnknownEnvError | None:
    """The name is there, perhaps in another case, with other versions."""
    task = ids.parse(task_id)
    if task is None:
        return None
    family, name = (task.namespace or "").lower(), task.name.lower()
    found = {
        spec.id: ids.parse_canonical(spec.id).name
        for spec in specs
        if family in ("", spec.family) and ids.parse_canonical(spec.id).name.lower() == name
    }
    if not found:
        return None
    case = "" if task.name in found.values() else ". Upper and lower case differ in ids"
    return UnknownEnvError(
        f"there is no {task_id!r}; there is {' and '.join(found)}{case}", [*found]
    )


def _of_gymnasium(task_id: str) -> UnknownEnvError | None:
    """Gymnasium's own registry has the id, perhaps in another case or version."""
    with suppress(ImportError):
        import_undisturbed("gymnasium")
        from gymnasium.envs.registration import registry as theirs

        def key(text: str) -> tuple[str | None, str] | None:
            task = ids.parse(text.lower())
            return None if task is None else (task.namespace, task.name)

        wanted = key(task_id)
        # Ours are there too, and were looked for.
        same = [
            each
            for each, spec in theirs.items()
            if wanted is not None
            and key(each) == wanted
            and not str(spec.entry_point).startswith("parallel_pool.")
        ]
        exact = [each for each in same if each.lower() == task_id.lower()]
        if found := [f"gym:{each}" for each in exact or same[-1:]]:
            return UnknownEnvError(
                f"no plugin has {task_id!r}, and Gymnasium's registry has: make({found[0]!r}) steps it in "
                "worker processes",
                found,
            )
    return None


def _of_envpool(task_id: str) -> UnknownEnvError | None:
    found = without_plugin(task_id)
    if found is None:
        return None
    family, module = found
    way = f": make('gym:{module}:ID') steps the originals in worker processes" if module else ""
    return UnknownEnvError(
        f"{task_id!r} is of EnvPool's family {family}, which has no plugin here{way}. "
        "docs/migrating-from-envpool.md lists all of its families"
    )


def _near_miss(task_id: str, spellings: Mapping[str, list[str]], count: int) -> UnknownEnvError:
    close = difflib.get_close_matches(task_id.lower(), spellings, n=5, cutoff=0.75)
    suggestions = [*dict.fromkeys(id for name in close for id in spellings[name])][:3]
    hint = f" Did you mean {' or '.join(suggestions)}?" if suggestions else ""
    return UnknownEnvError(
        f"unknown environment {task_id!r}.{hint} `parallel-pool list` shows all {count}",
        suggestions,
    )
