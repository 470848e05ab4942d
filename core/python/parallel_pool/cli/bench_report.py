"""What `parallel-pool bench` prints of a measurement."""

from typing import Any

from parallel_pool.cli.text import table


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
    rows += [
        ("per call", f"{report['microseconds_per_call']:,.1f} µs"),
        ("per env step", f"{report['microseconds_per_env_step']:,.3f} µs"),
    ]
    if report["mean_return"] is None:
        rows.append(("episodes", "none finished"))
    else:
        means = report.get("mean_return_of_players") or [report["mean_return"]]
        said = ", ".join(f"{each:.2f}" for each in means)
        of = " of each player" if len(means) > 1 else ""
        rows.append(("episodes", f"{report['episodes']:,}, mean return{of} {said}"))
    if "bytes_per_env" in report:
        rows.append(("memory per env", f"about {report['bytes_per_env'] / 1024:,.1f} KiB"))
    if report["interrupted"]:
        rows.append(("note", "interrupted: the figures are of the time before"))
    table(rows)
