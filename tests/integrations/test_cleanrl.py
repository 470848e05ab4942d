"""CleanRL: infos as its scripts read them, loops with their statements, and the scripts themselves."""

import hashlib
import os
import re
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool_learning.cleanrl import FinalInfoToList, make_vec_env
from test_envs.libraries import needed
from test_envs.pools import register_python
from test_envs.programs import python


def ends(envs: Any, steps: int) -> list[dict[str, Any]]:
    """The infos of the steps in which an episode ended."""
    envs.reset(seed=1)
    envs.action_space.seed(1)
    infos = [envs.step(envs.action_space.sample())[-1] for _ in range(steps)]
    return [info for info in infos if "final_info" in info]


def test_infos_of_ends_are_those_of_gymnasium_0_29() -> None:
    """What 0.29.1 gave for RecordEpisodeStatistics in a SyncVectorEnv."""
    with closing(make_vec_env("CartPole-v1", 3)) as envs:
        info = ends(envs, 60)[0]
    assert set(info) >= {*("final_info", "_final_info", "final_observation", "_final_observation")}
    assert not {"final_obs", "_final_obs", "episode", "_episode"} & set(info)
    for name in ("final_info", "final_observation"):
        column, mask = info[name], info[f"_{name}"]
        assert (column.dtype, column.shape, mask.dtype) == (object, (3,), bool)
        assert [value is not None for value in column] == mask.tolist()
        assert 0 < mask.sum() < 3
    row = info["_final_info"].argmax()
    assert (info["final_observation"][row].shape, info["final_observation"][row].dtype) == (
        (4,),
        np.float32,
    )
    episode = info["final_info"][row]["episode"]
    assert {name: (value.dtype, value.shape) for name, value in episode.items()} == {
        "r": (np.float32, (1,)),
        "l": (np.int32, (1,)),
        "t": (np.float32, (1,)),
    }
    assert episode["r"] == episode["l"] == info["final_info"][row]["elapsed_step"]


class Told(gymnasium.Env[Any, Any]):
    """Tells in every info how often it was stepped, and at the end that it is over."""

    observation_space = gymnasium.spaces.Dict({"here": gymnasium.spaces.Box(0, 9)})
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, length: int) -> None:
        self.length = length

    def reset(self, **_: Any) -> Any:
        self.steps = 0
        return {"here": np.float32([0])}, {"steps": 0}

    def step(self, action: Any) -> Any:
        self.steps += 1
        over = self.steps == self.length
        info = {"steps": self.steps, "place": {"x": 2.5}, **({"is_success": True} if over else {})}
        return {"here": np.float32([self.steps])}, 1.0, over, False, info


def test_infos_of_python_environments() -> None:
    task_id = register_python("scored/Scored-v0", Told)
    options: dict[str, Any] = {"env_options": [{"length": 2}, {"length": 3}], "num_threads": 1}
    with closing(make_vec_env(task_id, 2, **options)) as envs:
        info = ends(envs, 2)[0]
    first, second = info["final_info"]
    assert first.pop("episode")["r"] == 2
    assert first.items() >= {"steps": 2, "place": {"x": 2.5}, "is_success": True}.items()
    assert second is None
    assert info["final_observation"][0]["here"] == 2
    assert info["steps"].tolist() == [0, 2]  # the first is after the reset


def test_an_episode_is_a_game_where_environments_have_scores() -> None:
    pytest.importorskip("parallel_pool_atari")
    with closing(make_vec_env("Breakout-v5", 2, episodic_life=True, reward_clip=True)) as envs:
        infos = ends(envs, 500)
    rows = [row for info in infos for row in info["final_info"] if row is not None]
    games = [row for row in rows if "episode" in row]
    assert 0 < len(games) < len(rows)
    assert all(row["lives"] == 0 for row in games)


def test_wrappers_may_be_in_between() -> None:
    pool = parallel_pool.make("CartPole-v1", num_envs=2, autoreset_mode="SameStep")
    envs = FinalInfoToList(gymnasium.wrappers.vector.RecordEpisodeStatistics(pool))
    assert ends(envs, 60)[0]["final_info"][0]["episode"]["r"] > 8
    envs.close()


def test_replayed_transitions_lead_to_the_last_observation() -> None:
    """With the statements of scripts with a replay buffer."""
    with closing(make_vec_env("Pendulum-v1", 2, max_episode_steps=7)) as envs:
        obs, _ = envs.reset(seed=1)
        envs.action_space.seed(1)
        returns, rewards = [], 0.0
        for step in range(1, 22):
            next_obs, reward, _, truncations, infos = envs.step(envs.action_space.sample())
            rewards += reward
            real_next_obs = next_obs.copy()
            for idx, trunc in enumerate(truncations):
                if trunc:
                    real_next_obs[idx] = infos["final_observation"][idx]
            assert truncations.any() == (step % 7 == 0)
            # A pendulum turns by at most 8 * 0.05 in a step; a new one may be anywhere.
            turned = np.arccos(np.clip((real_next_obs * obs)[:, :2].sum(1), -1, 1))
            assert (turned < 0.41).all()
            obs = next_obs
            if "final_info" in infos:
                for info in infos["final_info"]:
                    if info and "episode" in info:
                        returns.append(info["episode"]["r"])
    assert np.isclose(np.reshape(returns, (3, 2)).sum(0), rewards, rtol=1e-5).all()


COMMIT = "fe8d8a03c41a7ef5b523e2e354bd01c363e786bb"
FILES = {
    "cleanrl/ppo.py": "d8dfbb7ac0b21e747b77d6e6673e566db4d6cdacc83bcebcd19cf87ad0e459ae",
    "cleanrl/ppo_continuous_action.py": "326dd8678bf9cc51abec833eb551ef2409a3804d604b689e1f0a084eca41f655",
    "cleanrl/ppo_atari.py": "5fa8e1a1b609a6a5cc69ec7a4cddb957101f175e056a20471c7ac403182155b9",
    "cleanrl/ppo_atari_envpool_xla_jax.py": "a6963d31e4cec1e7c6e12391b65e19624e5f1dc6a9302cbbffc79d8c96e8af41",
    "cleanrl/dqn.py": "a0effc7d087264da1644c3c79eb99cc3ab02b214a758ebf6e9c1443b21ad57d3",
    "cleanrl/sac_continuous_action.py": "f411ff829c864f1312dbca6a01b7a8c8830a4d9640e37beffa41630ff71bb7e0",
    "cleanrl_utils/atari_wrappers.py": "7fbb7a5d6b9c020c99b6e1037f502657bbba4973f1e9c70c9629f66110c81f2d",
    "cleanrl_utils/buffers.py": "b43d54020783ac53f7d23fe7c0ed72aff20e1f377a633d134d66eb9bdbece4b8",
}
NORMALISED = (
    'transform={"normalize_obs": True, "clip_obs": 10, "normalize_reward": True, "clip_reward": 10, '
    '"gamma": args.gamma}, out_of_bounds_action="clip"'
)


def fetched(name: str) -> str:
    """The text of a file of CleanRL: of a checkout at PP_CLEANRL, or from its address."""
    checkout = os.environ.get("PP_CLEANRL")
    if checkout is not None:
        text = (Path(checkout) / name).read_bytes()
    else:
        address = f"https://raw.githubusercontent.com/vwxyzjn/cleanrl/{COMMIT}/{name}"
        try:
            with urllib.request.urlopen(address, timeout=20) as answer:
                text = answer.read()
        except OSError as error:
            pytest.skip(f"{address}: {error}. PP_CLEANRL may name a checkout of {COMMIT}")
    assert hashlib.sha256(text).hexdigest() == FILES[name], f"{name} is not that of {COMMIT}"
    return str(text, "utf-8")


@pytest.mark.training
@pytest.mark.parametrize(
    ("script", "options", "arguments"),
    [
        ("ppo", "", "--total-timesteps 2048"),
        (
            *("ppo_continuous_action", NORMALISED),
            "--env-id Hopper-v5 --total-timesteps 512 --num-steps 256",
        ),
        (
            *("ppo_atari", "episodic_life=True, reward_clip=True"),
            "--env-id Breakout-v5 --num-envs 4 --num-steps 64 --total-timesteps 1536 --update-epochs 1",
        ),
        ("dqn", "", "--total-timesteps 800 --learning-starts 300"),
        (
            *("sac_continuous_action", ""),
            "--env-id Hopper-v5 --total-timesteps 250 --learning-starts 150",
        ),
    ],
)
def test_scripts_with_two_lines_changed_train_and_log(
    script: str, options: str, arguments: str, tmp_path: Path
) -> None:
    needed("torch")
    needed("tyro")
    for name in FILES:
        if name.startswith("cleanrl_utils/"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(fetched(name))
    ours = f"envs = make_vec_env(args.env_id, num_envs=args.num_envs, {options})\n"
    text, changed = re.subn(
        r"envs = gym\.vector\.SyncVectorEnv\(.*?\n    \)\n",
        lambda _: ours,
        fetched(f"cleanrl/{script}.py"),
        flags=re.DOTALL,
    )
    assert changed == 1
    text = f"from parallel_pool_learning.cleanrl import make_vec_env\n{text}"
    printed, log = trained(script, text, f"--no-cuda {arguments}", tmp_path)
    logged = log.Scalars("charts/episodic_return")
    assert len(logged) == printed.count("episodic_return=") > 0
    assert len(log.Scalars("charts/episodic_length")) == len(logged)


def trained(script: str, text: str, arguments: str, folder: Path) -> tuple[str, Any]:
    accumulator = needed("tensorboard.backend.event_processing.event_accumulator")
    path = folder / f"{script}.py"
    path.write_text(text)
    printed = python(path, *arguments.split(), folder=folder, seconds=400, OMP_NUM_THREADS="1")
    (run,) = (folder / "runs").iterdir()
    log = accumulator.EventAccumulator(str(run)).Reload()
    assert any(name.startswith("losses/") for name in log.Tags()["scalars"])
    return printed, log


@pytest.mark.training
def test_the_script_with_one_program_and_its_imports_changed(tmp_path: Path) -> None:
    """And with an answer to what Flax has asked of parameters since the script was written.

    `gym`, of which it asks for the class of a space, is not maintained.
    """
    for library in ("jax", "flax", "optax", "torch", "tyro"):
        needed(library)
    script = "ppo_atari_envpool_xla_jax"
    ours = {"envpool": "parallel_pool.envpool.legacy as envpool", "gym": "gymnasium as gym"}
    text, changed = re.subn(
        r"^import (envpool|gym)$",
        lambda found: f"import {ours[found[1]]}",
        fetched(f"cleanrl/{script}.py"),
        flags=re.MULTILINE,
    )
    assert changed == 2
    parameters = "class AgentParams:\n"
    assert parameters in text
    text = text.replace(parameters, f"{parameters}    def __contains__(self, _): return False\n")
    sizes = "--num-envs 2 --num-steps 2 --total-timesteps 8 --update-epochs 1 --num-minibatches 1"
    printed, log = trained(script, text, f"--env-id Pong-v5 {sizes}", tmp_path)
    assert printed.count("avg_episodic_return=") == 2
    assert all(np.isfinite(each.value) for each in log.Scalars("losses/loss"))
