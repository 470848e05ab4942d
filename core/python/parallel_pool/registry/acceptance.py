"""Which of the environments a plugin lists are accepted, and why the others are not."""

from collections.abc import Iterable
from dataclasses import replace

from parallel_pool.plugin_api import EnvSpec
from parallel_pool.registry.first_party import FAMILIES, RESERVED


def accept(family: str, listed: Iterable[object]) -> tuple[dict[str, EnvSpec], list[str]]:
    """The accepted specs by id, in the author's order, and one reason per refusal.

    A spec is refused if it is no EnvSpec, is outside `family` or repeats an id. Only an alias is
    refused, and its spec kept without it, when the plugin itself uses it twice or when it lies in a
    first-party family of which this plugin is not the owner.
    """
    accepted: dict[str, EnvSpec] = {}
    reasons: list[str] = []
    for spec in listed:
        if not isinstance(spec, EnvSpec):
            reasons.append(f"parallel_pool_envs must yield EnvSpec, not {spec!r}")
        elif spec.family != family:
            reasons.append(f"{spec.id} is outside the plugin's own family {family!r}")
        elif spec.id in accepted:
            reasons.append(f"{spec.id} is listed twice")
        else:
            accepted[spec.id] = spec

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
