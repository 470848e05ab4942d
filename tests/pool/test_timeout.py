"""recv(timeout=...)."""

from typing import Any

import pytest
from test_envs.pools import make


@pytest.mark.parametrize(
    ("timeout", "error"),
    [(10**400, ValueError), (-1, ValueError), (float("nan"), ValueError), ("soon", TypeError)],
)
def test_what_is_no_timeout_is_refused(timeout: Any, error: type[Exception]) -> None:
    with make(num_envs=2) as pool:
        pool.reset()
        pool.send([0, 0])
        with pytest.raises(error):
            pool.recv(timeout=timeout)
        assert pool.recv(timeout=float("inf"))[0].tolist() == [1, 1]
