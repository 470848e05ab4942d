"""The environment on the page "Several players" compiles as it stands and does what the page says."""

import re
from pathlib import Path

import numpy as np
import parallel_pool
from test_envs.compiling import compile_plugin

PAGE = Path(__file__).parents[2] / "docs" / "multi-player.md"


def test_the_environment_of_the_page_works(tmp_path: Path) -> None:
    source = re.search(r"```cpp\n// src/tag.cpp\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert source
    (tmp_path / "tag.cpp").write_text(source[1])
    library = compile_plugin(tmp_path / "tag.cpp", tmp_path / "tag.so")
    parallel_pool.register(parallel_pool.EnvSpec("tag/Tag-v0"), library=str(library))
    with parallel_pool.make("tag/Tag-v0", "gym", num_envs=4, seed=0) as envs:
        places = envs.reset()
        caught = np.zeros(4, bool)
        for _ in range(100):
            before = places
            places, reward, terminated, _, info = envs.step([1, 0] * 4)
            assert info["players"]["id"].tolist() == [0, 1] * 4
            assert (places[::2, 0] == places[1::2, 1]).all()
            moved = ~caught
            assert (places[::2, 0][moved] == (before[::2, 0][moved] + 1) % 10).all()
            caught = terminated | (info["elapsed_step"] == 50)
            assert (reward[::2] == terminated).all()
