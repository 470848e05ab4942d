"""Chunks of actions: the action fields of a pool whose calls have several actions of each environment."""

from __future__ import annotations

from collections.abc import Sequence

from parallel_pool.config.arguments import PoolArguments
from parallel_pool.errors import OptionError
from parallel_pool.schema.fields import Field


def in_chunks(owner: str, fields: Sequence[Field], arguments: PoolArguments) -> Sequence[Field]:
    """The fields; those of actions have a first axis of `action_chunk`, which each player has of its own.

    Raises OptionError where the arguments do not fit each other, or actions are no arrays.
    """
    chunk = arguments.action_chunk
    if chunk is None:
        if arguments.chunk_rewards:
            raise OptionError(
                f"{owner}: chunk_rewards is for chunks of actions: give action_chunk too, or leave it out"
            )
        return fields
    return [
        _in_chunks(owner, field, chunk) if field["role"] == "action" else field for field in fields
    ]


def _in_chunks(owner: str, field: Field, chunk: int) -> Field:
    if field["kind"] in ("text", "object"):
        raise OptionError(
            f"{owner}: action_chunk is {chunk}, and its actions are objects, of which there are no chunks: "
            "leave it out"
        )
    kind = "multi_discrete" if field["kind"] == "discrete" else field["kind"]
    return {**field, "kind": kind, "shape": (chunk, *field["shape"])}
