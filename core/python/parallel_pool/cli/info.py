"""`parallel-pool info`: all about one environment; or where the C++ headers are."""

import argparse
import dataclasses
import json
from typing import Any

import parallel_pool
from parallel_pool.cli.list import summary_of
from parallel_pool.cli.text import table
from parallel_pool.errors import ParallelPoolError
from parallel_pool.plugin_api import Part
from parallel_pool.registry import hooks, registry


def add_parser(subparsers: Any) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "info", help="describe an environment, or print the paths for builds"
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("id", nargs="?", help="an id in any form that make accepts")
    what.add_argument(
        "--include-dir", action="store_true", help="print the folder of the C++ headers"
    )
    what.add_argument(
        "--cmake-dir", action="store_true", help="print the folder of the CMake package"
    )
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(args: argparse.Namespace) -> int:
    """Print what was asked for. Raises UnknownEnvError or AmbiguousEnvError for a bad id."""
    core: Any = parallel_pool
    if args.include_dir:
        print(core.get_include())
    elif args.cmake_dir:
        print(core.get_cmake_dir())
    else:
        found = registry().resolve(args.id)
        facts: dict[str, Any] = {"plugin": found.plugin.label, **dataclasses.asdict(found.spec)}
        facts["summary"] = summary_of(found.spec)
        facts.update(describe(found.spec.id))
        about = hooks.about(found.plugin, found.spec)
        if about is not None:
            facts["about"] = dataclasses.asdict(about)
        if args.json:
            print(json.dumps(facts, indent=2, default=str))
        else:
            options = facts.pop("declared_options", [])
            of_resets = facts.pop("declared_reset_options", [])
            texts = facts.pop("about", {})
            facts |= {name: texts.get(name) for name in ("reward", "ends", "original")}
            table((name, _text(value)) for name, value in facts.items() if value not in _EMPTY)
            if about is not None and "observation_space" in facts:
                _print_meanings("observation", about.observation, facts["observation_space"])
                _print_meanings("action", about.action, facts["action_space"])
            for name, declared in ("option", options), ("reset option", of_resets):
                if declared:
                    print()
                    table([(name, *_HEAD), *map(_option, declared)], cut=True)
    return 0


def _print_meanings(name: str, parts: tuple[Part, ...], space: Any) -> None:
    from parallel_pool.schema.meanings import HEAD, rows

    if found := rows(parts, space):
        print()
        table([(name, *HEAD), *found], cut=True)


def describe(task_id: str) -> dict[str, Any]:
    """Information that the library has: spaces, and options with default, range and meaning.

    If it has to be loaded and does not load, the result is `{"unavailable": reason}`.
    """
    core: Any = parallel_pool
    try:
        spec = core.make_spec(task_id)
    except (ParallelPoolError, ImportError, AttributeError) as error:
        return {"unavailable": f"spaces and options: {error}"}
    numbers = "max_episode_steps", "reward_threshold"
    spaces = "observation_space", "action_space", "info_space"
    every = (*numbers, *spaces, "declared_options", "declared_reset_options")
    said = {name: getattr(spec, name) for name in every if hasattr(spec, name)}
    players = spec.definition.max_players
    return {"players": players, **said} if players > 1 else said


_HEAD = ("default", "allowed", "meaning")


def _option(option: dict[str, Any]) -> tuple[str, str, str, str]:
    return option["name"], repr(option["default"]), allowed(option), option["doc"]


def allowed(option: dict[str, Any]) -> str:
    """The allowed values of an option, in words; option: of `declared_options`."""
    if option["choices"]:
        return ", ".join(map(repr, option["choices"]))
    if option["kind"] == "bool":
        return "True, False"
    if option["range"] is None:
        return str(option["kind"])
    from parallel_pool.config.options import exact  # imports numpy, and most of info needs none

    low, high = (None if bound is None else exact(bound) for bound in option["range"])
    if high is None:
        return f"{option['kind']}, at least {low}"
    if low is None:
        return f"{option['kind']}, at most {high}"
    return f"{option['kind']}, {low} .. {high}"


_EMPTY: tuple[object, ...] = (None, "", (), {}, [])


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={item!r}" for name, item in value.items())
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return str(value)
