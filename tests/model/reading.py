"""Answers of a pool, of any view, as rows that can be compared with the reference pool's."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from parallel_pool import EnvError
from reference_pool import Config, Row

Shown = dict[str, Any]
"""A row by what it shows; a view that does not show something has no such key."""


def expected(row: Row, view: str, config: Config, *, reset: bool, episode: bool) -> Shown:
    """What `view` shows of a row of the reference pool, in the answer to a reset or to a step."""
    shown: Shown = {"obs": row.obs, "elapsed": row.elapsed, "travelled": row.travelled}
    if view == "gym" and reset:
        return {"obs": row.obs}
    if config.chunk is not None:
        shown["rewards"] = (*row.rewards, *[0.0] * (config.chunk - len(row.rewards)))
        shown["steps"] = len(row.rewards)
    if view == "gymnasium" and reset:
        return shown
    ended = (row.terminated or row.truncated) and row.failure is None
    if view == "dm":
        last = ended or row.failure is not None
        shown["step_type"] = 2 if last else 0 if row.first else 1
        shown["discount"] = 0.0 if row.terminated or row.failure is not None else 1.0
        shown["reward"] = row.reward
        if config.autoreset_mode == "SameStep" and ended:
            shown["final_obs"] = row.final_obs
        return shown
    shown["terminated"], shown["truncated"] = row.terminated, row.truncated
    shown["reward"] = float(np.float32(row.reward)) if view == "gym" else row.reward
    if config.autoreset_mode == "SameStep":
        shown["final_obs"] = row.final_obs
        shown["final_travelled"] = row.final_travelled
    if episode:
        shown["episode"] = row.episode
    return shown


def read(answer: Any, view: str, config: Config, *, reset: bool) -> tuple[list[int], list[Shown]]:
    """Whose rows an answer has (nothing where it does not say), and the rows."""
    if isinstance(answer, EnvError):
        answer = answer.result
    if view == "dm":
        return _read_dm(answer, config)
    if view == "gym" and reset:
        return [], [{"obs": tuple(obs)} for obs in answer.tolist()]
    obs, info = answer[0], answer[-1]
    ids = info["env_id"].tolist()
    rows: list[Shown] = [{"obs": tuple(each)} for each in obs.tolist()]
    columns = {"elapsed": info["elapsed_step"], "travelled": info["travelled"]}
    if view == "gymnasium":
        assert all(info[key].all() for key in ("_env_id", "_elapsed_step", "_travelled"))
    else:
        assert info["players"]["env_id"].tolist() == ids
    if config.chunk is not None:
        columns["steps"] = info["chunk_steps"]
        for row, rewards in zip(rows, info["chunk_rewards"].tolist(), strict=True):
            row["rewards"] = tuple(rewards)
    if not reset:
        columns |= {"reward": answer[1], "terminated": answer[2], "truncated": answer[3]}
    for name, column in columns.items():
        for row, value in zip(rows, column.tolist(), strict=True):
            row[name] = value
    if reset:
        return ids, rows
    if view == "gym":
        assert info["TimeLimit.truncated"].tolist() == answer[3].tolist()
    if config.autoreset_mode == "SameStep":
        _read_final(info, view, rows)
    _read_episodes(info, rows)
    return ids, rows


def _read_dm(answer: Any, config: Config) -> tuple[list[int], list[Shown]]:
    state = answer.observation
    ids = state.env_id.tolist()
    rows: list[Shown] = []
    for i in range(len(ids)):
        row: Shown = {
            "obs": tuple(state.obs[i].tolist()),
            "elapsed": int(state.elapsed_step[i]),
            "travelled": float(state.travelled[i]),
            "step_type": int(answer.step_type[i]),
            "discount": float(answer.discount[i]),
            "reward": float(answer.reward[i]),
        }
        if config.chunk is not None:
            row["steps"] = int(state.chunk_steps[i])
            row["rewards"] = tuple(state.chunk_rewards[i].tolist())
        # A row that failed is LAST and has no last observation: it is told apart by its elapsed step
        # of a SAME_STEP pool only, so zeros are taken as none.
        if config.autoreset_mode == "SameStep" and row["step_type"] == 2:
            final = tuple(state.final_obs[i].tolist())
            if final != (0.0, 0.0):
                row["final_obs"] = final
        rows.append(row)
    return ids, rows


def _read_final(info: Mapping[str, Any], view: str, rows: list[Shown]) -> None:
    """The last observation and info of episodes that ended, where the masks say so."""
    if view == "gym":
        dense, mask, infos, info_mask = (
            info[key] for key in ("final_obs", "_final_obs", "final_info", "_final_info")
        )
    else:
        dense, mask = info["final_obs_dense"], info["_final_obs_dense"]
        assert ("final_obs" in info) == mask.any()
        infos, info_mask = info.get("final_info"), info.get("_final_info", mask)
    assert mask.tolist() == info_mask.tolist()
    for i, row in enumerate(rows):
        there = bool(mask[i])
        row["final_obs"] = tuple(dense[i].tolist()) if there else None
        row["final_travelled"] = float(infos["travelled"][i]) if there else None
        if view == "gymnasium" and mask.any():
            as_object = info["final_obs"][i]
            assert (as_object is not None) == there
            assert not there or tuple(as_object.tolist()) == row["final_obs"]


def _read_episodes(info: Mapping[str, Any], rows: list[Shown]) -> None:
    if "episode" not in info:
        return
    mask = info["_episode"]
    assert mask.any(), "the key is there only where an episode ends"
    for i, row in enumerate(rows):
        values = (float(info["episode"]["r"][i]), int(info["episode"]["l"][i]))
        row["episode"] = values if mask[i] else None
        assert mask[i] or values == (0.0, 0)


def agree(got: Shown, wanted: Shown) -> bool:
    """Equal in every bit but the kind of NaN; an answer without any end has no episodes to show."""
    got = {"episode": None, **got} if "episode" in wanted else got
    return got.keys() == wanted.keys() and all(_same(got[key], wanted[key]) for key in wanted)


def _same(got: Any, wanted: Any) -> bool:
    if isinstance(wanted, tuple) and isinstance(got, tuple):
        return len(got) == len(wanted) and all(map(_same, got, wanted))
    if isinstance(wanted, float) and math.isnan(wanted):
        return isinstance(got, float) and math.isnan(got)
    return bool(got == wanted)
