"""The scripts of examples/training and examples/distributed run as a person would run them, and leave what they
promise.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_envs.programs import python, ran

torch = pytest.importorskip("torch")

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS, DISTRIBUTED = EXAMPLES / "training", EXAMPLES / "distributed"

# Where they are installed: the group `libraries`.
LIBRARIES = {"stable_baselines3": "sb3_ppo.py", "tianshou": "tianshou_dqn.py"}

pytestmark = pytest.mark.training


VARIABLES = {"OMP_NUM_THREADS": "1", "MUJOCO_GL": os.environ.get("MUJOCO_GL", "egl")}
"""One thread for numbers: more would only wait for each other on a machine that has other work."""


def run(out: Path, script: str, *arguments: str) -> str:
    printed = python(SCRIPTS / script, *arguments, "--out", out, seconds=3600, **VARIABLES)
    assert (out / "curve.png").read_bytes().startswith(b"\x89PNG")
    return printed


def likeliest(output: str) -> float:
    """The mean return that a script tells at its end."""
    found = re.search(r"episodes: (-?[\d.]+)", output)
    assert found, output
    return float(found[1])


def test_ppo_solves_cartpole_within_60k_steps(tmp_path: Path) -> None:
    assert likeliest(run(tmp_path, "ppo_discrete.py", "cartpole")) >= 475
    assert (tmp_path / "seed1.mp4").stat().st_size > 1000


def test_a_run_goes_on_and_seeds_share_a_picture(tmp_path: Path) -> None:
    short = ("ppo_discrete.py", "cartpole", "--film-frames", "0", "--total-steps")
    run(tmp_path, *short, "2048")
    run(tmp_path, *short, "4096", "--resume")
    run(tmp_path, *short, "1024", "--seed", "2")
    steps = [
        re.findall(r'"steps": (\d+)', (tmp_path / f"seed{i}.jsonl").read_text()) for i in (1, 2)
    ]
    assert [int(x[-1]) for x in steps] == [4096, 1024]
    assert sorted(map(int, steps[0])) == [int(x) for x in steps[0]]


def learnt(out: Path) -> dict[str, Any]:
    """What a run has saved, and its log, without what a clock says."""
    saved = torch.load(out / "seed1.pt", weights_only=False)
    del saved["seconds"], saved["config"]
    del saved["place"]["envs"]  # which have the seconds of their episodes
    log = [json.loads(line) for line in (out / "seed1.jsonl").read_text().splitlines()]
    return saved | {"log": [(line["steps"], line["return"]) for line in log]}


@pytest.mark.parametrize(
    "script",
    [
        ("ppo_discrete.py", "cartpole", "--total-steps", "8192"),
        # Four updates; an episode has 1,000 steps.
        (
            *("ppo_continuous.py", "halfcheetah"),
            *("--num-envs", "4", "--num-steps", "512", "--total-steps", "8192"),
        ),
    ],
    ids=lambda script: script[1],
)
def test_a_killed_run_goes_on_with_the_same_bits(tmp_path: Path, script: tuple[str, ...]) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    arguments = (*script, "--film-frames", "0", "--save-every", "0")
    run(whole, *arguments)
    command = [sys.executable, SCRIPTS / script[0], *arguments[1:], "--out", killed]
    with subprocess.Popen(
        command, env=os.environ | VARIABLES, stderr=subprocess.DEVNULL
    ) as process:
        try:
            while not (killed / "seed1.pt").exists() or learnt(killed)["steps"] < 2048:
                assert process.poll() is None
                time.sleep(0.01)
        finally:
            process.kill()
    assert learnt(killed)["steps"] < learnt(whole)["steps"]
    run(killed, *arguments, "--resume")
    # NaN equals itself, as there is no return before the first end.
    np.testing.assert_equal(plain(learnt(killed)), plain(learnt(whole)))


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    words = ["cartpole", "--film-frames", "0", "--total-steps", "8192", "--out", str(tmp_path)]
    command = [sys.executable, str(SCRIPTS / "ppo_discrete.py"), *words]
    log = tmp_path / "seed1.jsonl"
    with subprocess.Popen(
        command,
        env=os.environ | VARIABLES,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while not log.exists() or not log.read_text():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate()
    assert process.returncode == 130, said
    assert "Traceback" not in said
    line = shlex.split(printed.splitlines()[-1])
    assert line == [*command, "--resume"]
    stopped = learnt(tmp_path)
    assert 0 < stopped["steps"] < 8192
    assert stopped["log"][-1][0] == stopped["steps"]
    subprocess.run(line, env=os.environ | VARIABLES, check=True)
    assert learnt(tmp_path)["steps"] == 8192


def test_help_says_what_a_setting_is_for_and_what_it_is_in_each_preset() -> None:
    said = " ".join(python(SCRIPTS / "ppo_discrete.py", "--help", COLUMNS="200").split())
    assert "policy may use; empty: all (cartpole (), lunarlander (), pong (0, 2, 3)," in said
    assert "--resume, --no-resume go on from the checkpoint in `out`" in said


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.numpy() if isinstance(value, torch.Tensor) else value


@pytest.mark.parametrize(
    ("command", "watched"),
    [
        ("ppo_discrete.py cartpole --total-steps 4096", "CartPole-v1"),
        ("ppo_discrete.py lunarlander --total-steps 8192", ""),
        ("ppo_discrete.py pong --total-steps 2048 --num-envs 8", ""),
        (
            "ppo_discrete.py doorkey --total-steps 4096 --num-steps 64",
            "MiniGrid-DoorKey-8x8-v0 --option image=one_hot",
        ),
        (
            "ppo_continuous.py halfcheetah --total-steps 4096",
            "HalfCheetah-v5 --option out_of_bounds_action=clip",
        ),
        ("ppo_continuous.py ant --total-steps 4096", ""),
        ("dqn_async.py --total-steps 4096", "CartPole-v1"),
        ("self_play.py --total-steps 16384", ""),
    ],
)
def test_a_short_run_leaves_a_picture_a_film_and_a_policy_to_watch(
    tmp_path: Path, command: str, watched: str
) -> None:
    run(tmp_path, *command.split(), "--film-frames", "20")
    assert (tmp_path / "seed1.mp4").stat().st_size > 1000
    if not watched:
        return
    film = tmp_path / "film.png"
    policy = f"{SCRIPTS / command.split()[0]}:policy"
    watch = ("-m", "parallel_pool.cli", "watch", *watched.split(), "--policy", policy)
    size = ("--checkpoint", tmp_path / "seed1.pt", "--num-envs", "2", "--steps", "10", "-o", film)
    python(*watch, *size, **VARIABLES)
    assert film.read_bytes().startswith(b"\x89PNG")


def test_numbers_go_to_trackers_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WANDB_MODE", "offline")
    short = ("--total-steps", "4096", "--film-frames", "0", "--track", "tensorboard,wandb")
    run(tmp_path, "ppo_discrete.py", "cartpole", *short)
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(tmp_path / "tensorboard" / "seed1"))
    events.Reload()
    assert {"return", "cpu", "wall"} <= set(events.Tags()["scalars"])
    lines = [json.loads(x) for x in (tmp_path / "seed1.jsonl").read_text().splitlines()]
    points = events.Scalars("return")
    assert [point.step for point in points] == [line["steps"] for line in lines]
    assert [point.value for point in points] == pytest.approx(
        [line["return"] for line in lines], abs=1e-3
    )
    assert list(tmp_path.glob("wandb/offline-run-*/run-*.wandb"))


def test_a_tracker_that_is_not_here_is_an_error(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['wandb'] = None; sys.argv[0] = {0!r}; import runpy; "
    program = hidden + "sys.path.insert(0, {1!r}); runpy.run_path({0!r}, run_name='__main__')"
    script = SCRIPTS / "dqn_async.py"
    for name, words in (
        ("mlflow", "there is tensorboard and wandb"),
        ("wandb", "pip install wandb"),
    ):
        arguments = ("-c", program.format(str(script), str(SCRIPTS)), "--track", name)
        done = ran(*arguments, "--out", tmp_path, seconds=250, **VARIABLES)
        assert done.returncode == 1
        assert f"--track {name}" in done.stderr
        assert words in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("script", [LIBRARIES[x] for x in LIBRARIES if find_spec(x)])
def test_a_library_learns(tmp_path: Path, script: str) -> None:
    run(tmp_path, script, "--total-steps", "4096", "--film-frames", "20")
    assert (tmp_path / "seed1.mp4").stat().st_size > 1000


def test_a_short_domain_randomisation_leaves_a_picture_of_all_gravities(tmp_path: Path) -> None:
    output = run(
        tmp_path, "domain_randomisation.py", "--total-steps", "20480", "--film-frames", "0"
    )
    assert output.count("mean return over all gravities") == 2
    assert (tmp_path / "gravities_1_to_20" / "curve.png").exists()


def test_go_explore_finds_its_way_again(tmp_path: Path) -> None:
    output = run(tmp_path, "go_explore.py", "--total-steps", "8000", "--film-frames", "100")
    found = re.search(r"best score (\d+) in .* (\d+) cells .*again: (\d+)", output)
    assert found, output
    assert found[1] == found[3]
    assert int(found[2]) > 20
    assert (tmp_path / "seed1.mp4").stat().st_size > 1000


needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="needs ray: the group libraries")


def mean_return(*command: str | Path) -> float:
    """The one that a script of examples/distributed tells at its end."""
    return likeliest(python(*command, seconds=3600, RAY_ENABLE_UV_RUN_RUNTIME_ENV="0", **VARIABLES))


def test_one_process() -> None:
    assert mean_return(DISTRIBUTED / "one_process.py") >= 475


def test_two_ranks_of_torchrun() -> None:
    script = DISTRIBUTED / "torchrun_ppo.py"
    module = ("-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", "29511")
    assert mean_return(*module, script) >= 475


@needs_ray
def test_four_actors_of_ray() -> None:
    assert mean_return(DISTRIBUTED / "ray_ppo.py") >= 475


@needs_ray
def test_pong_of_two_actors_runs_for_a_moment(tmp_path: Path) -> None:
    short = ("--total-steps", "2048", "--num-envs", "8", "--film-frames", "0", "--out", tmp_path)
    assert -21 <= mean_return(DISTRIBUTED / "ray_pong.py", *short) <= 21
    assert (tmp_path / "seed1.pt").stat().st_size > 1000


@needs_ray
def test_runners_of_rllib() -> None:
    assert mean_return(DISTRIBUTED / "rllib_ppo.py") >= 150
