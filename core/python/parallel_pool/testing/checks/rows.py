"""The plugin writes its own rows, all of them, and nothing else."""

from __future__ import annotations

from parallel_pool.testing.findings import Finding
from parallel_pool.testing.subject import Subject

LANES = 5
"""Enough for lanes in the middle of a shard, and odd."""


def rows(subject: Subject) -> str | None:
    """One shard steps between guard bytes: parts of it, masked resets, every field of every row."""
    from parallel_pool import _core

    recipe = subject.recipe
    native = recipe.env.native_id
    lanes = max(LANES, min(recipe.plugin.declaration(native)["preferred_lanes"], 64))
    table = subject.actions(lanes)
    findings = _core._probe_rows(recipe.plugin, native, recipe.options, lanes, table.arrays(recipe))
    if findings:
        raise Finding("; ".join(findings))
    return f"{table.steps} calls of {lanes} lanes"
