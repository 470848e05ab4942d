"""`parallel-pool watch`: films that can be opened, and mistakes that are one line."""

import sys
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from parallel_pool.cli import main
from parallel_pool_watch.policies import random_policy
from parallel_pool_watch.watch import Watch
from PIL import Image

pytest.importorskip("parallel_pool_classic")

FEW = ("--num-envs", "4", "--steps", "12", "--width", "240")


def watch(out: Path, *arguments: str) -> int:
    return main(["watch", "FrozenLake-v1", *FEW, "-o", str(out), *arguments])


def test_mp4(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert watch(tmp_path / "lake.mp4", "--fps", "25") == 0
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "lake.mp4"))
    assert (frames, round(seconds * 25)) == (12, 12)
    assert "12 steps of 4 environments" in capsys.readouterr().out


def test_gif(tmp_path: Path) -> None:
    assert watch(tmp_path / "lake.gif", "--every", "3") == 0
    with Image.open(tmp_path / "lake.gif") as film:
        assert film.n_frames == 4  # type: ignore[attr-defined]
        assert film.width <= 240


def test_png_is_the_last_picture(tmp_path: Path) -> None:
    assert watch(tmp_path / "lake.png") == 0
    with Watch("FrozenLake-v1", 4, lambda space: random_policy(space, 0), width=240) as again:
        for _ in range(12):
            again.step()
        assert np.array_equal(again.picture(), np.asarray(Image.open(tmp_path / "lake.png")))


def test_without_out_the_file_has_the_name_of_the_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["watch", "classic/FrozenLake-v1", *FEW]) == 0
    assert (tmp_path / "FrozenLake-v1.mp4").stat().st_size > 1000


def test_a_policy_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "beside_it.py").write_text("import numpy as np\n")
    policy = tmp_path / "policy.py"
    policy.write_text(
        "from pathlib import Path\nfrom beside_it import np\n"
        "def down(obs):\n    return np.ones(len(obs), int)\n"
        "def load(file):\n    action = int(Path(file).read_text())\n"
        "    return lambda obs: np.full(len(obs), action)\n"
        "def broken(obs):\n    raise KeyError('w')\n"
        "def seven(obs):\n    return np.full(len(obs), 7)\n"
        "wrong = 3\n"
    )
    surely = ("--option", "is_slippery=false", "--seed", "3")
    assert watch(tmp_path / "down.png", "--policy", f"{policy}:down", *surely) == 0
    checkpoint = tmp_path / "action.txt"
    checkpoint.write_text("1")
    loaded = (*surely, "--policy", f"{policy}:load", "--checkpoint", str(checkpoint))
    assert watch(tmp_path / "loaded.png", *loaded) == 0
    assert (tmp_path / "down.png").read_bytes() == (tmp_path / "loaded.png").read_bytes()
    capsys.readouterr()
    for word, message in {
        "broken": "the policy failed at step 0: KeyError: 'w'",
        "seven": "the policy's actions at step 0 were refused: ",
        "wrong": "has no function 'wrong'",
        "absent": "has no function 'absent'",
        "load": "; a function that loads a policy needs its file: --checkpoint FILE",
    }.items():
        assert watch(tmp_path / "no.png", "--policy", f"{policy}:{word}") == 1
        assert message in capsys.readouterr().err
    assert not (tmp_path / "no.png").exists()


@pytest.mark.parametrize("module", ["PIL", "imageio_ffmpeg"])
def test_a_missing_library_is_named_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert watch(tmp_path / "lake.mp4") == 1
    message = capsys.readouterr().err
    assert f"needs {module}, which is missing: pip install -U 'parallel-pool[watch]'" in message
