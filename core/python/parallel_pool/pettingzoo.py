"""An environment with several players through PettingZoo's parallel API. Needs the package pettingzoo.

```python
from parallel_pool.pettingzoo import parallel_env

env = parallel_env("classic/TwoPlayerPong-v0")
```
"""

from parallel_pool.views.pettingzoo import ParallelPlayers, parallel_env

__all__ = ["ParallelPlayers", "parallel_env"]
