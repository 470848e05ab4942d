"""Several threads on one pool at once."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from parallel_pool import EnvError, NothingPendingError
from test_envs.threads import in_threads

Question = tuple[list[int], list[Any] | None]
"""Environments, and their actions; None: a reset."""


def received_by_threads(
    pool: Any, questions: Sequence[Question], senders: int, receivers: int
) -> list[Any]:
    """All answers that can come, EnvErrors among them, in no order."""
    answers = []
    sent = [threading.Event() for _ in range(senders)]

    def send(number: int) -> None:
        try:
            for ids, actions in questions[number::senders]:
                if actions is None:
                    pool.async_reset(ids)
                else:
                    pool.send(np.array(actions, int), ids)
        finally:
            sent[number].set()

    def receive() -> None:
        while True:
            over = all(each.is_set() for each in sent)
            try:
                answers.append(pool.recv(timeout=0.01))
            except EnvError as error:
                answers.append(error)
            except TimeoutError:
                continue
            except NothingPendingError:
                if over:
                    return

    threads = [lambda number=number: send(number) for number in range(senders)]
    in_threads(*threads, *[receive] * receivers)
    return answers


def given(answer: Any) -> Any:
    """As the call that gave it."""
    if isinstance(answer, EnvError):
        raise answer
    return answer
