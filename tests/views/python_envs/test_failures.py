"""A Python environment that throws, crashes or ends its worker."""

import os
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from parallel_pool import EnvAccessError, EnvBuildError, EnvError, WorkerCrashWarning
from test_envs.pools import begun
from test_envs.python_envs import FINE, LEAVE, THROW, Drawn, Make


class Misnamed(Drawn):
    """Reads a file whose name is no Unicode."""

    file = os.fsdecode(b"/data/\xff.png")

    def __init__(self, missing: bool = False) -> None:
        super().__init__()
        if missing:
            self.look()

    def step(self, action: Any) -> Any:
        if action == 2:
            raise SystemExit(f"cannot open {self.file}")
        return self.look() if action else super().step(action)

    def look(self) -> Any:
        raise ValueError(f"cannot open {self.file}")


gymnasium.register("Misnamed-v0", Misnamed, disable_env_checker=True, order_enforce=False)


def test_texts_of_errors_that_are_no_unicode(make: Make) -> None:
    said = r"cannot open /data/\\udcff\.png"
    with pytest.raises(EnvBuildError, match=said):
        make("gym:Misnamed-v0", env_options=[{}, {"missing": True}], num_threads=1)
    with begun(make("gym:Misnamed-v0", num_envs=2, num_threads=1)) as pool:
        with pytest.raises(EnvError, match=said):
            pool.step([0, 1])
        with pytest.raises(EnvAccessError, match=said):
            pool.call("look")
        pool.reset()
        with pytest.warns(WorkerCrashWarning):
            pool.step([2, 2])
        pool.step([0, 0])


def test_an_exception_has_its_traceback(make: Make, task_id: str) -> None:
    with begun(make(task_id, num_envs=3, num_threads=2)) as pool:
        force = np.zeros((3, 2), np.float32)
        with pytest.raises(EnvError) as caught:
            pool.step((np.array([FINE, THROW, FINE]), force))
        (text,) = caught.value.failures.values()
        assert "ValueError: no fuel" in text
        assert "in step" in text
        assert caught.value.result[3].tolist() == [False, True, False]
        pool.reset([1])
        pool.step((np.zeros(3, int), force))


@pytest.mark.filterwarnings("ignore::parallel_pool.WorkerCrashWarning")
def test_a_reset_that_is_tried_again_keeps_its_seed(drawn: str, tmp_path: Path) -> None:
    how = {"num_envs": 2, "num_threads": 1, "isolation": "process", "episode_order": "turns"}
    with begun(parallel_pool.make(drawn, episode_seeds=range(100, 120), **how)) as pool:
        (tmp_path / "dies").touch()
        seeds = pool.reset(options={"dies": str(tmp_path / "dies")})[1]["episode_seed"].tolist()
        assert not (tmp_path / "dies").exists()
        assert seeds == list(pool.get_attr("np_random_seed")) == [102, 103]


def test_what_ends_a_worker_loses_its_environments_only(make: Make, drawn: str) -> None:
    with make(drawn, num_envs=2, num_threads=2, seed=1) as pool:
        pool.reset(options={"at": 3})
        with pytest.warns(WorkerCrashWarning, match=r"(SystemExit: enough|status 1).*ments \(1\)"):
            obs, *_, truncated, info = pool.step([0, LEAVE])
        assert truncated.tolist() == [False, True]
        assert info["worker_crashed"].tolist() == [False, True]
        assert obs[1].tolist() == [0, 0]
        obs, *_ = pool.step([0, 0])
        assert obs[0, 0] > 3
        assert obs[1].tolist() == [1, 1]
