"""What first-party plugins offer is what the core's table of ids says, and their options have texts."""

from pathlib import Path

import parallel_pool
import pytest
from test_envs.programs import python

OF_NAMES = ("Sutton", "XML", "WAD", "EnvPool's")
"""Words with which a text may begin though they have a capital."""
TOOL = Path(__file__).parents[2] / "tools" / "first_party_ids.py"


def test_the_table_is_up_to_date() -> None:
    python(TOOL, "--check")


def test_options_have_a_text_and_internal_ones_are_not_shown() -> None:
    shown = {each["name"] for each in parallel_pool.make_spec("mujoco/Ant-v5").declared_options}
    assert "frame_skip" in shown
    assert not shown & {"model", "fused_norm"}
    for task_id in ("atari/Pong-v5", "classic/Taxi-v4", "dmc/walker-walk", "vizdoom/Basic-v1"):
        for option in parallel_pool.make_spec(task_id).declared_options:
            text = option["doc"]
            assert text
            assert not text.startswith("internal")
            assert not text.endswith(".")
            assert text[0].islower() or text.split()[0] in OF_NAMES
    with pytest.raises(parallel_pool.UnknownArgumentError, match="The nearest are ") as refused:
        parallel_pool.make("vizdoom/Basic-v1", zebra=1)
    assert "engine_library" not in str(refused.value)
