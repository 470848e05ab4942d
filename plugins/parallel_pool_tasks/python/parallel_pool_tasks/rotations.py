"""Rotations of one body: quaternions as MuJoCo has them, w first and of length 1, and angles in radians.

They are numpy code on numbers and on values alike. Shapes: quaternions (4,), vectors and Euler angles (3,).
"""

from __future__ import annotations

from typing import Any

import numpy as np


def quat_mul(left: Any, right: Any) -> Any:
    """The rotation `right`, then `left`."""
    w, x, y, z = (left[i] for i in range(4))
    a, b, c, d = (right[i] for i in range(4))
    return np.stack(
        [
            w * a - x * b - y * c - z * d,
            w * b + x * a + y * d - z * c,
            w * c - x * d + y * a + z * b,
            w * d + x * c - y * b + z * a,
        ]
    )


def quat_conjugate(quat: Any) -> Any:
    """The rotation back."""
    return quat * np.array([1.0, -1.0, -1.0, -1.0])


def quat_rotate(quat: Any, vector: Any) -> Any:
    """The vector, from the body's frame to the world's."""
    turn = 2.0 * np.cross(quat[1:], vector)
    return vector + quat[0] * turn + np.cross(quat[1:], turn)


def quat_rotate_inverse(quat: Any, vector: Any) -> Any:
    """The vector, from the world's frame to the body's."""
    return quat_rotate(quat_conjugate(quat), vector)


def quat_from_yaw(angle: Any) -> Any:
    """A turn around the z axis."""
    half = 0.5 * angle
    zero = 0.0 * half
    return np.stack([np.cos(half), zero, zero, np.sin(half)])


def yaw(quat: Any) -> Any:
    """The angle around the z axis, from -pi to pi, of the body's x axis seen from above."""
    w, x, y, z = (quat[i] for i in range(4))
    return np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def wrap_to_pi(angle: Any) -> Any:
    """The same angle, or angles, from -pi up to pi."""
    return np.remainder(angle + np.pi, 2.0 * np.pi) - np.pi
