"""Parts that the result trees of several views share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from parallel_pool.config.pool_config import PoolConfig
from parallel_pool.config.python_env import INFO_HANDLE
from parallel_pool.config.transform.state import TransformState
from parallel_pool.rendering.pixels import PixelObservations
from parallel_pool.schema.fields import Field, tree_of
from parallel_pool.schema.result_tree import (
    ChunkReward,
    Computed,
    ErrorMask,
    Errors,
    FieldColumn,
    FinalColumn,
    HostColumn,
    IfEnded,
    IfErrors,
    Node,
    PlayerColumn,
    TextObjects,
    Tree,
)
from parallel_pool.schema.texts import Texts, texts_where
from parallel_pool.workers.python_envs.infos import InfoJoiner
from parallel_pool.workers.python_envs.obs_objects import object_rows

_PLAYER_FLAGS = ("present", "acting", "terminated", "truncated", "ended")


@dataclass(frozen=True)
class PoolParts:
    """The parts of a pool that its result trees contain, besides the native pool."""

    config: PoolConfig
    pictures: PixelObservations | None
    """Draws the pictures in the trees; closed with the pool."""
    transform: TransformState | None
    joiner: InfoJoiner | None
    """Of environments in Python."""

    @classmethod
    def of(cls, config: PoolConfig) -> Self:
        """The parts of a new pool. Raises OptionError if pictures cannot be drawn."""
        plan = config.transform
        state = None
        if plan is not None:
            count, trails = config.arguments.num_envs, config.chunk_trail > 0
            state = TransformState(plan, count, trails=trails)
        pictures = None if config.pixels is None else PixelObservations(config)
        joiner = None if config.python is None else InfoJoiner(config.python)
        return cls(config, pictures, state, joiner)


def obs_tree(parts: PoolParts, *, final: bool = False) -> Tree:
    """The observation; final: the last one of ended episodes, with texts and objects in object arrays.

    Call it once for equal places of a result: pictures are drawn once for each node.
    """
    pictures, pixels = parts.pictures, parts.config.pixels
    same_step = parts.config.arguments.autoreset_mode == "SameStep"

    def leaf(number: int, field: Field) -> Node:
        if field["kind"] == "object":
            joiner = parts.joiner
            assert joiner is not None
            return object_rows(
                joiner.env,
                joiner.opened,
                joiner.warn,
                number,
                field,
                final=final,
                same_step=same_step,
            )
        node = _column(number, final)
        if field["kind"] != "text":
            return node
        if final:  # an info, in which Gymnasium's wrappers look for arrays
            return Computed(texts_where, (node, HostColumn("ended")))
        return Computed(Texts, (node,))

    def shown(number: int, field: Field) -> Node:
        if pictures is None or pixels is None or number != pixels.field:
            return leaf(number, field)
        return pictures.final() if final else pictures.now()

    def ready(number: int, field: Field) -> Node:
        if parts.transform is None:
            return shown(number, field)
        return parts.transform.obs(number, lambda each: shown(each, field), final=final)

    tree: Tree = tree_of(parts.config.fields, "obs", ready)
    return tree


def info_tree(
    config: PoolConfig, *, final: bool = False, per_player: bool = False
) -> dict[str, Tree]:
    """The environment's own info: what all players share, or what each has; final as in `obs_tree`."""
    if not config.has_infos:
        return {}

    def leaf(number: int, field: Field) -> Node:
        node = _column(number, final)
        # An object array, as in Gymnasium.
        return TextObjects(node) if field["kind"] == "text" else node

    tree: dict[str, Tree] = tree_of(config.fields, "info", leaf, per_player=per_player)
    if config.python is not None and not per_player:
        del tree[INFO_HANDLE]
    return tree


def last_obs_mask(config: PoolConfig) -> dict[str, Tree]:
    """The mask of `final_obs` in a TimeStep of tensors: by it, a device is not sent what no row has."""
    masked = config.keeps_last and config.arguments.output == "torch"
    return {"_final_obs": HostColumn("ended")} if masked else {}


def elapsed_part(config: PoolConfig) -> dict[str, Tree]:
    """How many steps the episode has."""
    return {"elapsed_step": HostColumn("elapsed_step")} if config.has_infos else {}


def seed_part(config: PoolConfig, *, final: bool = False) -> dict[str, Tree]:
    """The seed of the episode where seeds are listed; final: of the one that ended."""
    if config.arguments.episode_seeds is None:
        return {}
    return {"episode_seed": HostColumn("final_seed" if final else "episode_seed")}


def chunk_part(parts: PoolParts) -> dict[str, Tree]:
    """How many steps of a chunk were made, and the reward of each where they are asked for."""
    arguments = parts.config.arguments
    if arguments.action_chunk is None:
        return {}
    steps: dict[str, Tree] = {"chunk_steps": HostColumn("chunk_steps")}
    if not arguments.chunk_rewards:
        return steps
    transform = parts.transform
    rewards = HostColumn("chunk_rewards") if transform is None else transform.chunk_rewards()
    return {**steps, "chunk_rewards": rewards}


def episode_part(config: PoolConfig, *, statistics: bool) -> IfEnded:
    """Return, length and seconds of episodes or games that end, as in Gymnasium's RecordEpisodeStatistics."""
    if not statistics:
        return IfEnded({})
    numbers = {
        "r": HostColumn("episode_return"),
        "l": HostColumn("episode_length"),
        "t": HostColumn("episode_time"),
    }
    mask = HostColumn("game_ended" if config.counts_games else "ended")
    return IfEnded({"episode": numbers, "_episode": mask}, games=config.counts_games)


def score_part(config: PoolConfig, *, statistics: bool) -> dict[str, Tree]:
    """What each row adds to the score of its game. In SAME_STEP a row would have it of two episodes."""
    if not (statistics and config.counts_games) or config.arguments.autoreset_mode == "SameStep":
        return {}
    tree: dict[str, Tree] = {"score": tree_of(config.fields, "score", lambda n, _: FieldColumn(n))}
    return tree


def player_tree(
    config: PoolConfig, *, named: bool = False, statistics: bool = False, final: bool = False
) -> dict[str, Tree]:
    """`players`, as docs/multi-player.md describes it.

    named: with `env_id` and `id`. statistics: `episode_return` as well. final, in SAME_STEP pools: which
    players were in the last row of an episode that ended, and their last infos as `final_info`.
    """
    tree: dict[str, Tree] = {}
    if named:
        tree |= {"env_id": PlayerColumn("env_id"), "id": PlayerColumn("id")}
    tree |= {name: PlayerColumn(name) for name in _PLAYER_FLAGS}
    if statistics:
        tree["episode_return"] = PlayerColumn("episode_return")
    tree |= info_tree(config, per_player=True)
    if final and config.arguments.autoreset_mode == "SameStep":
        tree["final"] = PlayerColumn("final")
        if last := info_tree(config, final=True, per_player=True):
            tree["final_info"] = last
    return tree


def reward_column(parts: PoolParts) -> Node:
    """The float64 reward."""
    fields = enumerate(parts.config.fields)
    number = next(number for number, field in fields if field["role"] == "reward")
    return ready_reward(parts, FieldColumn(number))


def ready_reward(parts: PoolParts, column: Node) -> Node:
    """The reward as the learner gets it, of the dtype of this column of rewards."""
    if parts.transform is None:
        return column
    if parts.config.arguments.action_chunk is None or not parts.transform.changes_rewards:
        return parts.transform.reward(column)
    return ChunkReward(parts.transform.chunk_rewards(), column == HostColumn("reward32"))


def error_part() -> IfErrors:
    """The part of the info when an episode was cut short: the reason, and its mask."""
    return IfErrors({"error": Errors(), "_error": ErrorMask()})


def envpools_names(config: PoolConfig, info: dict[str, Any]) -> dict[str, Any]:
    """An info, or its tree, with EnvPool's names in place of ours, where they differ."""
    names = config.env.envpool_info
    return {names.get(name, name): each for name, each in info.items()}


def with_masks(info: Mapping[str, Tree], mask: Node) -> dict[str, Tree]:
    """Gymnasium pairs each info key with `_key`: which environments gave it."""
    masked: dict[str, Tree] = {}
    for key, value in info.items():
        masked[key] = with_masks(value, mask) if isinstance(value, Mapping) else value
        masked[f"_{key}"] = mask
    return masked


def _column(number: int, final: bool) -> Node:
    return FinalColumn(number) if final else FieldColumn(number)
