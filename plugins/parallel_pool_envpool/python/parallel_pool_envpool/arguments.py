"""Converts EnvPool's keyword arguments to ours, and ours to EnvPool's `config`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from operator import attrgetter
from typing import Any

import numpy as np
from parallel_pool import OptionError
from parallel_pool.pool_api import PoolConfig, expect_array_fields, in_envpools_layout, make_config

SEED = 42
"""EnvPool's default seed."""
ENDLESS = 2**31 - 1
"""`max_episode_steps` of environments without a limit."""

_FIRST = (
    "num_envs",
    "batch_size",
    "num_threads",
    "max_num_players",
    "thread_affinity_offset",
    "base_path",
    "seed",
    "env_seed",
    "gym_reset_return_info",
    "max_episode_steps",
    "reward_threshold",
)
"""EnvPool's arguments of all environments, in EnvPool's order."""


@dataclass(frozen=True)
class ParsedArguments:
    """The arguments of `make`: those of the pool, and those that only `config` shows."""

    arguments: Mapping[str, Any]
    """The arguments that `parallel_pool.make` takes."""
    base_path: str
    seed: int | None
    env_seed: list[int]
    human: bool
    """True if pictures are shown in a window."""


def parse_arguments(owner: str, arguments: Mapping[str, Any]) -> ParsedArguments:
    """Sorts EnvPool's arguments. Raises OptionError naming owner, argument, value and what is expected.

    `base_path` has no effect: plugins find their own files. Neither has `max_num_players`: environments
    know how many players they have.
    """
    rest = dict(arguments)
    rest.setdefault("gym_reset_return_info", True)
    base_path = str(rest.pop("base_path", ""))
    most = rest.pop("max_num_players", 1)
    if not isinstance(most, Integral) or most < 1:
        raise OptionError(
            f"{owner}: max_num_players is {most!r}, expected an integer of at least 1"
        )
    seed, env_seed = rest.pop("seed", SEED), rest.pop("env_seed", ())
    if _is_sequence(seed):
        if len(env_seed):
            raise OptionError(f"{owner}: seeds are given twice, as seed and as env_seed")
        seed, env_seed = 0, seed
    env_seed = _checked_seeds(owner, env_seed, rest.get("num_envs", 1))
    rest["seed"] = _seeds(seed, env_seed, rest.get("num_envs", 1))
    if rest.get("action_chunk") is not None:
        raise OptionError(
            f"{owner}: action_chunk is {rest['action_chunk']!r}, and EnvPool's interface has one action for a "
            "step: leave it out, or use parallel_pool.make"
        )
    human = rest.get("render_mode") == "human"
    if human:
        rest["render_mode"] = "rgb_array"
    if rest.setdefault("texts", "bytes") != "bytes":
        raise OptionError(
            f"{owner}: texts is {rest['texts']!r}, and EnvPool's are bytes, padded with zeros: leave it out"
        )
    if rest.get("from_pixels") is False:  # also allowed for environments that have no pictures
        del rest["from_pixels"]
    return ParsedArguments(rest, base_path, seed, env_seed, human)


def config_of(task_id: str, parsed: ParsedArguments) -> PoolConfig:
    """The pool, with EnvPool's keys and layout of observations. Raises as `make_config`."""
    keys = attrgetter("envpool_options")
    config = make_config(task_id, parsed.arguments, defaults=keys, envpools_layout=True)
    expect_array_fields(config.fields, config.env.id, "EnvPool's interface")
    return in_envpools_layout(config)


def effective_config(config: PoolConfig, parsed: ParsedArguments) -> dict[str, Any]:
    """`env.config`: EnvPool's arguments of all environments, the environment's own, and those that only our
    pools have. `make(task_id, env_type, **config)` makes the same pool."""
    values = {name: each for name, each in config.values.items() if name != "task_id"}
    values |= {"base_path": parsed.base_path, "seed": parsed.seed, "env_seed": parsed.env_seed}
    values["max_episode_steps"] = values["max_episode_steps"] or ENDLESS
    if parsed.human:
        values["render_mode"] = "human"
    own = [name for name in values if name not in vars(config.arguments) and name not in _FIRST]
    return {name: values[name] for name in dict.fromkeys((*_FIRST, *own, *values))}


def _is_sequence(value: Any) -> bool:
    return isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes))


def _checked_seeds(owner: str, seeds: Any, num_envs: Any) -> list[int]:
    if not _is_sequence(seeds) or np.ndim(seeds) != 1:
        raise OptionError(f"{owner}: env_seed is {seeds!r}, expected one int for each environment")
    if len(seeds) not in (0, num_envs):
        raise OptionError(f"{owner}: there are {len(seeds)} seeds for {num_envs} environments")
    return [int(each) for each in seeds]


def _seeds(seed: Any, env_seed: list[int], num_envs: Any) -> Any:
    """Environment i has seed + i. Negative seeds are read as unsigned 32-bit numbers, as in EnvPool."""
    if env_seed:
        return [each % 2**32 if each < 0 else each for each in env_seed]
    whole = isinstance(seed, Integral) and isinstance(num_envs, Integral)
    if whole and seed < 0:
        return [(int(seed) + number) % 2**32 for number in range(int(num_envs))]
    return seed
