"""`parallel_pool.evaluate`, its command, and the example that grades policies."""

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from gymnasium.wrappers.vector import NormalizeObservation
from learning.paced import paced, played_alone, register, widest
from parallel_pool import OptionError
from parallel_pool.cli import main
from parallel_pool_learning.evaluating import Episode, Evaluation
from parallel_pool_learning.evaluating.evaluator import FIRST_SEED, evaluation_of
from parallel_pool_learning.evaluating.picture import write_svg
from test_envs.programs import python

ROOT = Path(__file__).parents[2]
POLICY = """
import numpy as np
def widest(obs):
    return obs.argmax(1)
def lean(obs):
    print("this is no JSON")
    return (obs[:, 2] > 0).astype(np.int64)
def policy(obs):
    return np.zeros(len(obs), int)
"""


@pytest.fixture
def policy_file(tmp_path: Path) -> Path:
    path = tmp_path / "policy.py"
    path.write_text(POLICY)
    return path


def of(values: list[float]) -> Evaluation:
    ended: dict[str, Any] = {"length": 3, "terminated": True, "truncated": False, "options": {}}
    return Evaluation(
        episodes=[
            Episode(seed=seed, task="own/Paced-v0", return_=value, fingerprint=seed, **ended)
            for seed, value in enumerate(values)
        ]
    )


def test_numbers_are_those_of_the_seeds() -> None:
    register()
    infos = ["won", "tags"]
    found = parallel_pool.evaluate("own/Paced-v0", widest, 40, infos=infos, isolation="thread")
    seeds = list(range(2**31, 2**31 + 40))
    assert found.seeds.tolist() == seeds
    alone = [played_alone(seed) for seed in seeds]
    assert list(zip(found.returns.tolist(), found.lengths.tolist(), strict=True)) == alone
    assert found.terminated.all() and not found.truncated.any() and found.scores is None
    assert found.infos["won"].dtype == bool
    assert found.infos["tags"][0] == {"short": frozenset([2])}
    assert found.mean == pytest.approx(np.mean([each[0] for each in alone]))
    assert found.distinct == 40 and not found.lost
    assert json.loads(json.dumps(found.as_dict(), default=str))["returns"] == found.returns.tolist()
    assert "40 episodes, 40 distinct" in str(found)
    with paced(3) as envs:
        again = parallel_pool.evaluate(envs, widest, seeds=reversed(seeds), rows=32)
    assert again.returns[::-1].tolist() == found.returns.tolist()


def test_the_interval_covers_as_often_as_it_says() -> None:
    """Of 50 samples of 50 numbers; the bootstrap of so few is a little narrow."""
    rng = np.random.default_rng(5)
    samples = [of(rng.normal(1.0, 2.0, 50).tolist()).interval for _ in range(50)]
    assert 45 <= sum(low < 1.0 < high for low, high in samples) <= 49
    assert of([2.0, 2.0]).interval == (2.0, 2.0)
    assert np.isnan(of([]).mean) and of([]).as_dict()["interval"] == [None, None]


@pytest.mark.parametrize("values", [[1.0, 1.0 + 1e-15], [1.0, np.inf], [np.nan] * 2])
def test_odd_values(values: list[float], tmp_path: Path) -> None:
    found, odd = of(values), int(np.count_nonzero(~np.isfinite(values)))
    assert ("1 to 1,", "return  inf", "return  unknown")[odd] in str(found)
    write_svg(tmp_path / "odd.svg", "odd", found.values, found.mean)
    with paced(2) as envs, warnings.catch_warnings(record=True, action="always") as warned:
        evaluation_of(envs, widest, None, found.episodes, [])
    assert [f"{odd} of 2 episodes" in str(each.message) for each in warned] == [True] * min(odd, 1)


def test_a_warning_where_seeds_decide_nothing() -> None:
    with (
        paced(4, blind=True) as envs,
        pytest.warns(RuntimeWarning, match="gave 1 different") as said,
    ):
        assert parallel_pool.evaluate(envs, widest, 10).distinct == 1
    assert len(said) == 1


@pytest.mark.parametrize(
    ("given", "arguments", "said"),
    [
        (3, {}, "a int cannot be evaluated"),
        ("CartPole-v1", {"episodes": 0}, "no episodes to play"),
        ("CartPole-v1", {"episodes": 1.5}, "episodes is 1.5"),
        ("CartPole-v1", {"seeds": 5}, "seeds is 5"),
        ("CartPole-v1", {"gravity_": 1}, "gravity_"),
    ],
)
def test_refused(given: Any, arguments: dict[str, Any], said: str) -> None:
    pytest.importorskip("parallel_pool_classic")
    with pytest.raises(OptionError, match=said):
        parallel_pool.evaluate(given, widest, **arguments)
    with paced(2) as envs, pytest.raises(OptionError, match="the pool is made already"):
        parallel_pool.evaluate(envs, widest, num_envs=3)
    with paced(2) as envs, pytest.raises(OptionError, match="NormalizeObservation around the pool"):
        parallel_pool.evaluate(NormalizeObservation(envs), widest)  # type: ignore[arg-type]


def test_the_worst_are_filmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("parallel_pool_classic")
    pytest.importorskip("parallel_pool_watch")
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    with warnings.catch_warnings(action="error"):
        found = parallel_pool.evaluate("CartPole-v1", lambda obs: (obs[:, 2] > 0).astype(int), 20)
        film = found.film(worst=2, path="worst.gif", width=200)
    assert film.returns == sorted(found.returns.tolist())[:2]
    from PIL import Image

    with Image.open("worst.gif") as shown:
        # Pictures of the first observations, and of each step of the longer one.
        assert shown.n_frames == max(film.returns) + 1
    for wrong in (21, 2.5):
        with pytest.raises(OptionError, match=f"worst is {wrong}"):
            found.film(worst=wrong)  # type: ignore[arg-type]
    own: dict[str, Any] = {"num_envs": 2, "env_options": [{"sutton_barto_reward": True}] * 2}
    lost = parallel_pool.evaluate("CartPole-v1", lambda obs: np.zeros(len(obs), int), 4, **own)
    assert lost.film(worst=1, path="lost.gif").returns == [-1]
    drawn = parallel_pool.evaluate("CartPole-v1", lambda obs: rng.integers(0, 2, len(obs)), 5)
    with pytest.warns(RuntimeWarning, match="draws random numbers"):
        drawn.film(worst=1, path="drawn.png")


def test_the_command(policy_file: Path, tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    pytest.importorskip("parallel_pool_classic")
    words = ["evaluate", "CartPole-v1", "--policy", f"{policy_file}:lean", "--episodes", "12"]
    picture = tmp_path / "returns.svg"
    film = ["--film", str(tmp_path / "worst.png")]
    assert main([*words, "--json", "--picture", str(picture), "--num-envs", "5", *film]) == 0
    printed = capsys.readouterr()
    assert "worst.png: 1 episode ended, return " in printed.err
    numbers = json.loads(printed.out)
    assert "this is no JSON" in printed.err
    assert numbers["seeds"] == list(range(FIRST_SEED, FIRST_SEED + 12))
    lean = parallel_pool.evaluate("CartPole-v1", lambda o: (o[:, 2] > 0).astype(int), 12)
    assert numbers["returns"] == lean.returns.tolist() and not numbers["interrupted"]
    assert picture.read_text().startswith("<svg") and picture.read_text().endswith("</svg>\n")
    assert main([*words[:2], "--seed", "7", "--episodes", "3", "--rows", "4"]) == 0
    assert "3 episodes, 3 distinct" in capsys.readouterr().out
    refused = {
        "--episodes is 0": [*words[:-1], "0"],
        "expected a name that ends with .svg": [*words, "--picture", "a.png"],
        "the policy failed: ValueError: shape": [*words[:3], f"{tmp_path}/bad.py:policy"],
    }
    (tmp_path / "bad.py").write_text("def policy(obs): raise ValueError('shape')")
    for said, given in refused.items():
        assert main(given) == 1
        assert said in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "parallel_pool_watch.policies", None)  # needed for files alone
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", "--help"])
    assert ended.value.code == 0 and "--vecnormalize" in capsys.readouterr().out
    register()
    assert main(["evaluate", "own/Paced-v0", "--json", "--info", "tags", "--episodes", "9"]) == 0
    assert "frozenset" in json.loads(capsys.readouterr().out)["infos"]["tags"][0]["short"]
    assert main(words) == 1 and "'parallel-pool[watch]'" in capsys.readouterr().err


def test_grading(policy_file: Path) -> None:
    """A file that does not end, and one that does not work, cost only their own grades."""
    pytest.importorskip("parallel_pool_classic")
    folder = policy_file.parent
    (folder / "ends_never.py").write_text("import time\nwhile True: time.sleep(1)")
    (folder / "wrong.py").write_text("def policy(obs): return obs")
    few = ("--id", "CartPole-v1", "--seed", "99", "--episodes", "10", "--seconds", "20")
    printed = python("examples/grading/grade.py", folder, *few, folder=ROOT)
    head, first, *others, took = printed.splitlines()
    assert head.split() == ["policy", "return", "95", "%"]
    assert first.split()[0] == "policy" and float(first.split()[1]) > 5
    assert took.startswith("3 policies, 10 episodes each: ") and float(took.split()[-2]) < 100
    assert any("no end within 20 seconds" in each for each in others)
    assert any("wrong" in each and "the policy failed: " in each for each in others)
