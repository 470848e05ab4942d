"""Running means and variances, which a pool with `transform` keeps: see docs/transforms.md."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class RunningStatistics:
    """Mean, variance and count of all rows so far, in float64, as in Gymnasium's RunningMeanStd.

    The pool changes the arrays in place: copy them to keep their values. Statistics can be pickled, copied to
    another pool (`assign`) and combined with those of another pool (`merge`).
    """

    mean: npt.NDArray[np.float64]
    """Can be set, to numbers of this shape."""
    var: npt.NDArray[np.float64]
    """As `mean`."""

    def __init__(self, shape: tuple[int, ...] = (), *, begins_narrow: bool = False) -> None:
        """begins_narrow: the first variance is a 1 in float32, as Gymnasium's NormalizeObservation has it."""
        self.mean = np.zeros(shape)
        self.var = np.ones(shape)
        self._count = np.array(1e-4)  # Gymnasium's: the 1 soon counts for nothing
        self._frozen = np.array(False)
        self._begins_narrow = begins_narrow

    def __setattr__(self, name: str, value: Any) -> None:
        kept = self.__dict__.get(name)
        if name not in ("mean", "var") or kept is None:
            object.__setattr__(self, name, value)
        elif value is not kept:  # the pool has the array: its numbers change, and not the array
            given = np.asarray(value)
            if given.dtype.kind not in "biuf" or given.shape != kept.shape:
                raise ValueError(
                    f"{name} is {value!r}, expected numbers of shape {kept.shape}; statistics of other rows "
                    "are another RunningStatistics(shape)"
                )
            kept[...] = given

    @property
    def count(self) -> float:
        """The number of rows so far, plus the initial 0.0001."""
        return float(self._count)

    @property
    def frozen(self) -> bool:
        """Whether rows are normalised but not counted, as for an evaluation. Can be set."""
        return bool(self._frozen)

    @frozen.setter
    def frozen(self, value: bool) -> None:
        self._frozen[...] = value

    def assign(self, other: RunningStatistics) -> None:
        """Copies the values of the other statistics. Raises ValueError if their shape differs."""
        self._expect_shape(other)
        np.copyto(self.mean, other.mean)
        np.copyto(self.var, other.var)
        np.copyto(self._count, other._count)

    def merge(self, other: RunningStatistics) -> None:
        """Adds the rows of other statistics (Chan, Golub and LeVeque, 1979).

        Raises ValueError if their shape differs.
        """
        self._expect_shape(other)
        ours, theirs = self.count, other.count
        apart = other.mean - self.mean
        squares = (
            self.var * ours + other.var * theirs + apart**2 * (ours * theirs / (ours + theirs))
        )
        self.mean += apart * (theirs / (ours + theirs))
        np.divide(squares, ours + theirs, out=self.var)
        self._count += theirs

    def _expect_shape(self, other: RunningStatistics) -> None:
        if not isinstance(other, RunningStatistics):
            raise TypeError(f"the other statistics are {other!r}, expected a RunningStatistics")
        if other.mean.shape != self.mean.shape:
            raise ValueError(
                f"the other statistics are of rows of shape {other.mean.shape}, these of {self.mean.shape}"
            )

    def __repr__(self) -> str:
        return f"RunningStatistics(shape={self.mean.shape}, count={self.count:g}, frozen={self.frozen})"
