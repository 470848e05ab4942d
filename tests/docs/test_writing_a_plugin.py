"""The environments on the pages "Writing a plugin" and "Several players" compile and do what the pages say."""

import re
import subprocess
from pathlib import Path

import numpy as np
import parallel_pool
from test_envs.code_blocks import DOCS
from test_envs.compiling import compile_plugin


def registered(page: str, task_id: str, folder: Path, first_line: str = "") -> None:
    """Compiles the first environment of a page that begins so."""
    text = (DOCS / page).read_text("utf-8")
    source = re.search(rf"```cpp\n{first_line}(.*?)```", text, re.DOTALL)
    assert source
    (folder / "env.cpp").write_text(source[1])
    library = compile_plugin(folder / "env.cpp", folder / "env.so")
    parallel_pool.register(parallel_pool.EnvSpec(task_id), library=library)


def test_a_walk_reaches_the_end_of_the_line(tmp_path: Path) -> None:
    registered("writing-a-plugin.md", "walk/Walk-v0", tmp_path)
    with parallel_pool.make("walk/Walk-v0", num_envs=4, n=3) as envs:
        envs.reset(seed=0)
        for _ in range(6):
            obs, reward, terminated, _, _ = envs.step(np.ones(4, int))
            if terminated.any():
                assert (obs[terminated] == 3).all()
                assert (reward[terminated] == 1).all()
                return
    raise AssertionError("no environment reached the end of the line")


def test_tag_ends_when_one_is_caught(tmp_path: Path) -> None:
    registered("multi-player.md", "tag/Tag-v0", tmp_path, "// src/tag.cpp\n")
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


def test_the_members_on_the_page_compile(tmp_path: Path) -> None:
    """The blocks about spaces, as members of a type."""
    blocks = re.findall(
        r"```cpp\n(using (?:Arm|Obs) = .*?)```",
        (DOCS / "writing-a-plugin.md").read_text(),
        re.DOTALL,
    )
    assert len(blocks) == 2
    types = "".join(f"struct Block{i} {{\n{block}}};\n" for i, block in enumerate(blocks))
    (tmp_path / "blocks.cpp").write_text(
        "#include <algorithm>\n#include <parallel_pool/env.hpp>\n"
        f"struct Options {{ int64_t sensors; }};\n{types}"
    )
    command = ["c++", "-std=c++20", "-fsyntax-only", f"-I{parallel_pool.get_include()}"]
    subprocess.run([*command, tmp_path / "blocks.cpp"], check=True)
