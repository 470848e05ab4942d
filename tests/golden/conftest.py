import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # hashing
sys.path.insert(0, str(Path(__file__).parent.parent / "views"))  # twins
