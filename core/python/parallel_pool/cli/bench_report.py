"""What `parallel-pool bench` prints of a measurement."""

from typing import TYPE_CHECKING, Any

from parallel_pool.cli.text import table

if TYPE_CHECKING:
    from parallel_pool.benchmarking.interleave import Timing


def versus(ours: "Timing", theirs: "Timing") -> dict[str, Any]:
    """A baseline in the report."""
    return {
        "name": theirs.name,
        "env_steps_per_second": theirs.total.rate,
        "times_faster": ours.ratio_to(theirs) if theirs.slices else None,
    }


def print_report(report: dict[str, Any]) -> None:
    """As a table."""
    mode = f"asynchronous, batches of {report['batch_size']}"
    threads = report["num_threads"]
    rows = [
        ("environment", report["id"]),
        ("pool", f"{report['num_envs']} environments" + (f", {threads} threads" * bool(threads))),
        ("mode", mode if report["asynchronous"] else "all in lockstep"),
        ("built in", f"{report['build_seconds']:.2f} s"),
        (
            "stepped",
            f"{report['env_steps']:,} env steps; {report['seconds']:.2f} s inside the pool",
        ),
        ("env steps/s", f"{report['env_steps_per_second']:,.0f}"),
    ]
    if "frames_per_second" in report:
        rows.append(("frames/s", f"{report['frames_per_second']:,.0f}"))
    if report["calls"]:
        rows += [
            ("per call", f"{report['microseconds_per_call']:,.1f} µs"),
            ("per env step", f"{report['microseconds_per_env_step']:,.3f} µs"),
        ]
    if report["mean_return"] is None:
        rows.append(("episodes", "none finished"))
    else:
        rows.append(
            ("episodes", f"{report['episodes']:,}, mean return {report['mean_return']:.2f}")
        )
    if "bytes_per_env" in report:
        rows.append(("memory per env", f"about {report['bytes_per_env'] / 1024:,.1f} KiB"))
    for each in report.get("against", ()):
        speed = f"{each['env_steps_per_second']:,.0f} env steps/s"
        if each["times_faster"] is not None:
            speed += f"; ParallelPool is {each['times_faster']:.2f} x as fast"
        rows.append((f"against {each['name']}", speed))
    rows += [("left out", reason) for reason in report.get("absent", ())]
    if report["interrupted"]:
        rows.append(("note", "interrupted: the figures are of the time before"))
    table(rows)
