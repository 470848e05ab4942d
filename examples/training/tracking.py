"""Numbers of a run for TensorBoard or Weights & Biases: `--track tensorboard`, `--track wandb`, or both.

Both are optional: nothing is imported that is not asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol


class Tracker(Protocol):
    """Where numbers go."""

    def log(self, steps: int, numbers: Mapping[str, float]) -> None:
        """Adds a point to each curve."""
        ...

    def close(self) -> None:
        """Writes what is left."""
        ...


class TensorBoard:
    """Event files in `out`/tensorboard: `tensorboard --logdir results` shows all runs."""

    def __init__(self, out: Path, name: str, config: Mapping[str, Any]) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self._writer = SummaryWriter(str(out / "tensorboard" / name))
        self._writer.add_text("config", "\n".join(f"    {key}: {config[key]}" for key in config))

    def log(self, steps: int, numbers: Mapping[str, float]) -> None:
        """See Tracker."""
        for name, number in numbers.items():
            self._writer.add_scalar(name, number, steps)

    def close(self) -> None:
        """See Tracker."""
        self._writer.close()


class WandB:
    """A run of the project "parallel-pool"; `WANDB_PROJECT` and `WANDB_MODE=offline` are wandb's own."""

    def __init__(self, out: Path, name: str, config: Mapping[str, Any]) -> None:
        import os

        import wandb

        project = os.environ.get("WANDB_PROJECT", "parallel-pool")
        name = f"{out.name}-{name}"
        self._run = wandb.init(project=project, name=name, dir=str(out), config=dict(config))

    def log(self, steps: int, numbers: Mapping[str, float]) -> None:
        """See Tracker."""
        self._run.log(dict(numbers), step=steps)

    def close(self) -> None:
        """See Tracker."""
        self._run.finish()


TRACKERS = {"tensorboard": TensorBoard, "wandb": WandB}


def trackers(config: Any) -> list[Tracker]:
    """The trackers that `config.track` names. Ends the program where one is unknown or not installed."""
    return list(_opened(config, filter(None, config.track.split(","))))


def _opened(config: Any, names: Iterable[str]) -> Iterable[Tracker]:
    for name in names:
        if name not in TRACKERS:
            raise SystemExit(f"--track {name}: there is {' and '.join(TRACKERS)}")
        try:
            yield TRACKERS[name](config.out, f"seed{config.seed}", asdict(config))
        except ImportError as error:
            raise SystemExit(
                f"--track {name} needs a package that is not here ({error}): pip install {name}"
            ) from error
