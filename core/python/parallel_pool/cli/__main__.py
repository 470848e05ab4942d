"""`python -m parallel_pool.cli`, for when the command is not on the PATH."""

import sys

from parallel_pool.cli import main

sys.exit(main())
