"""sbx: Stable-Baselines3's algorithms in JAX, on the same environments."""

from test_envs.libraries import needed

needed("sbx")

from parallel_pool_learning.sb3 import make_vec_env  # noqa: E402
from sbx import PPO  # noqa: E402


def test_ppo_trains() -> None:
    model = PPO("MlpPolicy", make_vec_env("CartPole-v1", 8), n_steps=64, n_epochs=2, seed=1)
    model.learn(2_000)
    assert len(model.ep_info_buffer) > 20
