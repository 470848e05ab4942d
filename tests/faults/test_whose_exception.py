"""Finding M2: exceptions of handlers and of objects come out as they were raised, or chained."""

import signal
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from parallel_pool import NothingPendingError
from test_envs.checks import assert_works, refused
from test_envs.pools import begun, make

pytestmark = pytest.mark.own_process(limit=60)


class Alarm(Exception):
    """What a handler raises."""


def test_alarms_while_lists_are_converted() -> None:
    def handler(*_: Any) -> None:
        raise Alarm

    signal.signal(signal.SIGALRM, handler)
    with begun(make("Count", num_envs=64, num_threads=1)) as pool:
        action = [1] * 64
        for count in range(2000):
            with pytest.raises(Alarm):  # and nothing else
                signal.setitimer(signal.ITIMER_REAL, 1e-5 + 1e-6 * (count % 200))
                while True:
                    pool.step(action)
            with suppress(NothingPendingError):
                pool.recv()
        assert_works(pool)


class Raising:
    """An action whose conversion, or repr, raises."""

    def __init__(self, error: Exception, then: Any = None) -> None:
        self.error, self.then = error, then

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise self.error

    def __repr__(self) -> str:
        if self.then is not None:
            raise self.then
        return "Raising()"


class OwnError(ValueError):
    """Of the user's."""


@pytest.mark.parametrize(
    ("call", "first"),
    [*((call, []) for call in ("step", "send", "reset", "get_state")), ("step", [[0, 1]])],
)
def test_what_is_no_error_of_a_conversion_keeps_its_class(call: str, first: list[Any]) -> None:
    """In the first argument, and in the ids of a step."""
    with begun(make("Count", num_envs=2)) as pool:
        call_it = getattr(pool, call)
        for error in (Alarm("mine"), OwnError("mine"), KeyError("mine"), OSError("mine")):
            with pytest.raises(type(error)) as caught:
                call_it(*first, Raising(error))
            assert caught.value is error
        for error in (TypeError("theirs"), ValueError("theirs"), RuntimeError("theirs")):
            with pytest.raises(TypeError, match="no array of numbers") as wrong:
                call_it(*first, Raising(error))
            assert wrong.value.__cause__ is error
        with pytest.raises(Alarm):
            call_it(*first, Raising(TypeError(), Alarm()))
        assert_works(pool)


def test_members_that_raise() -> None:
    class Member(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            raise Alarm

    with begun(make("Types", num_envs=2)) as pool:
        with pytest.raises(Alarm):
            pool.step(Member())
        with pytest.raises(ValueError, match="is missing") as caught:
            pool.step({})
        assert isinstance(caught.value.__cause__, KeyError)


def test_masked_arrays_are_refused_by_name() -> None:
    masked = np.ma.masked_array([1, 1], [True, False])
    with begun(make("Count", num_envs=2)) as pool:
        with refused(TypeError, "the action is a masked array", "action.filled("):
            pool.step(masked)
        with refused(TypeError, "env_id is a masked array", "env_id.filled("):
            pool.step([1, 1], masked)
        with refused(TypeError, "reset_mask", "masked array", ".filled("):
            pool.reset(options={"reset_mask": masked.astype(bool)})
        assert_works(pool)
