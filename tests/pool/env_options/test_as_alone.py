"""Environments of one pool that differ in their options: each is as it would be alone."""

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from test_envs.pools import WALKS, begun, make

N = 12

DRIFTS = np.linspace(-1, 1, N)


def play(pool: Any, steps: int = 15) -> Iterator[list[Any]]:
    obs, _ = pool.reset()
    yield [(*row, 0.0, False) for row in obs.tolist()]
    for step in range(steps):
        obs, reward, terminated, *_ = pool.step((np.arange(len(pool)) + step) % 3)
        rows = zip(obs.tolist(), reward.tolist(), terminated.tolist(), strict=True)
        yield [(*seen, got, over) for seen, got, over in rows]


FORMS: dict[str, Any] = {
    "array": {"drift": DRIFTS},
    "list": {"drift": DRIFTS.tolist()},
    "dicts": [{"drift": drift} for drift in DRIFTS],
    "tuple of dicts": tuple({"drift": np.float32(drift)} for drift in DRIFTS.astype(np.float32)),
}


@pytest.mark.parametrize(
    ("name", "form"),
    [*(("Walk", form) for form in FORMS), *((name, "array") for name in WALKS[1:])],
)
def test_each_environment_is_as_it_would_be_alone(name: str, form: str) -> None:
    drifts = [np.float32(d) for d in DRIFTS] if form == "tuple of dicts" else DRIFTS
    with make(name, num_envs=N, env_options=FORMS[form], seed=3, num_threads=2) as pool:
        together = list(play(pool))
    for env in (0, 5, N - 1):
        with make("Walk", num_envs=N, drift=drifts[env], seed=3) as alone:
            assert [rows[env] for rows in play(alone)] == [rows[env] for rows in together]


def test_the_common_value_is_overridden_and_what_is_not_named_stays() -> None:
    rows = [{}, {"gravity": 1.0}, {"colour": "green", "weights": [1, 2, 3.5]}]
    with make("Options", gravity=5.0, env_options=rows) as pool:
        _, info = pool.reset()
    assert info["number"].tolist() == [5.0, 1.0, 5.0]
    assert info["choice"].tolist() == [0, 0, 1]
    assert info["sum"].tolist() == [3.0, 3.0, 6.5]


def test_rows_of_a_table_are_values_of_an_array_option() -> None:
    table = np.arange(6.0).reshape(3, 2)
    pool = make("Options", env_options={"weights": table})
    table[:] = 99
    with pool, pickle.loads(pickle.dumps(pool)) as other:
        for each in (pool, other):
            assert each.reset()[1]["sum"].tolist() == [1.0, 5.0, 9.0]


def test_the_number_of_environments_follows() -> None:
    assert len(make("Walk", env_options=[{}, {}, {}])) == 3
    assert len(make("Walk", num_envs=2, env_options=[{}, {}])) == 2
    assert len(make(num_envs=3, env_options=None)) == 3


def test_a_pickled_pool_has_them() -> None:
    with begun(make("Walk", env_options={"drift": DRIFTS}, seed=9)) as pool:
        pool.step(np.zeros(N, int))
        with pickle.loads(pool.pickled(include_state=True)) as other:
            assert other.config["env_options"] == {"drift": DRIFTS.tolist()}
            left, right = pool.step(np.ones(N, int)), other.step(np.ones(N, int))
            assert left[0].tolist() == right[0].tolist()
