"""The rule of chunks of actions, on a pool without them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.testing import assert_array_equal
from parallel_pool.schema.trees import leaves, map_tree


class Played(NamedTuple):
    """What a chunk of one environment comes to."""

    answer: Any
    """The last one, of a pool of view "gymnasium"."""
    row: int
    """The environment's in it."""
    rewards: npt.NDArray[np.float64]
    """Of each action; with a reward per player in the last axis. Zeros where none was made."""
    steps: int


def by_steps(pool: Any, actions: Any, envs: Sequence[int], acting: Any = None) -> list[Played]:
    """Plays (N, k, ...) actions of these environments one after the other.

    acting: of several players, whose actions are (N, players, k, ...): who acted last, (num_envs, players);
    it is kept up to date.
    """
    axis = 1 if acting is None else 2
    chunk = leaves(actions)[0].shape[axis]
    last: dict[int, tuple[Any, int]] = {}
    rewards: dict[int, list[Any]] = {env: [] for env in envs}
    places, going = dict(zip(envs, range(len(envs)), strict=True)), list(envs)
    for number in range(chunk):
        if not going:
            break
        rows = [places[env] for env in going]
        now = map_tree(lambda leaf: np.take(leaf[rows], number, axis), actions)  # noqa: B023
        answer = pool.step(now, going)
        going_on = []
        for row, env in enumerate(going):
            last[env] = answer, row
            ended = bool(answer[2][row] or answer[3][row])
            changed = False
            if acting is not None:
                players = answer[-1]["players"]
                after = players["acting"][row]
                changed = not np.array_equal(after, acting[env]) or players["ended"][row].any()
                acting[env] = after
            reset = not ended and answer[-1]["elapsed_step"][row] == 0
            refused = "error" in answer[-1] and answer[-1]["_error"][row]
            if not reset and not refused:
                rewards[env].append(answer[1][row])
                if not ended and not changed:
                    going_on.append(env)
        going = going_on
    none = np.zeros_like(np.asarray(next(iter(last.values()))[0][1][0]))
    return [
        Played(*last[env], np.array([*own, *[none] * (chunk - len(own))]), len(own))
        for env, own in rewards.items()
    ]


def expect_as_by_steps(answer: Any, played: Sequence[Played]) -> None:
    """The answer of a pool with chunks, `chunk_rewards` included, is what was played."""
    obs, reward, terminated, truncated, info = answer
    for row, own in enumerate(played):
        assert_array_equal(info["chunk_steps"][row], own.steps)
        shown = own.rewards.T if own.rewards.ndim > 1 else own.rewards  # each player's own
        assert_array_equal(info["chunk_rewards"][row], shown)
        total = np.zeros_like(own.rewards[0])
        for each in own.rewards:
            total = total + each
        assert_array_equal(reward[row], total)
        mine, theirs = _compared(info), _compared(own.answer[-1])
        for key in mine.keys() ^ theirs.keys():  # Python infos, which no row beside it has
            given, at = (mine, row) if key in mine else (theirs, own.row)
            assert not given[key if key.startswith("_") else f"_{key}"][at]
        both = sorted(mine.keys() & theirs.keys())
        rest = (obs, terminated, truncated, *(mine[key] for key in both))
        other = (own.answer[0], *own.answer[2:4], *(theirs[key] for key in both))
        for one, same in zip(leaves(rest), leaves(other), strict=True):
            assert_array_equal(np.asarray(one)[row], np.asarray(same)[own.row])


def _compared(info: dict[str, Any]) -> dict[str, Any]:
    """What a row has in any company, but for seconds."""
    apart = (
        "chunk_steps chunk_rewards env_id final_obs final_info final_obs_dense episode error score"
    )
    return {key: each for key, each in info.items() if key.lstrip("_") not in apart.split()}
