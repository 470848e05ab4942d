"""Writes what an example leaves behind: a log of JSON lines, a checkpoint, learning curves, a film.

Not part of the algorithms. Every seed has a log of its own in the folder of results, and the picture shows
all that lie there: running a script again with another `--seed` and the same `--out` adds a curve.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imageio
import numpy as np
import parallel_pool
import torch
from tqdm import tqdm
from tracking import trackers


class Report:
    """Progress of one run: counts steps, wall and CPU seconds over all sittings, writes them down.

    Args:
        config: its `out` is the folder of results, made if it is not there; `seed` names the files,
            `seed1.jsonl` and `seed1.pt`; `total_steps` of environments are the run; `track` names where else
            numbers go.
        resume: go on from the checkpoint, if there is one.
    """

    def __init__(self, config: Any, resume: bool = False) -> None:
        out, seed = config.out, config.seed
        out.mkdir(parents=True, exist_ok=True)
        self.trackers = trackers(config)
        self.log_file = out / f"seed{seed}.jsonl"
        self.checkpoint_file = out / f"seed{seed}.pt"
        self.returns: deque[float] = deque(maxlen=100)
        self.steps = 0
        self.earlier = (0.0, 0.0)
        self.saved: dict[str, Any] | None = None
        if resume and self.checkpoint_file.exists():
            self.saved = torch.load(self.checkpoint_file, weights_only=False)
            self.steps, self.earlier = self.saved["steps"], self.saved["seconds"]
            self.returns.extend(self.saved["returns"])
            kept = [x for x in read_log(self.log_file) if x["steps"] <= self.steps]
            self.log_file.write_text("".join(json.dumps(x) + "\n" for x in kept))
        else:
            self.log_file.write_text("")
        self.start = (time.perf_counter(), time.process_time())
        self.bar = tqdm(
            total=config.total_steps, initial=self.steps, unit=" steps", unit_scale=True
        )

    @property
    def seconds(self) -> tuple[float, float]:
        """Wall and CPU seconds of this process, earlier sittings included."""
        return (
            self.earlier[0] + time.perf_counter() - self.start[0],
            self.earlier[1] + time.process_time() - self.start[1],
        )

    @property
    def mean_return(self) -> float:
        """The mean of the last 100 episodes; NaN before the first has ended."""
        return float(np.mean(self.returns)) if self.returns else float("nan")

    def log(self, steps: int, returns: list[float], **more: float) -> None:
        """Adds a line: `steps` so far, the `returns` of episodes that ended since the last one, and more."""
        self.bar.update(steps - self.steps)
        self.steps = steps
        self.returns.extend(returns)
        self.bar.set_postfix({"return": f"{self.mean_return:.1f}"}, refresh=False)
        if not returns:
            return
        wall, cpu = self.seconds
        line = {"steps": steps, "wall": wall, "cpu": cpu, "return": self.mean_return, **more}
        for tracker in self.trackers:
            tracker.log(steps, {key: float(x) for key, x in line.items() if key != "steps"})
        with self.log_file.open("a") as file:
            file.write(json.dumps({key: round(float(x), 3) for key, x in line.items()}) + "\n")

    def close(self) -> None:
        """Ends the progress bar, and what tracks the run."""
        self.bar.close()
        for tracker in self.trackers:
            tracker.close()

    def save(self, **state: Any) -> None:
        """Writes a checkpoint that `resume` finds; a run that is interrupted meanwhile keeps the one before."""
        state |= {"steps": self.steps, "seconds": self.seconds, "returns": list(self.returns)}
        beside = self.checkpoint_file.with_suffix(".tmp")
        torch.save(state, beside)
        beside.replace(self.checkpoint_file)


def read_log(file: Path) -> list[dict[str, float]]:
    """The lines of a log; none if there is no such file."""
    return [json.loads(x) for x in file.read_text().splitlines()] if file.exists() else []


def draw_curves(out: Path, title: str, threshold: float | None = None) -> Path:
    """Draws the logs of all seeds in `out` over steps and over minutes of CPU, to `curve.png`."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for file in sorted(out.glob("seed*.jsonl")):
        log = read_log(file)
        returns = [x["return"] for x in log]
        left.plot([x["steps"] for x in log], returns, label=file.stem)
        right.plot([x["cpu"] / 60 for x in log], returns, label=file.stem)
    left.set(xlabel="steps", ylabel="return, mean of 100 episodes", title=title)
    right.set(xlabel="minutes of CPU")
    for axes in (left, right):
        axes.grid(alpha=0.3)
        if threshold is not None:
            axes.axhline(threshold, color="gray", linestyle=":")
    right.legend()
    figure.savefig(out / "curve.png", dpi=80)
    return out / "curve.png"


def film_camera(env_id: str) -> str | None:
    """The camera that follows the body, where the environment has one."""
    return parallel_pool.make_spec(env_id).definition.env.film_camera


def film(
    envs: Any, act: Callable[[np.ndarray], np.ndarray], file: Path, frames: int, seed: int = 0
) -> None:
    """Plays `envs`, a pool of one environment with `render_mode="rgb_array"`, and writes what it looks like."""
    obs, _ = envs.reset(seed=seed)
    with imageio.get_writer(
        file, fps=envs.metadata["render_fps"], macro_block_size=1, pixelformat="yuv420p"
    ) as writer:
        for _ in range(frames):
            picture = envs.render()[0]
            # A film in yuv420p has an even number of rows and columns.
            height, width = picture.shape[0] // 2 * 2, picture.shape[1] // 2 * 2
            writer.append_data(picture[:height, :width])
            obs, *_ = envs.step(act(obs))
