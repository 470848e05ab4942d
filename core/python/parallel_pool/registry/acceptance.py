"""Which of the environments a plugin lists are accepted, and why the others are not."""

from collections.abc import Iterable
from dataclasses import fields, replace

from parallel_pool.plugin_api import EnvSpec, places
from parallel_pool.registry.described import described, one_line
from parallel_pool.registry.first_party import FAMILIES, RESERVED


def accept(family: str, listed: Iterable[object]) -> tuple[dict[str, EnvSpec], list[str]]:
    """The accepted specs by id, in the author's order, and one reason per refusal.

    A spec is refused if it is no EnvSpec, is outside `family` or repeats an id. Only an alias is
    refused, and its spec kept without it, when the plugin itself uses it twice or when it lies in a
    first-party family of which this plugin is not the owner.
    """
    accepted: dict[str, EnvSpec] = {}
    reasons: list[str] = []
    for each in listed:
        if not isinstance(each, EnvSpec):
            reasons.append(f"parallel_pool_envs must yield EnvSpec, not {described(each)}")
            continue
        try:
            spec = _plain(each)
        except Exception as error:  # an attribute of a subclass
            reasons.append(f"an EnvSpec of parallel_pool_envs cannot be read: {one_line(error)}")
            continue
        if spec.family != family:
            reasons.append(f"{spec.id} is outside the plugin's own family {family!r}")
        elif spec.id in accepted:
            reasons.append(
                f"{spec.id} is listed twice: a preset with the id of its environment in the library "
                "stands for both"
            )
        else:
            accepted[spec.id] = spec
    have = {needs: _has(needs) for needs in {spec.needs for spec in accepted.values()}}
    for id, spec in accepted.items():
        if not have[spec.needs]:
            accepted[id] = replace(
                spec, removed=spec.missing or f"it needs {' or '.join(spec.needs)}"
            )

    meaning = {name: id for id in accepted for name in (id, id.partition("/")[2])}
    for id, spec in accepted.items():
        kept = []
        for alias in spec.aliases:
            namespace = alias.rpartition("/")[0]
            if namespace in RESERVED:
                reasons.append(f"{id}: alias {alias} lies in {namespace}, which is reserved")
            elif namespace in FAMILIES and namespace != family:
                reasons.append(f"{id}: alias {alias} belongs to the first-party family {namespace}")
            elif meaning.setdefault(alias, id) != id:
                reasons.append(f"{id}: alias {alias} already means {meaning[alias]}")
            else:
                kept.append(alias)
        if len(kept) < len(spec.aliases):
            accepted[id] = replace(spec, aliases=tuple(kept))
    return accepted, reasons


def _has(needs: tuple[str, ...]) -> bool:
    return not needs or any(path.is_file() for need in needs for path in places(need))


def _plain(spec: EnvSpec) -> EnvSpec:
    """`spec`, or what the attributes of a subclass are now: they may be computed, and differ later."""
    if type(spec) is EnvSpec:
        return spec
    return EnvSpec(**{each.name: getattr(spec, each.name) for each in fields(EnvSpec)})
