"""MuJoCo's warnings end an episode with a reason, or raise; its errors are exceptions, never an exit."""

import textwrap
from pathlib import Path

import numpy as np
import parallel_pool
import pytest
from mujoco_originals import reference
from parallel_pool import EnvError
from test_envs.programs import python

BAD_POSITION = 4  # simulation.hpp: Warning::bad_position


def test_numbers_that_are_none_truncate_the_episode(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where MuJoCo would write its log
    with parallel_pool.make("Swimmer-v5", num_envs=3, seed=1) as pool:
        pool.reset()
        qpos = pool.read_array("qpos", [1])
        qpos[0, 2] = 1e200
        pool.write_array("qpos", qpos, [1])
        *_, truncated, info = pool.step(np.zeros((3, 2)))
        assert truncated.tolist() == [False, True, False]
        assert info["mujoco_warning"].tolist() == [0, BAD_POSITION, 0]
        *_, truncated, info = pool.step(np.zeros((3, 2)))
        assert not truncated.any() and not info["mujoco_warning"].any()
        assert (info["elapsed_step"] == [2, 0, 2]).all()
    assert "WARNING" not in capfd.readouterr().out
    assert not Path("MUJOCO_LOG.TXT").exists()


def test_or_raise() -> None:
    with parallel_pool.make("HalfCheetah-v5", num_envs=2, seed=1, on_warning="error") as pool:
        pool.reset()
        pool.write_array("qvel", np.full((1, 9), 1e100), [1])
        with pytest.raises(EnvError, match=r"(?s)1.*MuJoCo warns: .*QVEL"):
            pool.step(np.zeros((2, 6)))
        pool.reset([1])
        pool.step(np.zeros((2, 6)))


def test_or_change_nothing_as_in_gymnasium() -> None:
    env = reference("HalfCheetah-v5")
    env.reset(seed=1)
    with parallel_pool.make("HalfCheetah-v5", seed=1, on_warning="ignore") as pool:
        pool.reset()
        data = env.unwrapped.data  # type: ignore[attr-defined]
        data.qpos[2] = 1e200
        pool.write_array("qpos", data.qpos[None])
        for step in range(5):
            expected, gain, _, _, _ = env.step(np.zeros(6, np.float32))
            obs, reward, _, truncated, info = pool.step(np.zeros((1, 6)))
            np.testing.assert_array_equal(obs[0], expected)
            assert reward[0] == gain
            assert not truncated[0]
            assert info["mujoco_warning"][0] == (BAD_POSITION if step == 0 else 0)
    env.close()


def cramped(folder: Path, memory: str) -> Path:
    """A model of twelve balls that fall on a plane, with so much memory for a step."""
    balls = "".join(
        f'<body pos="{k % 5 * 0.15} {k // 5 * 0.15} .25"><freejoint/><geom size=".1"/></body>'
        for k in range(12)
    )
    path = folder / "cramped.xml"
    path.write_text(f"""
        <mujoco>
          <size memory="{memory}"/>
          <worldbody>
            <geom type="plane" size="9 9 1"/>
            <body pos="5 5 1"><joint name="slide" type="slide"/><geom size=".1"/></body>
            {balls}
          </worldbody>
          <actuator><motor joint="slide"/></actuator>
        </mujoco>""")
    return path


def test_no_room_for_contacts_is_a_warning(tmp_path: Path) -> None:
    file = cramped(tmp_path, "24K")
    with parallel_pool.make("Swimmer-v5", xml_file=file, seed=1, reset_noise_scale=0) as pool:
        pool.reset()
        seen = set()
        for _ in range(5):
            *_, truncated, info = pool.step(np.zeros((1, 1)))
            seen.add((bool(truncated[0]), int(info["mujoco_warning"][0])))
        assert seen & {(True, 2), (True, 3)}, seen


def test_an_error_of_mujoco_is_an_exception(tmp_path: Path) -> None:
    """In a process of its own: without us MuJoCo would end it."""
    file = cramped(tmp_path, "48K")
    script = f"""
        import numpy as np, parallel_pool
        from parallel_pool import EnvError
        from pytest import raises
        with parallel_pool.make(
            "Swimmer-v5", num_envs=2, num_threads=2, xml_file={str(file)!r}
        ) as pool:
            for _ in range(3):
                with raises(EnvError, match="MuJoCo: mj_stackAlloc: out of memory"):
                    pool.reset()
                    for _ in range(100):
                        pool.step(np.zeros((2, 1)))
        with parallel_pool.make("Hopper-v5") as pool:
            pool.reset()
            pool.step(np.zeros((1, 3)))
        print("alive")
    """
    assert python("-c", textwrap.dedent(script), folder=tmp_path) == "alive\n"
    assert not (tmp_path / "MUJOCO_LOG.TXT").exists()


CODE = """
import logging, parallel_pool, sys
if sys.argv[1:]:
    logging.basicConfig(level=logging.INFO, stream=sys.stdout)
parallel_pool.make_spec("HalfCheetah-v5")
"""


def test_what_the_compiler_warns_of_is_in_a_log(tmp_path: Path) -> None:
    assert python("-c", CODE, folder=tmp_path, complaints=True) == ""
    logged = python("-c", CODE, "log", folder=tmp_path, complaints=True)
    assert not list(tmp_path.iterdir())
    assert not logged or logged.startswith("INFO:parallel_pool_mujoco:")
