"""Policies of every kind, asked for the actions of some environments in a fixed number of rows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from parallel_pool.errors import OptionError
from parallel_pool.pool_api import leaves, map_tree, reordered, torch_module

from parallel_pool_learning.arrays import as_numpy, concatenated, index_for, put_some, taken
from parallel_pool_learning.sb3_models import shaped

Lanes = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]


def policy_for(policy: Any, space: gymnasium.Space[Any], num_envs: int, rows: int) -> Policy:
    """Returns what asks `policy` for actions of a `space`, which is that of one environment.

    Raises OptionError for what is no policy.
    """
    if hasattr(policy, "predict"):
        return _Predicting(policy, space, num_envs, rows)
    if not callable(policy):
        raise OptionError(
            f"the policy is {policy!r}, expected a function of the observations that returns actions, a torch "
            "module, or a model with `predict`"
        )
    torch = sys.modules.get("torch")
    module = torch is not None and isinstance(policy, torch.nn.Module)
    if hasattr(policy, "initial_state"):
        return (_RecurrentModule if module else _Recurrent)(policy, space, num_envs, rows)
    return (_Module if module else Policy)(policy, space, num_envs, rows)


class Policy:
    """Asks a function of the observations for the actions of any number of environments, always in calls with
    `rows` rows.

    Networks round differently for different numbers of rows, but not for another place among as many.
    """

    def __init__(self, policy: Any, space: gymnasium.Space[Any], num_envs: int, rows: int) -> None:
        self._policy, self._num_envs, self._rows = policy, num_envs, rows
        self._choices = int(space.n) if isinstance(space, gymnasium.spaces.Discrete) else None
        self._first = 0 if self._choices is None else int(space.start)  # type: ignore[attr-defined]

    def begin(self) -> None:
        """Before the first call."""

    def end(self) -> None:
        """After the last call."""

    def accept(self) -> None:
        """The actions of the last call were sent: states go on from there."""

    def __call__(self, obs: Any, lanes: Lanes, begins: Flags) -> Any:
        """The actions of the environments `lanes`, one row each, as `obs` has them.

        begins: where an episode begins. Raises what the policy raises, and ValueError for another number of
        rows.
        """
        parts = []
        for first in range(0, len(lanes), self._rows):
            count = min(self._rows, len(lanes) - first)
            rows = first + np.resize(np.arange(count), self._rows)  # filled up with the first ones
            whole = count == self._rows == len(lanes)
            given = obs if whole else picked(obs, rows)
            actions = self._ask(given, lanes[rows], begins[rows], count)
            parts.append(map_tree(lambda each, n=count: self._checked(each)[:n], actions))
        if len(parts) == 1:
            return parts[0]
        return map_tree(lambda *each: np.concatenate(each), *parts)

    def _ask(self, obs: Any, lanes: Lanes, begins: Flags, count: int) -> Any:
        """The actions of `rows` rows, of which the first `count` are wanted."""
        return self._called(obs)

    def _called(self, *given: Any) -> Any:
        return self._policy(*given)

    def _checked(self, actions: Any) -> Any:
        if not isinstance(actions, (list, tuple)):
            actions = as_numpy(actions)
        shape = np.shape(actions) if isinstance(actions, np.ndarray) else (len(actions),)
        if shape[:1] != (self._rows,):
            raise ValueError(
                f"the policy returned actions of shape {shape} for {self._rows} rows of observations, expected "
                f"({self._rows}, ...): one action for each row"
            )
        scored = isinstance(actions, np.ndarray) and actions.dtype.kind == "f"
        if scored and shape[1:] == (self._choices,):  # these are the values of all actions
            return actions.argmax(1) + self._first
        return actions


class _Module(Policy):
    """A torch module on any device, without gradients and as in an evaluation."""

    def begin(self) -> None:
        self._training = [each for each in self._policy.modules() if each.training]
        self._policy.eval()
        first: Any = next(iter(self._policy.parameters()), None)
        self._device = getattr(first, "device", None)
        floats = first is not None and first.is_floating_point()
        self._dtype = first.dtype if floats else None
        with torch_module().no_grad():
            super().begin()

    def end(self) -> None:
        for each in self._training:
            each.training = True

    def _ask(self, obs: Any, lanes: Lanes, begins: Flags, count: int) -> Any:
        with torch_module().no_grad():
            return super()._ask(obs, lanes, begins, count)

    def _called(self, *given: Any) -> Any:
        return super()._called(*(map_tree(self._tensor, each) for each in given))

    def _tensor(self, array: Any) -> Any:
        tensor = torch_module().as_tensor(array, device=self._device)
        return tensor.to(self._dtype) if self._dtype and tensor.is_floating_point() else tensor


class _WithState(Policy):
    """Keeps the state of each environment, from call to call."""

    _kept: Any = None

    def __call__(self, obs: Any, lanes: Lanes, begins: Flags) -> Any:
        """See Policy."""
        self._new: list[tuple[Lanes, Any]] = []
        return super().__call__(obs, lanes, begins)

    def accept(self) -> None:
        """See Policy."""
        for lanes, state in self._new:
            map_tree(lambda kept, new, at=lanes: put_some(kept, at, new), self._kept, state)

    def _given(self, lanes: Lanes) -> Any:
        return map_tree(lambda kept: taken(kept, index_for(kept, lanes)), self._kept)

    def _keep(self, lanes: Lanes, state: Any, count: int) -> None:
        rows = map_tree(lambda kept, new: _row_major(new)[:count], self._kept, state)
        self._new.append((lanes[:count], rows))


class _Recurrent(_WithState):
    """An object with `initial_state(rows)`: called with (obs, state, begins), it returns (actions, state)."""

    def begin(self) -> None:
        self._initial = map_tree(_row_major, self._policy.initial_state(self._rows))
        for each in leaves(self._initial):
            if each.shape[:1] != (self._rows,):
                raise OptionError(
                    f"the policy's initial_state({self._rows}) has an array of shape {tuple(each.shape)}, "
                    f"expected ({self._rows}, ...): one row for each row of observations"
                )
        zeros = np.zeros(self._num_envs, np.intp)
        self._kept = map_tree(lambda each: taken(each, index_for(each, zeros)), self._initial)

    def _ask(self, obs: Any, lanes: Lanes, begins: Flags, count: int) -> Any:
        state = self._given(lanes)
        if begins.any():
            rows = np.flatnonzero(begins)
            map_tree(
                lambda each, first: put_some(each, rows, taken(first, index_for(first, rows))),
                state,
                self._initial,
            )
        answer = self._called(obs, state, begins)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise ValueError(
                f"the policy has an initial_state and returned {type(answer).__name__}, expected a tuple "
                "(actions, state)"
            )
        actions, state = answer
        map_tree(self._checked, actions)
        self._keep(lanes, state, count)
        return actions


class _RecurrentModule(_Module, _Recurrent):
    """A torch module with `initial_state`: all three arguments are tensors on its device."""


class _Predicting(_WithState):
    """A model with the `predict` of Stable-Baselines3. States have their rows in the second axis."""

    def _ask(self, obs: Any, lanes: Lanes, begins: Flags, count: int) -> Any:
        space: Any = getattr(self._policy, "observation_space", None)
        state = None
        if self._kept is not None:
            state = map_tree(lambda each: each.swapaxes(0, 1), self._given(lanes))
        actions, state = self._policy.predict(
            shaped(map_tree(as_numpy, obs), space),
            state=state,
            episode_start=begins,
            deterministic=True,
        )
        if state is not None:
            rows = map_tree(lambda each: _row_major(each).swapaxes(0, 1), state)
            if self._kept is None:
                self._kept = map_tree(
                    lambda each: np.zeros((self._num_envs, *each.shape[1:]), each.dtype), rows
                )
            self._keep(lanes, rows, count)
        return actions


def picked(rows: Any, which: npt.NDArray[np.intp]) -> Any:
    """Copies of these rows of a tree of arrays, tensors or texts."""
    if any(hasattr(each, "index_select") for each in leaves(rows)):
        return map_tree(lambda each: taken(each, index_for(each, which)), rows)
    return reordered(rows, which)


def joined(parts: list[Any], counts: list[int], join: Callable[..., Any]) -> Any:
    """The rows of all parts as one tree. join: for those without tensors, `pool_api.concatenated`."""
    if any(hasattr(each, "index_select") for each in leaves(parts[0])):
        return map_tree(lambda *each: concatenated([a.to(each[0].device) for a in each]), *parts)
    return join(parts, counts)


def _row_major(state: Any) -> Any:
    """The array; one of JAX, which cannot be changed, as numpy's."""
    return state if hasattr(state, "index_select") else np.asarray(state)
