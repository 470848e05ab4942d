"""What distributed.py has at work: pools on Ray, and what Tianshou and RLlib do with the same environments.

Calls that are on their way when a slice is over are waited for and count, as does the time that takes.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
import parallel_pool
from gymnasium.vector.utils import batch_space
from measuring.drivers import Driver, Observer, Slice
from parallel_pool_learning import RolloutBuffer
from parallel_pool_ray import RayPool, RolloutPool

ACTORS = (1, 2, 4)
ENVS, STEPS = 32, 64
"""Of an actor, and of a fragment."""
SHARE = {"CPU": 0.1}
"""Of an actor, so that Ray starts no processes for CPUs that are not there."""


class RandomPolicy:
    """Uniform, drawn before."""

    def __init__(self, task_id: str, rows: int) -> None:
        space: Any = batch_space(parallel_pool.make_spec(task_id).action_space, rows)
        space.seed(0)
        self._drawn = [space.sample() for _ in range(997)]
        self._values = np.zeros(rows, np.float32)
        self._turn = 0

    def __call__(self, obs: Any) -> tuple[Any, Any]:
        self._turn = (self._turn + 1) % len(self._drawn)
        return self._drawn[self._turn], self._values


class Plain(Driver):
    """Fragments of a pool in this process."""

    def __init__(self, task_id: str, name: str, threads: int) -> None:
        rows = ENVS * threads
        super().__init__(name, rows * STEPS)
        options: dict[str, Any] = {"autoreset_mode": "SameStep", "infos": "minimal"}
        self.env = parallel_pool.make(task_id, num_envs=rows, num_threads=threads, **options)
        self._buffer = RolloutBuffer(self.env, STEPS)
        self._policy = RandomPolicy(task_id, rows)
        self._buffer.reset()

    def advance(self, calls: int) -> Any:
        """Makes so many."""
        buffer, policy = self._buffer, self._policy
        for _ in range(calls):
            while not buffer.full:
                buffer.step(*policy(buffer.obs))
            rollout = buffer.finish(lambda obs: policy(obs)[1])
        return rollout

    def close(self) -> None:
        """Frees the pool."""
        self.env.close()


class OnRay(Driver):
    """Steps what is in actors."""

    def run(self, seconds: float, observe: Observer | None = None) -> Slice:
        """For so long, and until what is under way then is there."""
        begin = time.perf_counter()
        calls = self._made(begin + seconds)
        return Slice(calls * self.rows, calls, time.perf_counter() - begin)

    @abstractmethod
    def _made(self, end: float) -> int:
        """Calls until then, by `time.perf_counter`, and of those the last ones."""


class Streamed(OnRay):
    """Fragments of so many actors, whichever is first."""

    def __init__(self, task_id: str, actors: int) -> None:
        super().__init__(f"RolloutPool, {actors}", ENVS * STEPS)
        self._actors = actors
        self._rollouts = RolloutPool(
            task_id,
            RandomPolicy(task_id, ENVS),
            num_envs=ENVS * actors,
            num_steps=STEPS,
            pools=actors,
            resources=SHARE,
        )

    def advance(self, calls: int) -> Any:
        """Takes so many."""
        stream = self._rollouts.stream()
        return [next(stream) for _ in range(calls)][-1]

    def _made(self, end: float) -> int:
        stream, calls = self._rollouts.stream(), 0
        while time.perf_counter() < end:
            next(stream)
            calls += 1
        while any(self._rollouts._calls(actor) for actor in range(self._actors)):
            calls += len(self._rollouts.collect())
        return calls

    def close(self) -> None:
        """Ends the actors."""
        self._rollouts.close()


class Stepped(OnRay):
    """A RayPool, lane by lane: while one travels, its actor steps the other."""

    def __init__(self, task_id: str, actors: int) -> None:
        lane = ENVS // 2
        super().__init__(f"RayPool, {actors}", lane)
        self.env = RayPool(task_id, ENVS * actors, pools=actors, batch_size=lane, resources=SHARE)
        self._policy = RandomPolicy(task_id, lane)
        self._lanes = np.arange(ENVS * actors).reshape(-1, lane)
        self.env.async_reset()
        for _ in self._lanes:
            self.env.recv()

    def advance(self, calls: int) -> Any:
        """Receives so many lanes and sends them on."""
        for _ in range(calls):
            result = self.env.recv()
            self.env.send(self._policy(result[0])[0], result[4]["env_id"])
        return result

    def _made(self, end: float) -> int:
        for lane in self._lanes:
            self.env.send(self._policy(None)[0], lane)
        calls = 0
        while time.perf_counter() < end:
            self.advance(1)
            calls += 1
        for _ in self._lanes:
            self.env.recv()
        return calls + len(self._lanes)

    def close(self) -> None:
        """Ends the actors."""
        self.env.close()


class Sent(parallel_pool.SingleEnv):
    """One environment, made anew where it is sent: RayVectorEnv makes them here and sends them."""

    def __init__(self, task_id: str) -> None:
        super().__init__(task_id)
        self._task_id = task_id

    def __reduce__(self) -> Any:
        return Sent, (self._task_id,)


def tianshou(task_id: str) -> Iterator[Driver]:
    """RayVectorEnv: an actor for each environment, and a call for each step."""
    from tianshou.env import RayVectorEnv

    made = RayVectorEnv([lambda: Sent(task_id)] * max(ACTORS))
    made.reset()
    for actors in ACTORS:
        yield OneByOne(made, RandomPolicy(task_id, actors), actors)


class OneByOne(Driver):
    """Some of the environments of a RayVectorEnv."""

    def __init__(self, envs: Any, policy: RandomPolicy, actors: int) -> None:
        super().__init__(f"Tianshou RayVectorEnv, {actors}", actors)
        self.env, self._ids = envs, np.arange(actors)
        self._policy = policy

    def advance(self, calls: int) -> Any:
        """Steps them, and resets those whose episodes have ended."""
        for _ in range(calls):
            result = self.env.step(self._policy(None)[0], self._ids)
            if (ended := np.flatnonzero(result[2] | result[3])).size:
                self.env.reset(ended)
        return result

    def close(self) -> None:
        """Ends the actors, all of them with the last."""
        if len(self._ids) == max(ACTORS):
            self.env.close()


def rllib(task_id: str) -> Iterator[Driver]:
    """RLlib's runners with its own vector environments, which step one environment after the other."""
    from parallel_pool_ray.rllib import register_env
    from ray.rllib.algorithms.ppo import PPOConfig

    algorithm = (
        PPOConfig()
        .environment(register_env(task_id))
        .env_runners(
            num_env_runners=max(ACTORS),
            num_envs_per_env_runner=ENVS,
            num_cpus_per_env_runner=SHARE["CPU"],
            gym_env_vectorize_mode="sync",
        )
        .build_algo()
    )
    for actors in ACTORS:
        yield Sampled(algorithm, actors)


class Sampled(Driver):
    """Some of the runners of an algorithm, all of them at once and with random actions, as PPO asks them."""

    def __init__(self, algorithm: Any, actors: int) -> None:
        super().__init__(f"RLlib's vector env, {actors}", ENVS * STEPS * actors)
        self._algorithm, self._actors = algorithm, actors

    def advance(self, calls: int) -> Any:
        """Lets each make a fragment, and takes them."""
        runners = list(range(1, self._actors + 1))
        for _ in range(calls):
            result = self._algorithm.env_runner_group.foreach_env_runner(
                lambda runner: runner.sample(num_timesteps=ENVS * STEPS, random_actions=True),
                local_env_runner=False,
                remote_worker_ids=runners,
            )
            assert len(result) == self._actors
        return result

    def close(self) -> None:
        """Ends the runners, all of them with the last."""
        if self._actors == max(ACTORS):
            self._algorithm.stop()
