"""The pool, the classic environments and their goldens, built for other machines and run as these run them.

The rows that a plugin computes there are compared with those of this machine, bit for bit; that these are
Gymnasium's is what the tests of the plugin show.
"""

import hashlib
import json
import os
from pathlib import Path

import parallel_pool_classic
import pytest
from platforms import HERE, PLATFORMS, ROOT, WINDOWS, Platform, run

pytestmark = [
    pytest.mark.slow,  # builds the pool and a plugin for each machine
    pytest.mark.timeout(1200),
]

GOLDEN = json.loads((ROOT / "tests/golden/golden.json").read_text())
NAMES = """Acrobot-v1 Blackjack-v1 CartPole-v1 Catch-v0 CliffWalking-v1 FrozenLake-v1 MountainCar-v0
MountainCarContinuous-v0 NChain-v0 Pendulum-v1 Taxi-v4"""
CLASSIC = [f"classic/{name}" for name in NAMES.split()]
OF_THE_C_LIBRARY = ("classic/Acrobot-v1", "classic/Pendulum-v1")
"""Sines and powers of any number, whose last bit is the system's; Gymnasium's are too."""
ROWS = 81
every_platform = pytest.mark.parametrize("platform", PLATFORMS, ids=lambda each: each.name)


class Built:
    """What was built for a platform, in one folder: the pool's tests, `rollouts` and the classic plugin."""

    def __init__(self, platform: Platform, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.platform = platform
        common = [*self.platform.configuration(), "-G", "Ninja"]
        # How the pool itself is optimised changes no result, and costs half of the time.
        pool = ["-DPP_PYTHON=OFF", "-DPP_TESTS=ON", "-DPP_WERROR=ON", "-DCMAKE_BUILD_TYPE="]
        pool += ["-DCMAKE_CXX_FLAGS=-O1", f"-DCMAKE_INSTALL_PREFIX={folder}/installed"]
        run(["cmake", "-S", ROOT / "core", "-B", folder / "core", *common, *pool])
        if platform is HERE:  # the plugin is what is installed
            run(["cmake", "--build", folder / "core", "--target", "rollouts"])
            return
        run(["cmake", "--build", folder / "core"])
        run(["cmake", "--install", folder / "core"])
        where = f"-DParallelPool_DIR={folder}/installed/share/cmake/ParallelPool"
        source = ROOT / "plugins/parallel_pool_classic"
        release = ["-DCMAKE_BUILD_TYPE=Release", where]
        run(["cmake", "-S", source, "-B", folder / "classic", *common, *release])
        run(["cmake", "--build", folder / "classic"])

    def find(self, name: str) -> Path:
        found = [each for each in self.folder.glob(f"c*/**/{name}.*") if each.suffix in SUFFIXES]
        found += self.folder.glob(f"c*/**/{name}")
        (path,) = (each for each in found if each.is_file())
        return path

    def says(self, program: str, *arguments: str) -> str:
        # Names of files are relative: another system's programs read others.
        command = self.platform.command(self.find(program), *arguments)
        return run(command, cwd=self.folder, env=self.platform.environ(self.folder))

    def relative(self, path: Path) -> str:
        """As its programs are given a file."""
        return f"./{os.path.relpath(path, self.folder)}"

    def rollouts(self, library: Path, *ids: str) -> dict[tuple[str, str], list[bytes]]:
        said = self.says("rollouts", self.relative(library), "rows.bin", *ids)
        rows = (self.folder / "rows.bin").read_bytes()
        found = {}
        for line in said.splitlines():
            if len(words := line.split()) != 3:
                continue  # what a runner says
            size = int(words[2]) * ROWS
            whole, rows = rows[: size * 36], rows[size * 36 :]
            found[words[0], words[1]] = [whole[i * size : (i + 1) * size] for i in range(36)]
        assert not rows
        assert len(found) == 2 * len(ids)
        return found


SUFFIXES = (".so", ".dll", ".exe")
BUILT: dict[str, Built] = {}


@pytest.fixture
def built(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> Built:
    if platform.name not in BUILT:
        BUILT[platform.name] = Built(platform, tmp_path_factory.mktemp("built") / platform.name)
    return BUILT[platform.name]


@every_platform
def test_the_pool(built: Built) -> None:
    said = built.says("pool_tests", built.relative(built.find("test_envs")))
    # Lines of standard error may stand between a name and its "passed".
    assert said.count("passed\n") == len(built.says("pool_tests", "--list").split())


@every_platform
def test_goldens(built: Built) -> None:
    for library, env_id in (("test_envs", "test/Walk-v0"), ("classic", "classic/CartPole-v1")):
        for (_, mode), each in built.rollouts(built.find(library), env_id).items():
            hashes = [hashlib.sha256(rows).hexdigest()[:16] for rows in each]
            assert hashes == GOLDEN[env_id][mode]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], list[bytes]]:
    library = Path(parallel_pool_classic.__path__[0], "classic.so")
    return Built(HERE, tmp_path_factory.mktemp("built") / "here").rollouts(library, *CLASSIC)


@every_platform
def test_classic_environments(built: Built, original: dict[tuple[str, str], list[bytes]]) -> None:
    theirs = built.rollouts(built.find("classic"), *CLASSIC)
    other = {key for key in original if theirs[key] != original[key]}
    if built.platform is WINDOWS:
        other -= {key for key in other if key[0] in OF_THE_C_LIBRARY}
    assert other == set()
