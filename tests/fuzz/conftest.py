import sys
from pathlib import Path

from test_envs.pools import use_test_envs as use_test_envs

sys.path.insert(0, str(Path(__file__).parent))  # target
