"""Several players whose observations only the options know."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import parallel_pool
from test_envs.compiling import compile_plugin


def test_each_player_has_its_part_of_every_array(tmp_path: Path) -> None:
    source = Path(__file__).with_name("player_fields.cpp")
    library = compile_plugin(source, tmp_path / "crowd.so")
    parallel_pool.register(parallel_pool.EnvSpec("crowd/Crowd-v0"), library=library)
    for players, size in ((2, 3), (5, 1)):
        with parallel_pool.make("crowd/Crowd-v0", num_envs=3, players=players, size=size) as pool:
            obs, _ = pool.reset(seed=0)
            assert obs["number"].shape == (3, players, size)
            assert (obs["number"] == np.arange(players)[None, :, None]).all()
            assert obs["action"].shape == (3, players, 1) and (obs["action"] == -1).all()
            actions = np.arange(3 * players).reshape(3, players) % 9
            obs, *_ = pool.step(actions)
            assert (obs["action"][..., 0] == actions).all()
