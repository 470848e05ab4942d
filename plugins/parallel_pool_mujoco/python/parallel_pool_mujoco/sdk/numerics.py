"""Finds out how numpy rounds on this machine, where that depends on the processor."""

import functools
from fractions import Fraction

import numpy as np


@functools.cache
def norms_are_fused() -> bool:
    """True if `np.linalg.norm` of a short vector fuses multiplications and additions.

    numpy leaves the dot product to its BLAS, which picks a kernel for the processor. Vectors that
    tell the two ways apart are tried. A BLAS that does neither differs in the last bit either way.
    """
    draw = np.random.default_rng(0)
    fused = plain = 0
    for vector in draw.normal(size=(64, 3)):
        dot = float(vector.dot(vector))
        numbers = [float(number) for number in vector]
        in_two_steps = in_one = 0.0
        for number in numbers:
            in_two_steps += number * number
            in_one = float(Fraction(number) ** 2 + Fraction(in_one))
        plain += dot == in_two_steps
        fused += dot == in_one
    return fused > plain
