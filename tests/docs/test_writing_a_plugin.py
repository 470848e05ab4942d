"""The environment on the page "Writing a plugin" compiles as it stands and does what the page says."""

import re
import subprocess
from pathlib import Path

import numpy as np
import parallel_pool

PAGE = Path(__file__).parents[2] / "docs" / "writing-a-plugin.md"


def test_the_environment_of_the_page_works(tmp_path: Path) -> None:
    source = re.search(r"```cpp\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert source
    (tmp_path / "walk.cpp").write_text(source[1])
    library = tmp_path / "walk.so"
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden"]
    include = f"-I{parallel_pool.get_include()}"
    subprocess.run(["c++", *flags, include, tmp_path / "walk.cpp", "-o", library], check=True)

    parallel_pool.register(parallel_pool.EnvSpec("walk/Walk-v0"), library=library)
    with parallel_pool.make("walk/Walk-v0", num_envs=4, n=3) as envs:
        envs.reset(seed=0)
        for _ in range(6):
            obs, reward, terminated, _, _ = envs.step(np.ones(4, int))
            if terminated.any():
                assert (obs[terminated] == 3).all()
                assert (reward[terminated] == 1).all()
                return
    raise AssertionError("no environment reached the end of the line")


def test_the_members_on_the_page_compile(tmp_path: Path) -> None:
    """The blocks about spaces, as members of a type."""
    blocks = re.findall(r"```cpp\n(PP_KEY.*?|using Obs = .*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 2
    types = "".join(f"struct Block{i} {{\n{block}}};\n" for i, block in enumerate(blocks))
    (tmp_path / "blocks.cpp").write_text(
        "#include <algorithm>\n#include <parallel_pool/env.hpp>\n"
        f"struct Options {{ int64_t sensors; }};\n{types}"
    )
    command = ["c++", "-std=c++17", "-fsyntax-only", f"-I{parallel_pool.get_include()}"]
    subprocess.run([*command, tmp_path / "blocks.cpp"], check=True)
