"""A policy and its weights beside a pool, independent of the library it is written in."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import torch_module
from parallel_pool_learning.arrays import as_numpy


def is_torch(policy: Any) -> bool:
    """Returns True if it is a module of torch, without importing torch."""
    return hasattr(policy, "load_state_dict") and hasattr(policy, "state_dict")


def travelling(policy: Any, weights: Any) -> Any:
    """The weights in the form in which they are sent: those of a torch module as arrays."""
    if is_torch(weights):
        weights = weights.state_dict()
    if is_torch(policy):
        return {name: as_numpy(each) for name, each in weights.items()}
    return weights


class ConcurrentPolicy:
    """Calls a policy with batches of observations. The policy is one of these:

    - a torch module, called as `policy(obs)` with tensors, without gradients; its weights are a state_dict;
    - a function with weights (takes_weights), such as JAX's, called as `policy(weights, obs, rng)`, where rng
      is a numpy Generator;
    - any other callable, called as `policy(obs)`; new weights are passed to its method `set_weights`.

    It returns (action, value) or (action, value, extras), where extras is a dict of further arrays of the
    step.
    """

    def __init__(self, policy: Any, *, takes_weights: bool, seed: int) -> None:
        self._policy, self._takes_weights = policy, takes_weights
        self._weights: Any = None
        self._rng = np.random.default_rng(seed)
        self._torch: Any = None
        self.output: Literal["numpy", "torch"] = "numpy"
        if is_torch(policy):
            self._torch = torch_module()
            self._torch.manual_seed(seed)
            self.output = "torch"

    def load(self, weights: Any) -> None:
        """Uses these weights from now on."""
        if self._takes_weights:
            self._weights = weights
        elif self._torch is not None:
            # torch warns of memory that may not be written, so copies.
            tensors = {name: self._torch.from_numpy(each.copy()) for name, each in weights.items()}
            self._policy.load_state_dict(tensors)
        elif hasattr(self._policy, "set_weights"):
            self._policy.set_weights(weights)
        else:
            raise OptionError(
                f"weights were pushed for {self._policy!r}, which takes none: a policy is a torch module, has "
                "set_weights(weights), or is made with weights= and called as policy(weights, obs, rng)"
            )

    def act(self, obs: Any) -> tuple[Any, Any, dict[str, Any]]:
        """(action, value, extras) for a batch of observations."""
        if self._takes_weights:
            given = self._policy(self._weights, obs, self._rng)
        elif self._torch is not None:
            with self._torch.inference_mode():
                given = self._policy(obs)
        else:
            given = self._policy(obs)
        if isinstance(given, tuple):
            if len(given) == 2:
                return *given, {}
            if len(given) == 3:
                return given
        raise TypeError(
            f"the policy gave a {type(given).__name__}, expected (action, value) or (action, value, extras)"
        )

    def value(self, obs: Any) -> Any:
        """The values of a batch of observations."""
        return self.act(obs)[1]
