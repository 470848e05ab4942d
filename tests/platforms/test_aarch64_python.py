"""The Python module and the plugins, built for aarch64, in Debian's Python for it, which qemu runs.

Rows must be those of this machine, bit for bit. MuJoCo is another library there, which rounds in other places:
its environments must equal Gymnasium's and dm_control's in the same Python, as must the others.
"""

from collections.abc import Iterable

import pytest
from aarch64_python import Aarch64Python
from platforms import ROOT, ROWS, rows_here, rows_said

PLUGINS = ROOT / "plugins"
# One source instead of two dozen, each with the headers of pybind11. -O2: from there on GCC fuses what it may.
CORE = (
    "-DCMAKE_UNITY_BUILD=ON",
    "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0",
    "-DCMAKE_CXX_FLAGS_RELEASE=-O2",
)
TESTING = ("pytest", "pytest-timeout", "pytest-xdist")
pytestmark = pytest.mark.timeout(1800)
emulated = pytest.mark.emulated


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Aarch64Python:
    """Core alone is installed."""
    python = Aarch64Python(tmp_path_factory.mktemp("aarch64"))
    python.install("gymnasium", "dm-env", "numpy", "pluggy")
    python.build(ROOT / "core", *CORE)
    return python


def with_plugin(python: Aarch64Python, name: str, *requirements: str) -> Aarch64Python:
    """Builds the plugin, if it is not there."""
    if not (python.site / f"parallel_pool_{name}").exists():
        if requirements:
            python.install(*requirements)
        python.build(PLUGINS / f"parallel_pool_{name}")
    return python


def with_pip(python: Aarch64Python) -> Aarch64Python:
    """For builds that fetch the source of an engine; uv's environments have no pip."""
    if not python.tools.exists():
        python.install("pip", target=python.tools)
    return python


@pytest.fixture
def classic(python: Aarch64Python) -> Aarch64Python:
    return with_plugin(python, "classic")


@pytest.fixture
def atari(python: Aarch64Python) -> Aarch64Python:
    return with_plugin(with_pip(python), "atari", "ale-py", "opencv-python-headless")


@pytest.fixture
def mujoco(python: Aarch64Python) -> Aarch64Python:
    return with_plugin(python, "mujoco", "mujoco", "imageio")


@pytest.fixture
def dmc(mujoco: Aarch64Python) -> Aarch64Python:
    return with_plugin(mujoco, "dmc", "dm-control", "shimmy")


def differing(python: Aarch64Python, group: str) -> set[str]:
    """The cases of a group whose rows are not this machine's."""
    here = rows_here(group)
    there = rows_said(python.run("-W", "ignore", ROWS, group))
    assert here.keys() == there.keys()
    assert here
    return {case for case in here if here[case] != there[case]}


def passes(python: Aarch64Python, tests: Iterable[str], chosen: str = "") -> int:
    """Runs tests of the repository there, in one process: how many passed, which has to be all."""
    python.install(*TESTING)
    options = ["-n0", "-q", "-p", "no:cacheprovider", "--rootdir", str(ROOT), "-k", chosen]
    options += ["-o", "timeout=1800", "-c", str(ROOT / "pyproject.toml")]
    files = [str(ROOT / each) for each in tests]
    said = python.run("-m", "pytest", *options, *files, MUJOCO_GL="disable")  # no OpenGL there
    words = said.splitlines()[-1].replace(",", "").split()
    assert "skipped" not in words, said
    return int(words[words.index("passed") - 1])


@pytest.mark.slow
def test_classic_environments(classic: Aarch64Python) -> None:
    assert differing(classic, "classic") == set()


PROCESSES = """
import gymnasium
import numpy as np
import parallel_pool

def pool(name="classic/CartPole-v1", **arguments):
    return parallel_pool.make(name, num_envs=4, num_threads=2, seed=1, **arguments)

def same(got, wanted):
    for one, other in zip(got[:4], wanted[:4], strict=True):
        np.testing.assert_array_equal(one, other)

with pool(isolation="process") as apart, pool() as together:
    same(apart.reset()[:1], together.reset()[:1])
    for step in range(100):
        actions = (np.arange(4) + step) % 2
        same(apart.step(actions), together.step(actions))

for isolation in ("process", "thread"):
    with pool("gym:CartPole-v1", isolation=isolation) as python_envs:
        envs = [gymnasium.make("CartPole-v1") for _ in range(4)]
        same(python_envs.reset()[:1], [[env.reset(seed=1 + i)[0] for i, env in enumerate(envs)]])
        for step in range(15):  # no episode ends
            got = python_envs.step(np.full(4, step % 2))
            same(got, list(zip(*(env.step(step % 2) for env in envs), strict=True)))
"""


@emulated
def test_worker_processes_and_python_environments(classic: Aarch64Python) -> None:
    classic.run("-c", PROCESSES)


@emulated
def test_classic_equals_gymnasium(classic: Aarch64Python) -> None:
    files = ("test_cartpole", "test_classic_control", "test_taxi", "test_toy_text")
    tests = [f"plugins/parallel_pool_classic/tests/{each}.py" for each in files]
    assert passes(classic, tests) > 30


@emulated
def test_atari(atari: Aarch64Python) -> None:
    assert differing(atari, "atari") == set()


@emulated
def test_atari_equals_gymnasium(atari: Aarch64Python) -> None:
    chosen = "bare_variants or test_variants and (wide or blocks or rgb_shape) or sticky and pong"
    assert passes(atari, ["plugins/parallel_pool_atari/tests/test_gymnasium.py"], chosen) == 10


@emulated
def test_minigrid(python: Aarch64Python) -> None:
    assert differing(with_plugin(python, "minigrid"), "minigrid") == set()


@emulated
def test_box2d(python: Aarch64Python) -> None:
    there = with_plugin(with_pip(python), "box2d")
    assert differing(there, "landers") | differing(there, "walkers") == set()


@emulated
def test_mujoco_equals_gymnasium(mujoco: Aarch64Python) -> None:
    chosen = "thousand_steps and v5 or norms"
    assert passes(mujoco, ["plugins/parallel_pool_mujoco/tests/test_gymnasium.py"], chosen) == 12


@emulated
def test_dmc_equals_dm_control(dmc: Aarch64Python) -> None:
    chosen = "whole and (cartpole-balance or cheetah or reacher-easy)"
    assert passes(dmc, ["plugins/parallel_pool_dmc/tests/test_dm_control.py"], chosen) == 4
