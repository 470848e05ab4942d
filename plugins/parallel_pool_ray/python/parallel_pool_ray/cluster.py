"""Connects to a Ray cluster and reserves resources for actors."""

from __future__ import annotations

import os
import socket
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parallel_pool.errors import OptionError
from parallel_pool.pool_api import imported

from parallel_pool_ray.errors import ClusterError

ray: Any = imported("ray", "2.60", "parallel_pool_ray")

from ray.util.placement_group import (  # noqa: E402
    placement_group,
    remove_placement_group,
)
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy  # noqa: E402

STRATEGIES = ("SPREAD", "PACK", "STRICT_SPREAD", "STRICT_PACK")


def connect(address: str | None) -> None:
    """Connects this process to a Ray cluster, unless it is connected already.

    address: of the cluster. None: the address in RAY_ADDRESS, or a cluster on this machine, or a new one.
    Raises ClusterError if no cluster answers at the address.
    """
    if ray.is_initialized():
        return
    try:
        _knock(address)
        ray.init(address=address or default_address(), log_to_driver=False, logging_level="ERROR")
    # Ray has no class for a node that does not come up, and ends the program where another server answers.
    except (Exception, SystemExit) as error:
        where = "here" if address is None else f"at {address!r}"
        raise ClusterError(
            f"no Ray cluster answers {where} ({_first_line(error)}): start one with `ray start --head` and "
            "pass its address, or leave address out for one of this machine's own"
        ) from error


def default_address() -> str | None:
    """The address for Ray: None to join or start a cluster, or "local" if the cluster to join has ended.

    A cluster that was killed leaves its address behind, and Ray would wait for it without a limit.
    """
    if os.environ.get("RAY_ADDRESS"):
        return None
    folder = os.environ.get("RAY_TMPDIR", tempfile.gettempdir())
    try:
        _knock(Path(folder, "ray", "ray_current_cluster").read_text().strip())
    except FileNotFoundError:
        return None
    except OSError:
        return "local"
    return None


def _knock(address: str | None) -> None:
    """Raises OSError if nothing listens at host:port. Ray would wait for a minute, then end this process."""
    host, colon, port = (address or "").rpartition(":")
    if colon and port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()


def where_this_is() -> dict[str, Any]:
    """The node and the process of the calling actor."""
    return {"node": ray.get_runtime_context().get_node_id(), "pid": os.getpid()}


def connection() -> tuple[str, str] | None:
    """Tells this process's connections to clusters apart: its node and its job. None without one."""
    if not ray.is_initialized():
        return None
    context = ray.get_runtime_context()
    return context.get_node_id(), context.get_job_id()


class PlacementGroup:
    """Reserves resources for `count` actors, each with `resources`. `close` releases them.

    Raises OptionError if the whole cluster has fewer resources, and ClusterError if they are still in use by
    others after `timeout` seconds.
    """

    def __init__(
        self, count: int, resources: Mapping[str, float], strategy: str, timeout: float
    ) -> None:
        if strategy not in STRATEGIES:
            raise OptionError(f"strategy is {strategy!r}, expected one of {', '.join(STRATEGIES)}")
        whole = ray.cluster_resources()
        for name, each in resources.items():
            if whole.get(name, 0) < count * each:
                raise OptionError(
                    f"{count} pools with {each:g} {name} each need {count * each:g}, and the cluster has "
                    f"{whole.get(name, 0):g}: ask for fewer pools= or less in resources=, or add nodes "
                    "(`ray start --address=...`)"
                )
        self._connection = connection()
        self._group: Any = placement_group([dict(resources)] * count, strategy=strategy)
        # Released also if an interrupt comes before `close` can be called.
        self._release = weakref.finalize(self, _free, self._group, self._connection)
        if not self._group.wait(timeout):
            free = ray.available_resources()
            self.close()
            raise ClusterError(
                f"no room for {count} pools with {dict(resources)} each, placed {strategy}, within {timeout:g} "
                f"seconds. Free are { {name: free.get(name, 0.0) for name in resources} }: end what holds the "
                "rest, ask for less, or place them by strategy='PACK'"
            )

    def options(self, number: int) -> dict[str, Any]:
        """Options of a Ray actor that place it at the reservation with this number."""
        strategy = PlacementGroupSchedulingStrategy(
            self._group, placement_group_bundle_index=number
        )
        return {"scheduling_strategy": strategy}

    @property
    def is_connected(self) -> bool:
        """True if this process still has the connection to Ray that the resources were reserved on."""
        return connection() == self._connection

    def close(self) -> None:
        """Releases the resources, if they are still reserved: the end of the connection releases them, too."""
        self._release()


def _free(group: Any, reserved_on: tuple[str, str] | None) -> None:
    if connection() == reserved_on:
        remove_placement_group(group)


def actor_options(resources: Mapping[str, float]) -> dict[str, Any]:
    """Options of a Ray actor with these resources, which Ray never restarts or retries.

    An action that may have been executed must not be sent again, and the next generation has other seeds.
    """
    others = {name: each for name, each in resources.items() if name not in ("CPU", "GPU")}
    return {
        "num_cpus": resources.get("CPU", 0),
        "num_gpus": resources.get("GPU", 0),
        "resources": others or None,
        "max_restarts": 0,
        "max_task_retries": 0,
    }


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
