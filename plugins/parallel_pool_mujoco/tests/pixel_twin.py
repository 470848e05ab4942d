"""Gymnasium's environments, seen by their own renderers, for pictures to be compared with."""

import gc
from typing import Any

import gymnasium
import mujoco
import numpy as np
import parallel_pool
from gymnasium.wrappers import AddRenderObservation, FrameStackObservation, TransformObservation
from mujoco_originals import reference
from parallel_pool.testing import play_beside

SIZE = {"width": 40, "height": 32}
RENDER_SIZE = {f"render_{name}": value for name, value in SIZE.items()}


class Drawn(gymnasium.Wrapper[Any, Any, Any, Any]):
    """One that may draw as our fast pictures are, and beside others in a thread."""

    def __init__(self, task_id: str, fast: bool, **options: Any) -> None:
        super().__init__(reference(task_id, render_mode="rgb_array", **{**SIZE, **options}))
        self._base: Any = self.unwrapped
        self._fast = fast
        if fast:
            quality = self._base.model.vis.quality
            quality.offsamples = quality.shadowsize = 0

    def render(self) -> Any:
        viewer = self._base.mujoco_renderer._get_viewer("rgb_array")
        viewer.make_context_current()
        if self._fast:
            for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
                viewer.scn.flags[flag] = 0
        return self.env.render().copy()


def compare(
    task_id: str,
    *,
    steps: int = 2,
    depth: int = 1,
    mode: str = "NextStep",
    key: str = "",
    fast: bool = False,
    lanes: int = 2,
    pool_options: dict[str, Any] | None = None,
    **options: Any,
) -> None:
    """All that is observed, last pictures too. key: of pictures beside the task's own observation."""
    gc.collect()  # an earlier original's context, freed while another one draws, leaves that one none

    def original() -> Any:
        env: Any = Drawn(task_id, fast, **options)
        if key:
            env = AddRenderObservation(env, render_only=False, render_key=key)
        else:  # not AddRenderObservation, which draws before the first episode: a free camera stays there
            drawn, size = env, {**SIZE, **options}
            space = gymnasium.spaces.Box(0, 255, (size["height"], size["width"], 3), np.uint8)
            env = TransformObservation(drawn, lambda _: drawn.render(), space)
        return FrameStackObservation(env, depth, padding_type="reset") if depth > 1 else env

    with parallel_pool.make(
        task_id,
        num_envs=lanes,
        num_threads=lanes,
        from_pixels=True,
        frame_stack=depth,
        autoreset_mode=mode,
        render_quality="fast" if fast else "full",
        **({"pixels_only": False, "observation_key": key} if key else {}),
        **({**SIZE, **options} if pool_options is None else pool_options),
    ) as pool:
        play = play_beside(pool, original, seed=4, steps=steps)
        assert pool.single_observation_space == play.originals[0].observation_space
    assert play.ended.any() == ("max_episode_steps" in options)
