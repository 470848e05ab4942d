"""Rotations of one body: quaternions as MuJoCo has them, w first and of length 1, and angles in radians.

They are numpy code on numbers and on values alike. Shapes: quaternions (4,), vectors and Euler angles (3,),
matrices (3, 3) or, as mjData has them, (9,). Euler angles are those of turns around the x, y and z axis of the
body, one after the other (MuJoCo's eulerseq "xyz").
"""

from __future__ import annotations

from typing import Any

import numpy as np

_NO_TURN = 4 * np.finfo(np.float64).eps
"""A cosine that is rounding alone."""


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
    """Returns the angle, or angles, from -pi up to pi."""
    return np.remainder(angle + np.pi, 2.0 * np.pi) - np.pi


def euler2quat(angles: Any) -> Any:
    """The rotation of Euler angles."""
    half = 0.5 * angles
    sin, cos = np.sin(half), np.cos(half)
    # These are of the turns around x and z; that around y comes between them.
    cc, ss = cos[0] * cos[2], sin[0] * sin[2]
    cs, sc = cos[0] * sin[2], sin[0] * cos[2]
    return np.stack(
        [
            cos[1] * cc - sin[1] * ss,
            cos[1] * sc + sin[1] * cs,
            sin[1] * cc - cos[1] * ss,
            sin[1] * sc + cos[1] * cs,
        ]
    )


def mat2euler(mat: Any) -> Any:
    """The Euler angles of a rotation matrix, the second from -pi/2 to pi/2.

    Where it is one of these, the first and third turn around one line: the first is 0 then.
    """
    mat = np.reshape(mat, (3, 3))
    cos_y = np.sqrt(np.square(mat[1, 2]) + np.square(mat[2, 2]))
    apart = cos_y > _NO_TURN
    x = np.where(apart, np.arctan2(-mat[1, 2], mat[2, 2]), 0.0)
    z = np.where(apart, np.arctan2(-mat[0, 1], mat[0, 0]), np.arctan2(mat[1, 0], mat[1, 1]))
    return np.stack([x, np.arctan2(mat[0, 2], cos_y), z])
