"""Compares a pool with its original; a failure names environment, seed, step and lane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Lockstep:
    """One run of both. `step` is what has just been compared: the test sets it."""

    env_id: str
    seed: int | None = None
    step: int | str = "reset"

    def place(self, lane: int) -> str:
        """As messages have it."""
        return f"{self.env_id}, seed {self.seed}, step {self.step}, lane {lane}"

    def same(
        self, lane: int, what: str, got: Any, wanted: Any, *, dtype: bool = True, bits: bool = False
    ) -> None:
        """Raises AssertionError if they differ in shape, dtype or a value.

        bits: -0.0 is not 0.0, and a NaN is itself.
        """
        if isinstance(got, tuple):
            assert len(got) == len(wanted), f"{self.place(lane)}: {what}"
            for i, (ours, theirs) in enumerate(zip(got, wanted, strict=True)):
                self.same(lane, f"{what}[{i}]", ours, theirs, dtype=dtype, bits=bits)
            return
        got, wanted = np.asarray(got), np.asarray(wanted)
        alike = got.shape == wanted.shape and (got.dtype == wanted.dtype or not dtype)
        if alike and (got.tobytes() == wanted.tobytes() if bits else (got == wanted).all()):
            return  # millions are: no message is made of them
        where = f"{self.place(lane)}: {what}"
        assert got.shape == wanted.shape, f"{where} has the shape {got.shape}, not {wanted.shape}"
        if dtype:
            assert got.dtype == wanted.dtype, f"{where} is of {got.dtype}, not {wanted.dtype}"
        different = np.argwhere(got != wanted)
        first = f", first at {different[0].tolist()}" if got.ndim and len(different) else ""
        raise AssertionError(f"{where} is {got!r}, not {wanted!r}{first}")

    def same_rows(
        self, what: str, got: Any, wanted: Mapping[int, Any], *, dtype: bool = True
    ) -> None:
        """`same` for some lanes of a batch, in one comparison. wanted: by lane."""
        if not wanted:
            return
        rows = np.asarray([got[lane] for lane in wanted])
        together = np.asarray(list(wanted.values()))
        if np.array_equal(rows, together) and (rows.dtype == together.dtype or not dtype):
            return
        for lane, value in wanted.items():
            self.same(lane, what, got[lane], value, dtype=dtype)
