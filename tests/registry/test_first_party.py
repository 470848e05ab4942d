"""The core's table of first-party ids is what their plugins offer."""

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "first_party_ids.py"


def test_the_table_is_up_to_date() -> None:
    checked = subprocess.run(
        [sys.executable, TOOL, "--check"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
