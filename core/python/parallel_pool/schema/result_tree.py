"""What results look like: trees of frozen nodes, to which `_core.Pool` builds every batch.

Tuples and mappings nest, and are tuples and new dicts in the result. All else is a node. Each kind of
node has a struct of the same name in C++ (core/src/results: result_tree.cpp and *_leaves.cpp). Another kind
needs both, and a call of `_core.register_node` (core/src/results/result_node.hpp).

One node object is one thing, wherever it stands in the trees of a pool: `Computed` is called once for it,
and statistics that a node keeps are the same after a step and after a reset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from parallel_pool.schema.running_statistics import RunningStatistics


@dataclass(frozen=True)
class Node:
    """The base of all kinds."""


Tree: TypeAlias = Union[Node, tuple["Tree", ...], Mapping[str, "Tree"]]  # noqa: UP007  (it is recursive)

# ---- columns of the batch, as arrays without a copy ---------------------------------------------


@dataclass(frozen=True)
class FieldColumn(Node):
    """A field of the environment, by its number."""

    number: int


@dataclass(frozen=True)
class FinalColumn(Node):
    """Its last row in episodes that ended. Of observations and infos in SAME_STEP pools."""

    number: int


@dataclass(frozen=True)
class TrailColumn(Node):
    """A field of observations in the steps of a chunk before its last, oldest first: for each row of the batch
    `chunk_trail` of the array, of which the first are in use, as many as HostColumn("chunk_trail") says.
    """

    number: int


@dataclass(frozen=True)
class HostColumn(Node):
    """A column that the host fills, by its name: core/src/results/result_leaves.cpp has them."""

    name: str


@dataclass(frozen=True)
class PlayerColumn(Node):
    """What the pool itself knows of players, by its name: host/plugin/spec.hpp has them.

    One row per player in flat results, one per place in padded ones.
    """

    name: str


# ---- made for each batch ------------------------------------------------------------------------


@dataclass(frozen=True)
class Ones(Node):
    """One True per row; shared, so read-only."""


@dataclass(frozen=True)
class Errors(Node):
    """An object array: why an environment was not stepped, `absent` where it was."""

    absent: str | None = None


@dataclass(frozen=True)
class ErrorMask(Node):
    """Where an environment was not stepped."""


@dataclass(frozen=True)
class Objects(Node):
    """An object array: of each row in which an episode ended its part of the tree, else None."""

    tree: Tree


@dataclass(frozen=True)
class TextObjects(Node):
    """Bytes as an object array of texts."""

    source: Node


@dataclass(frozen=True)
class Computed(Node):
    """What a function makes of other parts of the batch; called once for each batch.

    elementwise: it has nothing but operators of arrays, so that it may be given those of JAX too.
    """

    function: Callable[..., Any]
    inputs: tuple[Tree, ...]
    elementwise: bool = False


@dataclass(frozen=True)
class TakenInfos(Node):
    """The infos of Python environments that handles stand for: {handle: opened}, None without any."""

    handles: tuple[Node, ...]
    open: Callable[[bytes], Any]


# ---- made ready for a learner (see config.transform) ---------------------------------------------


@dataclass(frozen=True)
class TransformNode(Node):
    """What `transform` makes of observations and rewards. Compiled programs cannot have it."""


@dataclass(frozen=True, eq=False)
class Transformed(TransformNode):
    """What a function of numpy makes of other parts of the batch; called once for each batch."""

    function: Callable[..., Any]
    inputs: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Normalized(TransformNode):
    """float32: rows less their running mean, by their running deviation, kept in -clip .. clip."""

    source: Node
    statistics: RunningStatistics
    epsilon: float
    clip: float | None
    updates: bool
    """Whether rows count for the statistics."""


@dataclass(frozen=True, eq=False)
class LearningReward(TransformNode):
    """Rewards by the running deviation of their discounted sums, times `scale`, kept in `clip`."""

    source: Node
    statistics: RunningStatistics | None
    sums: npt.NDArray[np.float32]
    """The discounted sum of each environment, in the episode that it plays."""
    gamma: float
    epsilon: float
    scale: float
    clip: tuple[float, float] | None
    steps: Node | None = None
    """How many of a chunk were made, where the source has a reward for each."""
    env_id: Node = HostColumn("env_id")
    elapsed: Node = HostColumn("elapsed_step")
    terminated: Node = HostColumn("terminated")
    ended: Node = HostColumn("ended")


@dataclass(frozen=True, eq=False)
class ChunkReward(TransformNode):
    """The rewards of the steps of a chunk, added up; narrow: as float32."""

    source: Node
    narrow: bool


@dataclass(frozen=True, eq=False)
class FrameStack(TransformNode):
    """The last rows of each environment, the newest last; the first one of an episode fills all places.

    `frames` (num_envs, depth, ...): what is kept; `before`: the same, of episodes that ended in the last
    batch. `final` nodes, which have last observations as their source, use these.
    """

    source: Node
    frames: npt.NDArray[Any]
    before: npt.NDArray[Any]
    begins: npt.NDArray[np.bool_]
    """Whether the next row of each environment counts as the first of an episode."""
    final: bool
    trail: Node | None = None
    """What goes into the stack before each row of the source: as a TrailColumn."""
    trail_count: Node = HostColumn("chunk_trail")
    env_id: Node = HostColumn("env_id")
    elapsed: Node = HostColumn("elapsed_step")
    ended: Node = HostColumn("ended")


@dataclass(frozen=True, eq=False)
class Resized(TransformNode):
    """8-bit pictures in another size, as OpenCV's INTER_AREA makes them."""

    source: Node
    shape: tuple[int, ...]
    """Of a row afterwards."""
    height: int
    width: int
    channels: int
    """Of a picture before; a row may have several pictures."""
    channels_first: bool
    new_height: int
    new_width: int


# ---- dicts that are not always the same ---------------------------------------------------------


@dataclass(frozen=True)
class Part(Node):
    """What a `Dict` may have beside mappings."""


@dataclass(frozen=True)
class IfEnded(Part):
    """Joins the dict when an episode ends in the batch; games: when a whole game does."""

    members: Mapping[str, Tree]
    games: bool = False


@dataclass(frozen=True)
class IfErrors(Part):
    """Joins the dict when an episode was cut short, by a step that was refused or by what broke."""

    members: Mapping[str, Tree]


@dataclass(frozen=True)
class Extended(Part):
    """`function(the dict so far, *inputs)` adds what it wants; not called while the first input is None."""

    function: Callable[..., None]
    inputs: tuple[Tree, ...]


@dataclass(frozen=True)
class Dict(Node):
    """All parts in one dict, in this order."""

    parts: tuple[Mapping[str, Tree] | Part, ...]
