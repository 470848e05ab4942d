"""Gymnasium's environments, seen by their own renderers, for pictures to be compared with."""

import warnings
from collections import deque
from typing import Any

import gymnasium
import mujoco
import numpy as np
import parallel_pool

SIZE = {"width": 40, "height": 32}
RENDER_SIZE = {f"render_{name}": value for name, value in SIZE.items()}


class Original:
    """One environment whose observation is a picture, or the last `depth` of them."""

    def __init__(self, task_id: str, depth: int = 1, fast: bool = False, **options: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # v4 is out of date
            self.env = gymnasium.make(task_id, render_mode="rgb_array", **{**SIZE, **options})
        self._depth, self._fast = depth, fast
        self._stack: deque[Any] = deque(maxlen=depth)
        self._base: Any = self.env.unwrapped
        if fast:
            quality = self._base.model.vis.quality
            quality.offsamples = quality.shadowsize = 0

    def picture(self) -> Any:
        viewer = self._base.mujoco_renderer._get_viewer("rgb_array")
        viewer.make_context_current()  # several of these share a thread
        if self._fast:
            for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
                viewer.scn.flags[flag] = 0
        return self.env.render().copy()

    def reset(self, seed: int | None = None) -> Any:
        self.env.reset(seed=seed)
        self._stack.extend([self.picture()] * self._depth)
        return self._seen()

    def step(self, action: Any) -> tuple[Any, bool]:
        _, _, terminated, truncated, _ = self.env.step(action)
        self._stack.append(self.picture())
        return self._seen(), bool(terminated or truncated)

    def _seen(self) -> Any:
        return np.stack(self._stack) if self._depth > 1 else self._stack[-1]


def compare(
    task_id: str,
    *,
    steps: int = 2,
    depth: int = 1,
    mode: str = "NextStep",
    env_type: str = "gymnasium",
    fast: bool = False,
    lanes: int = 2,
    max_episode_steps: int | None = None,
    pool_options: dict[str, Any] | None = None,
    **options: Any,
) -> None:
    """The pictures of all lanes, last pictures too; raises AssertionError."""
    limit = {} if max_episode_steps is None else {"max_episode_steps": max_episode_steps}
    originals = [Original(task_id, depth, fast, **options, **limit) for _ in range(lanes)]
    pool = parallel_pool.make(
        task_id,
        env_type,
        num_envs=lanes,
        num_threads=lanes,
        seed=4,
        from_pixels=True,
        frame_stack=depth,
        autoreset_mode=mode,
        render_quality="fast" if fast else "full",
        **({**SIZE, **options} if pool_options is None else pool_options),
        **limit,
    )
    first_channels = env_type != "gymnasium"

    def same(seen: Any, wanted: Any, where: str) -> None:
        if first_channels:
            frames = wanted if depth > 1 else wanted[None]
            wanted = np.concatenate([frame.transpose(2, 0, 1) for frame in frames])
        assert seen.dtype == np.uint8 and seen.shape == wanted.shape, (seen.shape, wanted.shape)
        assert np.array_equal(seen, wanted), f"{task_id}, {where}: {(seen != wanted).sum()} differ"

    def obs_of(result: Any) -> Any:
        if env_type == "dm":
            return result.observation.pixels
        return result[0] if isinstance(result, tuple) else result

    obs = obs_of(pool.reset())
    if env_type == "dm":
        declared = pool.observation_spec().pixels
    else:
        declared = (
            pool.spec.observation_space if env_type == "gym" else pool.single_observation_space
        )
    assert obs.shape[1:] == declared.shape and declared.dtype == np.uint8
    for lane, each in enumerate(originals):
        same(obs[lane], each.reset(seed=4 + lane), f"reset, lane {lane}")
    space = originals[0].env.action_space
    draw, ended, ends = np.random.default_rng(0), [False] * lanes, 0
    for step in range(steps):
        actions = draw.uniform(-1, 1, (lanes, *(space.shape or ()))).astype(np.float32)
        result = pool.step(actions)
        for lane, each in enumerate(originals):
            where = f"step {step}, lane {lane}"
            if ended[lane]:
                same(obs_of(result)[lane], each.reset(), where)
                ended[lane] = False
                continue
            wanted, over = each.step(actions[lane])
            ends += over
            if over and mode == "SameStep":
                final = result.observation.final_obs if env_type == "dm" else result[4]["final_obs"]
                same(final[lane], wanted, f"end, {where}")
                if env_type == "gymnasium":
                    same(result[4]["final_obs_dense"][lane], wanted, f"end, {where}")
                wanted = each.reset()
            ended[lane] = over and mode == "NextStep"
            same(obs_of(result)[lane], wanted, where)
    assert (ends > 0) == (max_episode_steps is not None)
    pool.close()
    for each in originals:
        each.env.close()
