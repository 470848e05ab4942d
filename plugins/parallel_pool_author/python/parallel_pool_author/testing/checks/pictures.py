"""Pictures, where the environment offers them."""

from __future__ import annotations

import numpy as np
from parallel_pool.errors import ParallelPoolError

from parallel_pool_author.testing import deep
from parallel_pool_author.testing.checks.declarations import explain
from parallel_pool_author.testing.checks.statics import untouched
from parallel_pool_author.testing.env_under_test import EnvUnderTest, Row, first_difference, flatten
from parallel_pool_author.testing.findings import Finding, Inapplicable


def render(tested: EnvUnderTest) -> str | None:
    """Every declared mode draws, of the declared kind, and drawing changes nothing."""
    modes, camera = tested.spec.render_modes, tested.spec.film_camera
    if not modes:
        raise Inapplicable("it has no render_modes")
    if camera is not None:
        try:
            with tested.pool(
                num_envs=1, render_mode="rgb_array", render_camera_name=camera
            ) as pool:
                pool.reset()
                pool.render()
        except ParallelPoolError as error:
            raise Finding(f"film_camera={camera!r} cannot be drawn: {explain(error)}") from error
    table = tested.actions(2, 12)
    remark = []
    for mode in modes:
        looked: list[Row] = []
        alone: list[Row] = []
        with (
            tested.pool(num_envs=2, seed=8, render_mode=mode) as pool,
            tested.pool(num_envs=2, seed=8) as other,
        ):
            pool.reset()
            other.reset()
            for step in range(table.steps):
                try:
                    frames = pool.render()
                except ParallelPoolError as error:
                    raise Finding(
                        f"render_mode {mode!r} is declared, and drawing fails: {explain(error)}"
                    ) from error
                for frame in frames:
                    _well_formed(mode, frame)
                if not all(map(np.array_equal, frames, pool.render())):
                    raise Finding(
                        f"render_mode {mode!r} draws the same state twice and differently: drawing changes "
                        "nothing, and takes no random numbers and no time of day"
                    )
                rows = table.at(step)
                looked.append(flatten(pool.step(rows)))
                alone.append(flatten(other.step(rows)))
        if difference := first_difference(looked, alone, begin=1):
            raise Finding(f"drawing changes what follows: {difference}")
        remark.append(mode)
    # Pictures of the library's own; where there are none, this stops at the first and finds nothing.
    deep.compare(
        tested,
        "drawing late in an episode changes what follows",
        "draw() changes nothing that step() or reset() reads, and takes no random numbers",
        look=50,
    )
    untouched(tested, "draw()", look=50)
    return ", ".join(remark)


def _well_formed(mode: str, frame: object) -> None:
    if mode == "ansi":
        if not isinstance(frame, str) or not frame.strip():
            raise Finding(f"render_mode 'ansi' draws {frame!r}, expected a text")
        return
    array = np.asarray(frame)
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3:
        raise Finding(
            f"render_mode {mode!r} draws an array of dtype {array.dtype} and shape {array.shape}, "
            "expected uint8 and (height, width, 3)"
        )
