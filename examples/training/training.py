"""A training from its beginning to its end: progress, log, checkpoints, the goal, a picture and a film.

No part of the algorithms, and nothing that they need to know.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from continuing import go_on, how_to_go_on, place, until_ctrl_c
from parallel_pool_learning import RolloutBuffer, TimeShares
from report import Report, draw_curves, film, film_camera


class Learner(Protocol):
    """The algorithm that is trained."""

    steps: int
    """of environments, so far"""
    steps_at_once: int
    """that an iteration takes"""
    buffer: RolloutBuffer
    shares: TimeShares
    rng: np.random.Generator

    def iteration(self) -> list[float]:
        """A rollout and what is learnt from it; gives the returns of the episodes that ended."""
        ...

    def act(self, obs: np.ndarray) -> np.ndarray:
        """The actions without exploration."""
        ...

    def facts(self) -> dict[str, float]:
        """More entries of the log."""
        ...

    def state(self) -> dict[str, Any]:
        """The contents of a checkpoint."""
        ...

    def load(self, state: dict[str, Any]) -> None:
        """Goes on from there."""
        ...


Method = TypeVar("Method", bound=Learner)
JUDGE_EVERY = 5
"""iterations between judgements"""


def train(
    config: Any,
    make: Callable[..., Any],
    method: Callable[[Any, Any], Method],
    judge: Callable[[Any, Method], list[float]] | None = None,
    title: str = "",
) -> Method:
    """Trains to the end of the budget, with log, checkpoint, picture and film in `config.out`.

    Ctrl-C ends the program with status 130, after it has saved and said how to go on.

    Args:
        config: as in ppo_discrete.py; what is read here are the fields from `seed` on, and the budget.
        make: `make(config, num_envs, **options)` gives the environments.
        method: `method(config, envs)` gives what learns.
        judge: gives the returns of the log where those of the training tell nothing: before it, now and then,
            and after it.
        title: of the picture; empty: the environment's name.
    """
    torch.set_num_threads(config.torch_threads)
    torch.manual_seed(config.seed)
    report = Report(config, config.resume)
    with (
        closing(make(config, config.num_envs, episode_statistics=True)) as envs,
        until_ctrl_c() as stopped,
    ):
        learner = method(config, envs)
        if report.saved:
            learner.load(report.saved)
            learner.steps = report.steps
            go_on(report.saved["place"], envs, learner)

        def save() -> None:
            report.save(config=asdict(config), place=place(envs, learner), **learner.state())

        if judge and not report.saved:
            report.log(learner.steps, judge(config, learner))
        saved_at = time.monotonic()
        for iteration in count(learner.steps // learner.steps_at_once + 1):
            if learner.steps + learner.steps_at_once > config.total_steps:
                break
            returns = learner.iteration()
            if judge:
                returns = judge(config, learner) if iteration % JUDGE_EVERY == 0 else []
            report.log(learner.steps, returns, **learner.facts())
            if time.monotonic() - saved_at > config.save_every:
                save()
                saved_at = time.monotonic()
            at_goal = len(report.returns) == 100 and report.mean_return >= config.goal
            if (at_goal and config.stop_at_goal) or stopped():
                break
        if judge and not stopped():
            report.log(learner.steps, judge(config, learner))
        save()
        report.close()
        if config.shares:
            print(learner.shares)
        if stopped():
            print(f"stopped after {learner.steps:,} steps; to go on:\n{how_to_go_on()}")
            sys.exit(130)
    draw_curves(config.out, title or config.env, config.goal)
    if config.film_frames:
        pictures = {"render_mode": "rgb_array", "render_camera_name": film_camera(config.env)}
        with closing(make(replace(config, device="cpu"), 1, **pictures)) as envs:
            film(envs, learner.act, config.out / f"seed{config.seed}.mp4", config.film_frames)
    return learner


def trained(
    checkpoint: str | Path,
    config: type[Any],
    make: Callable[..., Any],
    method: Callable[[Any, Any], Learner],
) -> Callable[[np.ndarray], np.ndarray]:
    """The actions of a policy that was trained before, for `parallel-pool watch --policy`.

    Args:
        checkpoint: of `train`. Load only files from trusted people.
        config: the class of its settings.
        make, method: as in `train`.
    """
    saved = torch.load(checkpoint, map_location="cpu", weights_only=False)
    settings = config(**saved["config"] | {"device": "cpu"})
    with closing(make(settings, 1)) as envs:
        learner = method(settings, envs)
    learner.load(saved)
    return learner.act
