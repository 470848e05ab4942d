"""Trees of values: dicts and tuples, named ones too, nest; everything else, ObjectRows too, is a leaf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from parallel_pool.schema.object_rows import ObjectRows


def map_tree(function: Callable[..., Any], *trees: Any) -> Any:
    """Calls `function` for every leaf of the first tree, with the leaves at the same place of the others.

    The result is nested as the first tree. The other trees may have further keys.
    """
    first = trees[0]
    if isinstance(first, dict):
        return {key: map_tree(function, *[each[key] for each in trees]) for key in first}
    if is_tuple(first):
        return tuple_like(first, [map_tree(function, *each) for each in zip(*trees, strict=True)])
    return function(*trees)


def leaves(tree: Any) -> list[Any]:
    """All leaves, in order."""
    if isinstance(tree, dict) or is_tuple(tree):
        members = tree.values() if isinstance(tree, dict) else tree
        return [leaf for member in members for leaf in leaves(member)]
    return [tree]


def with_leaves(tree: Any, given: Iterable[Any]) -> Any:
    """The tree with the next of `given` in place of each leaf, in the order of `leaves`."""
    rest = iter(given)
    return map_tree(lambda _: next(rest), tree)


def paths(tree: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The leaves, each with the path to it: `path['key'][0]`."""
    if isinstance(tree, dict) or is_tuple(tree):
        for key, member in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from paths(member, f"{path}[{key!r}]")
    else:
        yield path, tree


def put(tree: dict[str, Any], path: Sequence[str], value: Any) -> None:
    """Sets the leaf at a path of keys; dicts on the way to it are made."""
    *parents, last = path
    for parent in parents:
        tree = tree.setdefault(parent, {})
    tree[last] = value


def is_tuple(tree: Any) -> bool:
    """Whether this part of a tree is a tuple, and no leaf."""
    return isinstance(tree, tuple) and not isinstance(tree, ObjectRows)


def tuple_like(like: tuple[Any, ...], members: Iterable[Any]) -> Any:
    """A tuple of the same class."""
    return like._make(members) if hasattr(like, "_fields") else tuple(members)  # type: ignore[attr-defined]
