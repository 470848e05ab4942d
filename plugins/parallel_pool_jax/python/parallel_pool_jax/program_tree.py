"""The part of a result that a compiled program can have: a tree of columns, each of fixed shape and dtype.

Left out: masks that are always true, arrays of objects, texts. A column of some batches only is there
in all, valid where its mask says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from parallel_pool import NotOfferedError
from parallel_pool.pool_api import leaves, map_tree
from parallel_pool.pool_api import result_tree as nodes

COLUMNS = (nodes.FieldColumn, nodes.FinalColumn, nodes.HostColumn, nodes.PlayerColumn)
_LEFT_OUT = (
    nodes.Ones,
    nodes.Objects,
    nodes.Errors,
    nodes.ErrorMask,
    nodes.TakenInfos,
    nodes.TextObjects,
)


def program_tree(tree: nodes.Tree) -> Any:
    """Tuples, dicts and nodes of COLUMNS, or nodes.Computed of such."""
    if isinstance(tree, tuple):
        return tuple(program_tree(member) for member in tree)
    if isinstance(tree, Mapping):
        return {
            name: program_tree(member)
            for name, member in tree.items()
            if not isinstance(member, _LEFT_OUT)
        }
    if isinstance(tree, nodes.Dict):
        return {name: member for part in tree.parts for name, member in _members(part).items()}
    if isinstance(tree, COLUMNS) or (isinstance(tree, nodes.Computed) and tree.elementwise):
        return tree
    what = "pictures drawn in Python"
    if isinstance(tree, nodes.Errors):
        what = "texts (nan_action='truncate')"
    elif isinstance(tree, nodes.TransformNode):
        what = "what transform makes of observations and rewards"
    raise NotOfferedError(
        f"xla() has no place for {what}: a compiled program takes what the library itself writes. Call step "
        "from Python"
    )


def _members(part: Any) -> Any:
    if isinstance(part, nodes.IfErrors | nodes.Extended):
        return {}
    return program_tree(part.members if isinstance(part, nodes.IfEnded) else part)


def columns_of(tree: Any) -> list[nodes.Node]:
    """The columns of a program tree, in the order of `filled`."""
    return list(dict.fromkeys(_columns(tree)))


def _columns(tree: Any) -> Iterator[nodes.Node]:
    for node in leaves(tree):
        if isinstance(node, nodes.Computed):
            yield from _columns(node.inputs)
        else:
            yield node


def mapped(tree: Any, leaf: Callable[[nodes.Node], Any]) -> Any:
    """The tree with what `leaf` says in place of its columns."""

    def value(node: nodes.Node) -> Any:
        if isinstance(node, nodes.Computed):
            return node.function(*map(leaf, _columns(node.inputs)))
        return leaf(node)

    return map_tree(value, tree)


@dataclass(frozen=True)
class Place:
    """Stands for the array of a node in a result of which only the form is of interest."""

    node: nodes.Node

    def astype(self, dtype: Any) -> Place:
        """Returns this place: views call it to make an array narrower."""
        del dtype
        return self


def picked(tree: Any, given: Any, path: str) -> dict[nodes.Node, Any]:
    """column -> what stands in its place in `given`, which may have more members. tree: a result of Places."""
    if isinstance(tree, Place):
        return {} if isinstance(tree.node, nodes.Computed) else {tree.node: given}
    found: dict[nodes.Node, Any] = {}
    members = tree.items() if isinstance(tree, Mapping) else enumerate(tree)
    for number, (key, member) in enumerate(members):
        try:
            part = given[number] if isinstance(given, tuple) else given[key]
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"{path} has no {key!r}: give what reset or step returned") from error
        found = picked(member, part, f"{path}[{key!r}]") | found
    return found
