"""What P actors give, from what one call costs its actor, its driver and the network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

ACTORS = (1, 2, 4)
"""That are measured."""
NETWORK = 1.25e9
"""Bytes per second that the driver's network carries: 10 Gbit/s."""
ROUND_TRIP = 0.5e-3
"""Seconds that a network adds to a call that carries nothing."""


@dataclass(frozen=True)
class Line:
    """Seconds by bytes: `fixed + per_byte * size`."""

    fixed: float
    per_byte: float

    @classmethod
    def through(cls, points: Sequence[tuple[float, float]]) -> Line:
        """(bytes, seconds): the line with the least relative errors, for the smallest costs a hundredth of the
        largest. Neither number is negative."""
        sizes, seconds = np.array(points, float).T
        design = np.stack([np.ones_like(sizes), sizes], 1) / seconds[:, None]
        (fixed, per_byte), *_ = np.linalg.lstsq(design, np.ones_like(sizes), rcond=None)
        return cls(max(float(fixed), 0.0), max(float(per_byte), 0.0))

    def at(self, size: float) -> float:
        """Seconds for so many bytes."""
        return self.fixed + self.per_byte * size


@dataclass(frozen=True)
class Model:
    """Calls to actors, each for some fragments, or for a step of a lane."""

    steps: int
    """Of all environments of a call."""
    stepping: float
    """Seconds that a plain pool takes for them."""
    size: float
    """Bytes of an answer."""
    giving: Line
    """What it costs the actor to put its answer into Ray's store."""
    taking: Line
    """What it costs the driver to ask, to wait and to copy the answer out of the store."""
    round_trip: float
    """Seconds from a call to its answer beyond those: none is busy."""
    in_flight: int = 2
    """Calls on their way to each actor."""
    network: float = inf
    """Bytes per second between actors and the driver. On one machine they share memory."""
    cpus: float = inf
    """That actors and driver share; inf: each has one of its own."""

    def on_a_cluster(self) -> Model:
        """The same with a network between, and a CPU for each actor and for the driver."""
        return replace(self, network=NETWORK, cpus=inf, round_trip=self.round_trip + ROUND_TRIP)

    @property
    def made(self) -> float:
        """Seconds that a call has its actor."""
        return self.stepping + self.giving.at(self.size)

    @property
    def taken(self) -> float:
        """Seconds that a call has the driver."""
        return self.taking.at(self.size)

    @property
    def calls_of_an_actor(self) -> float:
        """Per second, as long as the driver is there at once."""
        around = self.made + self.round_trip + self.size / self.network + self.taken
        return min(1 / self.made, self.in_flight / around)

    def limits(self, actors: float) -> dict[str, float]:
        """Environment steps per second by what would be busy all the time."""
        calls = {
            "actors": actors * self.calls_of_an_actor,
            "driver": 1 / self.taken,
            "network": self.network / self.size,
            "CPUs": self.cpus / (self.made + self.taken),
        }
        return {name: self.steps * each for name, each in calls.items()}

    def rate(self, actors: float) -> float:
        """Environment steps per second."""
        return min(self.limits(actors).values())

    @property
    def most(self) -> float:
        """Actors that one driver can use."""
        return min(1 / self.taken, self.network / self.size) / self.calls_of_an_actor

    @property
    def wall(self) -> str:
        """What is full then."""
        limits = self.limits(inf)
        return min(("driver", "network"), key=lambda name: limits[name])


def of_figures(
    rows: Sequence[Mapping[str, Any]], env: str, pool: str, plain: str, cpus: float
) -> Model:
    """From what distributed.py has measured.

    plain: the pool that has no Ray. What a call costs is that of calls with nothing but bytes, and for the
    driver of `pool` with one actor what that kept it busy beyond.
    """

    def one(kind: str, **named: Any) -> Mapping[str, Any]:
        (row,) = [
            row
            for row in rows
            if row["kind"] == kind and all(row.get(name) == value for name, value in named.items())
        ]
        return row

    costs = [row for row in rows if row["kind"] == "cost"]
    giving, taking = (
        Line.through([(row["bytes"], row[way]) for row in costs]) for way in ("giving", "taking")
    )
    call = one("size", env=env, pool=pool)
    driver = one("rate", env=env, pool=pool, actors=1)["driver"] * call["steps"]
    beyond = max(driver - taking.at(call["back"]), 0.0)
    trip = min(costs, key=lambda row: row["bytes"])["round trip"]
    return Model(
        steps=call["steps"],
        stepping=call["steps"] / one("rate", env=env, pool=plain)["steps/s"],
        size=call["back"],
        giving=giving,
        taking=Line(taking.fixed + beyond, taking.per_byte),
        round_trip=max(trip - giving.fixed - taking.fixed, 0.0),
        cpus=cpus,
    )


def draw(models: Mapping[str, Model], path: Path) -> None:
    """Steps per second over the number of actors, on a cluster."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    actors = np.logspace(0, 4, 200)
    figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
    colors: dict[str, Any] = {}
    for name, model in models.items():
        env, _, case = name.partition(", ")
        style = "-" if case == "RolloutPool" else "--"
        (line,) = axes.plot(
            actors, [model.rate(n) for n in actors], style, color=colors.get(env), label=name
        )
        colors[env] = line.get_color()
        axes.plot(model.most, model.rate(model.most), "o", color=line.get_color())
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="actors, each with a CPU of its own",
        ylabel="environment steps per second",
        title="What one driver gets, by the model; dots: it is full",
    )
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=80)


def broken_at(models: Mapping[str, Model]) -> Iterator[dict[str, Any]]:
    """Where each breaks, as rows of a table."""
    for name, model in models.items():
        yield {
            "a call": name,
            "its actor, ms": model.made * 1e3,
            "driver, ms": model.taken * 1e3,
            "actors until full": model.most,
            "full is": model.wall,
            **{f"{actors:,} actors": model.rate(actors) for actors in (100, 1_000, 10_000)},
        }
